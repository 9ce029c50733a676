// The receipt confirmation of an Inwards consignment, to be signed by the receiver. Until something is
// received, it is a receiving sheet to fill in by hand. Spec 4.2; decision 4.

import { sql } from '../../../platform/database/db.ts'
import { ConsignmentType } from '../../../vocabulary/consignments.ts'
import { PrintJobKind } from '../../../vocabulary/paper.ts'
import { TransactionType } from '../../../vocabulary/stock.ts'
import { OrientationOption, paperEndpoints } from '../../paper-endpoints.ts'
import { dateOf, dateTimeOf, figureIfAny, figureOf } from '../format.ts'
import { datesOf, type MovedStock, movedStock } from '../moved-stock.ts'
import { type Block, type Cell, type Fact, sumOf } from '../paper.ts'
import { hazardsOf, type ProductsById, packsOf, productsById } from '../product-facts.ts'
import { words } from '../words.ts'
import {
  addressesBlock,
  type Detail,
  kilograms,
  notesBlock,
  readConsignment,
  referenceFacts,
  requirePaper,
} from './consignment-paper.ts'

type Line = Detail['products'][number]

interface ReceivedStock {
  moved: MovedStock[]
  products: ProductsById
}

const receiptFacts = (c: Detail): Fact[] => [
  [words.facts.status, words.statuses[c.status]],
  [words.facts.client, `${c.client.name} (${c.client.code})`],
  ...referenceFacts(c),
  [words.facts.warehouse, c.warehouseName],
  [words.facts.expectedArrival, dateTimeOf(c.expectedArrivalDateTime)],
  [words.facts.received, dateTimeOf(c.actualReceiveDateTime)],
  [words.facts.carrier, c.carrier?.name],
  [words.facts.carrierReference, c.carrierReference],
  [words.facts.container, c.containerNumber],
  [words.facts.seal, c.containerSealNumber],
  [words.facts.gross, kilograms(c.containerGrossWeightKG)],
]

/** The cell of a product, with what the receiver has to know about it. */
const productCell = (line: Line, products: ProductsById, more: readonly string[]): Cell => {
  const product = line.product === null ? undefined : products[line.product.id]
  return {
    text: line.product?.code ?? line.productCode,
    bold: true,
    small: [line.product?.name ?? line.goodsDescription, ...more],
    alerts: hazardsOf(product),
  }
}

/** Describes received goods in one line: quantity, location, batch, dates, unit and hold. */
const describeGoods = (goods: MovedStock): string =>
  [
    words.placed(figureOf(goods.quantity) as string, goods.locationName),
    goods.batch === null ? null : `${words.dates.batch} ${goods.batch}`,
    ...datesOf(goods),
    goods.ssccNumber ?? goods.unitNumber,
    goods.holdReason === null ? null : words.held(goods.holdReason),
  ]
    .filter(Boolean)
    .join(' · ')

const over = ({ receivedQuantity, expectedQuantity }: Line) =>
  Math.max(0, receivedQuantity - expectedQuantity)

function receivedTable({ products: lines }: Detail, { moved, products }: ReceivedStock): Block {
  const groups = Map.groupBy(moved, ({ consignmentProductId }) => consignmentProductId)
  const figures = [
    [words.columns.expected, (line: Line) => line.expectedQuantity],
    [words.columns.received, (line: Line) => line.receivedQuantity],
    [words.columns.over, over],
    [words.columns.short, (line: Line) => line.shortQuantity],
    [words.columns.weight, (line: Line) => line.receivedWeightKG],
  ] as const
  return {
    kind: 'table',
    columns: [
      { label: words.columns.product, width: '1fr' },
      ...figures.map(([label], i) => ({ label, width: 'figures' as const, isKept: i < 2 })),
    ],
    rows: lines.map(line => {
      const goods = groups.get(line.id) ?? []
      return {
        cells: [
          productCell(line, products, goods.map(describeGoods)),
          ...figures.map(([, figureIn], i) =>
            i < 2 ? figureOf(figureIn(line)) : figureIfAny(figureIn(line)),
          ),
        ],
        serials: goods.flatMap(({ serials }) => serials),
      }
    }),
    totals: [words.total, ...figures.map(([, figureIn]) => sumOf(lines, line => figureIn(line) || null))],
  }
}

/** Returns the batch, dates and logistic unit that were announced for a line. */
const announcedDetails = (line: Line): string[] =>
  [
    line.batch ? `${words.dates.batch} ${line.batch}` : null,
    ...datesOf({
      bestBeforeDate: dateOnly(line.bestBeforeDate),
      expiryDate: dateOnly(line.expiryDate),
      packagingDate: dateOnly(line.packagingDate),
      productionDate: dateOnly(line.productionDate),
      sellByDate: dateOnly(line.sellByDate),
    }),
    line.logisticUnitSsccNumber ?? line.logisticUnitReferenceNumber,
  ].filter(text => typeof text === 'string' && text !== '') as string[]

const dateOnly = (text: string | null) => (dateOf(text) === null ? null : text)

function sheetTable({ products: lines }: Detail, products: ProductsById): Block {
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
      const packs = packsOf(product, line.expectedQuantity)
      const more = [announcedDetails(line).join(' · '), product?.receiveInstructions ?? '']
      return {
        cells: [
          productCell(line, products, more),
          { text: figureOf(line.expectedQuantity), bold: true, small: [packs] },
        ],
        serials: line.items.flatMap(({ serial }) => (serial === null ? [] : [serial])),
      }
    }),
  }
}

export const receiptConfirmationPdf = paperEndpoints({
  path: '/v1/consignments/:consignmentId/receipt-confirmation-pdf',
  name: 'ReceiptConfirmation',
  partners: 'clients',
  scope: 'consignment.read',
  subject: 'the receipt confirmation of an Inwards consignment',
  description: 'Until something is received, it is a receiving sheet to fill in by hand.',
  kind: PrintJobKind.ReceiptConfirmation,
  options: { orientation: OrientationOption },
  async read({ db, actor, params }) {
    const { consignment, head, ...received } = await readConsignment<ReceivedStock>(
      db,
      actor,
      params.consignmentId as string,
      sql`${movedStock(TransactionType.Receive)}, ${productsById(
        actor.organisationId,
        sql`
          select r.product_id from consignment_product r
          where r.organisation_id = c.organisation_id and r.consignment_id = c.id`,
      )} as products`,
    )
    requirePaper(consignment, ConsignmentType.Inwards)
    const isSheet = received.moved.length === 0
    return {
      title: isSheet ? words.titles.receivingSheet : words.titles.receipt,
      number: consignment.consignmentNumber,
      head,
      partnerId: consignment.clientId,
      consignmentId: consignment.id,
      blocks: [
        { kind: 'facts', facts: receiptFacts(consignment) },
        addressesBlock(consignment),
        notesBlock(consignment),
        isSheet ? sheetTable(consignment, received.products) : receivedTable(consignment, received),
        {
          kind: 'signatures',
          signatures: [words.signatures.receiver, words.signatures.driver],
          more: words.goodsReceived,
        },
      ],
    }
  },
})
