// The dispatch confirmation of an Outwards consignment, for the driver and the storeperson to sign. Spec 4.2;
// decision 4.

import { sql } from '../../../platform/database/db.ts'
import { verificationFailed } from '../../../platform/http/refusal.ts'
import { Type } from '../../../platform/http/schema.ts'
import { ConsignmentStatus, ConsignmentType } from '../../../vocabulary/consignments.ts'
import { PrintJobKind } from '../../../vocabulary/paper.ts'
import { TransactionType } from '../../../vocabulary/stock.ts'
import { documentEndpoints, OrientationOption } from '../../document-endpoints.ts'
import { type Block, type Field, formatSum } from '../document-content.ts'
import { describePacks, hazardLines, type ProductsById, productsById } from '../document-products.ts'
import { formatDateTime, formatFigure, formatNonZero } from '../format.ts'
import { describeDates, type MovedGoods, movedGoodsColumn } from '../moved-goods.ts'
import { countPallets } from '../picks.ts'
import { words } from '../words.ts'
import {
  addressesBlock,
  type Detail,
  formatKilograms,
  instructionsBlock,
  joinTrackingNumbers,
  notesBlock,
  readConsignment,
  referenceFields,
  refuseVoidAndOtherTypes,
} from './consignment-document.ts'

interface DispatchedStock {
  movedGoods: MovedGoods[]
  products: ProductsById
}

const dispatchFields = (c: Detail, goods: readonly MovedGoods[]): Field[] => [
  [words.fields.dispatched, formatDateTime(c.actualDispatchDateTime)],
  [words.fields.warehouse, c.warehouseName],
  [words.fields.client, `${c.client.name} (${c.client.code})`],
  ...referenceFields(c),
  [words.fields.carrier, c.carrier?.name],
  [words.fields.carrierReference, c.carrierReference],
  [words.fields.trackingNumbers, joinTrackingNumbers(c)],
  [words.fields.container, c.containerNumber],
  [words.fields.seal, c.containerSealNumber],
  [words.fields.gross, formatKilograms(c.containerGrossWeightKG)],
  [words.fields.pallets, formatNonZero(countPallets(goods))],
]

/** Pairs the dispatched goods with their lines, in the order of the lines. */
const pairWithLines = ({ products }: Detail, movedGoods: readonly MovedGoods[]) => {
  const groups = Map.groupBy(movedGoods, ({ consignmentProductId }) => consignmentProductId)
  return products.flatMap(line => (groups.get(line.id) ?? []).map(goods => ({ line, goods })))
}

function dispatchedTable(c: Detail, { movedGoods, products }: DispatchedStock, withCodes: boolean): Block {
  const rows = pairWithLines(c, movedGoods)
  return {
    kind: 'table',
    columns: [
      { label: words.columns.product, width: '1fr' },
      { label: words.columns.batch, width: 26 },
      { label: words.columns.pallet, width: 34 },
      { label: words.columns.quantity, width: 26, align: 'right' },
      { label: words.columns.noted, width: 16, isAlwaysShown: true, align: 'right' },
      { label: words.columns.weight, width: 'figures' },
      { label: words.columns.volume, width: 'figures' },
    ],
    rows: rows.map(({ line, goods }) => {
      const product = products[goods.productId]
      return {
        cells: [
          {
            text: product?.code ?? line.productCode,
            bold: true,
            small: [product?.name, describeDates(goods).join(' · ')],
            alerts: hazardLines(product),
          },
          goods.batch,
          goods.unitNumber === null ? null : { text: goods.unitNumber, small: [goods.ssccNumber] },
          { text: formatFigure(goods.quantity), bold: true, small: [describePacks(product, goods.quantity)] },
          { text: '', box: 'line' },
          formatNonZero(goods.weightKG),
          formatNonZero(goods.volumeM3),
        ],
        serials: goods.serials,
        codes: withCodes ? [product?.code ?? line.productCode, goods.ssccNumber ?? goods.unitNumber] : [],
      }
    }),
    totals: [
      words.total,
      null,
      null,
      formatSum(rows, ({ goods }) => goods.quantity),
      null,
      formatSum(rows, ({ goods }) => goods.weightKG || null),
      formatSum(rows, ({ goods }) => goods.volumeM3 || null),
    ],
  }
}

const shortTable = ({ products }: Detail): Block => ({
  kind: 'table',
  title: words.tables.short,
  columns: [
    { label: words.columns.product, width: '1fr' },
    { label: words.columns.expected, width: 'figures' },
    { label: words.columns.dispatched, width: 'figures', isAlwaysShown: true },
    { label: words.columns.short, width: 'figures' },
  ],
  rows: products
    .filter(({ shortQuantity }) => shortQuantity > 0)
    .map(line => ({
      cells: [
        {
          text: line.product?.code ?? line.productCode,
          bold: true,
          small: [line.product?.name ?? line.goodsDescription],
        },
        formatFigure(line.expectedQuantity),
        formatFigure(line.dispatchedQuantity),
        formatFigure(line.shortQuantity),
      ],
    })),
})

const dispatchedStatuses: readonly number[] = [
  ConsignmentStatus.InTransit,
  ConsignmentStatus.Complete,
  ConsignmentStatus.Closed,
]

export const dispatchConfirmationPdf = documentEndpoints({
  path: '/v1/consignments/:consignmentId/dispatch-confirmation-pdf',
  name: 'DispatchConfirmation',
  partners: 'all',
  scope: 'consignment.read',
  subject: 'the dispatch confirmation of an Outwards consignment',
  description: 'Available once the consignment is InTransit, Complete or Closed.',
  kind: PrintJobKind.DispatchConfirmation,
  options: {
    orientation: OrientationOption,
    withCodes: {
      ...Type.Boolean(),
      description: 'Add Code 128 barcodes of product and pallet to each row. Default: false.',
    },
  },
  async read({ db, actor, params, options }) {
    const { consignment, header, ...dispatched } = await readConsignment<DispatchedStock>(
      db,
      actor,
      params.consignmentId as string,
      sql`${movedGoodsColumn(TransactionType.Dispatch)}, ${productsById(
        actor.organisationId,
        sql`
          select p.product_id from inventory_transaction t
          join warehouse_product p on p.organisation_id = t.organisation_id and p.id = t.warehouse_product_id
          where t.organisation_id = c.organisation_id and t.consignment_id = c.id
            and t.type = ${TransactionType.Dispatch}`,
        sql`moved.utc`,
      )} as products`,
    )
    refuseVoidAndOtherTypes(consignment, ConsignmentType.Outwards)
    if (!dispatchedStatuses.includes(consignment.status))
      throw verificationFailed(
        `Consignment ${consignment.consignmentNumber} has not left yet; there is nothing to confirm.`,
      )
    if (dispatched.movedGoods.length === 0)
      throw verificationFailed(
        `Nothing left with consignment ${consignment.consignmentNumber}; there is nothing to confirm.`,
      )
    return {
      title: words.titles.dispatch,
      number: consignment.consignmentNumber,
      header,
      partnerId: consignment.clientId,
      consignmentId: consignment.id,
      blocks: [
        { kind: 'fields', fields: dispatchFields(consignment, dispatched.movedGoods) },
        addressesBlock(consignment),
        instructionsBlock(words.instructions.delivery, consignment.deliveryInstructions),
        notesBlock(consignment),
        dispatchedTable(consignment, dispatched, options.withCodes ?? false),
        shortTable(consignment),
        {
          kind: 'signatures',
          signatures: [words.signatures.driver, words.signatures.storeperson],
          more: words.goodsDispatched,
        },
      ],
    }
  },
})
