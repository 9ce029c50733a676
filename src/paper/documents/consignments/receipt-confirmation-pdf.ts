// The receipt confirmation of an Inwards consignment, to be signed by the receiver. Until something is
// received, it is a receiving sheet to fill in by hand. Spec 4.2; decision 4.

import { sql } from '../../../platform/database/db.ts'
import { ConsignmentType } from '../../../vocabulary/consignments.ts'
import { PrintJobKind } from '../../../vocabulary/paper.ts'
import { TransactionType } from '../../../vocabulary/stock.ts'
import { documentEndpoints, OrientationOption } from '../../document-endpoints.ts'
import { type Block, type Cell, type Field, formatSum } from '../document-content.ts'
import { describePacks, hazardLines, type ProductsById, productsById } from '../document-products.ts'
import { formatDate, formatDateTime, formatFigure, formatNonZero } from '../format.ts'
import { describeDates, type MovedGoods, movedGoodsColumn } from '../moved-goods.ts'
import { words } from '../words.ts'
import {
  addressesBlock,
  type Detail,
  formatKilograms,
  notesBlock,
  readConsignment,
  referenceFields,
  refuseVoidAndOtherTypes,
} from './consignment-document.ts'

type Line = Detail['products'][number]

interface ReceivedStock {
  movedGoods: MovedGoods[]
  products: ProductsById
}

const receiptFields = (c: Detail): Field[] => [
  [words.fields.status, words.statuses[c.status]],
  [words.fields.client, `${c.client.name} (${c.client.code})`],
  ...referenceFields(c),
  [words.fields.warehouse, c.warehouseName],
  [words.fields.expectedArrival, formatDateTime(c.expectedArrivalDateTime)],
  [words.fields.received, formatDateTime(c.actualReceiveDateTime)],
  [words.fields.carrier, c.carrier?.name],
  [words.fields.carrierReference, c.carrierReference],
  [words.fields.container, c.containerNumber],
  [words.fields.seal, c.containerSealNumber],
  [words.fields.gross, formatKilograms(c.containerGrossWeightKG)],
]

/** The cell of a product, with what the receiver has to know about it. */
const productCell = (line: Line, products: ProductsById, more: readonly string[]): Cell => {
  const product = line.product === null ? undefined : products[line.product.id]
  return {
    text: line.product?.code ?? line.productCode,
    bold: true,
    small: [line.product?.name ?? line.goodsDescription, ...more],
    alerts: hazardLines(product),
  }
}

/** Describes received goods in one line: quantity, location, batch, dates, unit and hold. */
const describeGoods = (goods: MovedGoods): string =>
  [
    words.placed(formatFigure(goods.quantity) as string, goods.locationName),
    goods.batch === null ? null : `${words.dates.batch} ${goods.batch}`,
    ...describeDates(goods),
    goods.ssccNumber ?? goods.unitNumber,
    goods.holdReason === null ? null : words.held(goods.holdReason),
  ]
    .filter(Boolean)
    .join(' · ')

const overQuantity = ({ receivedQuantity, expectedQuantity }: Line) =>
  Math.max(0, receivedQuantity - expectedQuantity)

function receivedTable({ products: lines }: Detail, { movedGoods, products }: ReceivedStock): Block {
  const groups = Map.groupBy(movedGoods, ({ consignmentProductId }) => consignmentProductId)
  const figures = [
    [words.columns.expected, (line: Line) => line.expectedQuantity],
    [words.columns.received, (line: Line) => line.receivedQuantity],
    [words.columns.over, overQuantity],
    [words.columns.short, (line: Line) => line.shortQuantity],
    [words.columns.weight, (line: Line) => line.receivedWeightKG],
  ] as const
  return {
    kind: 'table',
    columns: [
      { label: words.columns.product, width: '1fr' },
      ...figures.map(([label], i) => ({ label, width: 'figures' as const, isAlwaysShown: i < 2 })),
    ],
    rows: lines.map(line => {
      const goods = groups.get(line.id) ?? []
      return {
        cells: [
          productCell(line, products, goods.map(describeGoods)),
          ...figures.map(([, figureIn], i) =>
            i < 2 ? formatFigure(figureIn(line)) : formatNonZero(figureIn(line)),
          ),
        ],
        serials: goods.flatMap(({ serials }) => serials),
      }
    }),
    totals: [words.total, ...figures.map(([, figureIn]) => formatSum(lines, line => figureIn(line) || null))],
  }
}

/** Returns the batch, dates and logistic unit that were announced for a line. */
const announcedDetails = (line: Line): string[] =>
  [
    line.batch ? `${words.dates.batch} ${line.batch}` : null,
    ...describeDates({
      bestBeforeDate: dateOnly(line.bestBeforeDate),
      expiryDate: dateOnly(line.expiryDate),
      packagingDate: dateOnly(line.packagingDate),
      productionDate: dateOnly(line.productionDate),
      sellByDate: dateOnly(line.sellByDate),
    }),
    line.logisticUnitSsccNumber ?? line.logisticUnitReferenceNumber,
  ].filter(text => typeof text === 'string' && text !== '') as string[]

const dateOnly = (text: string | null) => (formatDate(text) === null ? null : text)

function receivingSheetTable({ products: lines }: Detail, products: ProductsById): Block {
  const blank = (label: string, width: number) => ({ label, width, isBlank: true })
  return {
    kind: 'table',
    columns: [
      { label: words.columns.product, width: '1fr' },
      { label: words.columns.expected, width: 27, align: 'right' },
      blank(words.columns.received, 22),
      blank(words.columns.batch, 25),
      blank(words.columns.dateCode, 22),
      blank(words.columns.location, 22),
    ],
    rows: lines.map(line => {
      const product = line.product === null ? undefined : products[line.product.id]
      const packs = describePacks(product, line.expectedQuantity)
      const more = [announcedDetails(line).join(' · '), product?.receiveInstructions ?? '']
      return {
        cells: [
          productCell(line, products, more),
          { text: formatFigure(line.expectedQuantity), bold: true, small: [packs] },
        ],
        serials: line.items.flatMap(({ serial }) => (serial === null ? [] : [serial])),
      }
    }),
  }
}

export const receiptConfirmationPdf = documentEndpoints({
  path: '/v1/consignments/:consignmentId/receipt-confirmation-pdf',
  name: 'ReceiptConfirmation',
  partners: 'clients',
  scope: 'consignment.read',
  subject: 'the receipt confirmation of an Inwards consignment',
  description: 'Until something is received, it is a receiving sheet to fill in by hand.',
  kind: PrintJobKind.ReceiptConfirmation,
  options: { orientation: OrientationOption },
  async read({ db, actor, params }) {
    const { consignment, header, ...received } = await readConsignment<ReceivedStock>(
      db,
      actor,
      params.consignmentId as string,
      sql`${movedGoodsColumn(TransactionType.Receive)}, ${productsById(
        actor.organisationId,
        sql`
          select r.product_id from consignment_product r
          where r.organisation_id = c.organisation_id and r.consignment_id = c.id`,
        sql`moved.utc`,
      )} as products`,
    )
    refuseVoidAndOtherTypes(consignment, ConsignmentType.Inwards)
    const isSheet = received.movedGoods.length === 0
    return {
      title: isSheet ? words.titles.receivingSheet : words.titles.receipt,
      number: consignment.consignmentNumber,
      header,
      partnerId: consignment.clientId,
      consignmentId: consignment.id,
      blocks: [
        { kind: 'fields', fields: receiptFields(consignment) },
        addressesBlock(consignment),
        notesBlock(consignment),
        isSheet ? receivingSheetTable(consignment, received.products) : receivedTable(consignment, received),
        {
          kind: 'signatures',
          signatures: [words.signatures.receiver, words.signatures.driver],
          more: words.goodsReceived,
        },
      ],
    }
  },
})
