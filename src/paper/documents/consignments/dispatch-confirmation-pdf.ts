// The dispatch confirmation of an Outwards consignment, for the driver and the storeperson to sign. Spec 4.2;
// decision 4.

import { sql } from '../../../platform/database/db.ts'
import { verificationFailed } from '../../../platform/http/refusal.ts'
import { Type } from '../../../platform/http/schema.ts'
import { ConsignmentStatus, ConsignmentType } from '../../../vocabulary/consignments.ts'
import { PrintJobKind } from '../../../vocabulary/paper.ts'
import { TransactionType } from '../../../vocabulary/stock.ts'
import { OrientationOption, paperEndpoints } from '../../paper-endpoints.ts'
import { dateTimeOf, figureIfAny, figureOf } from '../format.ts'
import { datesOf, type MovedStock, movedStock } from '../moved-stock.ts'
import { type Block, type Fact, sumOf } from '../paper.ts'
import { countPallets } from '../picks.ts'
import { hazardsOf, type ProductsById, packsOf, productsById } from '../product-facts.ts'
import { words } from '../words.ts'
import {
  addressesBlock,
  type Detail,
  instructionsBlock,
  kilograms,
  notesBlock,
  readConsignment,
  referenceFacts,
  requirePaper,
  trackingNumbers,
} from './consignment-paper.ts'

interface DispatchedStock {
  moved: MovedStock[]
  products: ProductsById
}

const dispatchFacts = (c: Detail, moved: readonly MovedStock[]): Fact[] => [
  [words.facts.dispatched, dateTimeOf(c.actualDispatchDateTime)],
  [words.facts.warehouse, c.warehouseName],
  [words.facts.client, `${c.client.name} (${c.client.code})`],
  ...referenceFacts(c),
  [words.facts.carrier, c.carrier?.name],
  [words.facts.carrierReference, c.carrierReference],
  [words.facts.trackingNumbers, trackingNumbers(c)],
  [words.facts.container, c.containerNumber],
  [words.facts.seal, c.containerSealNumber],
  [words.facts.gross, kilograms(c.containerGrossWeightKG)],
  [words.facts.pallets, figureIfAny(countPallets(moved))],
]

/** Pairs the dispatched goods with their lines, in the order of the lines. */
const byLine = ({ products }: Detail, moved: readonly MovedStock[]) => {
  const groups = Map.groupBy(moved, ({ consignmentProductId }) => consignmentProductId)
  return products.flatMap(line => (groups.get(line.id) ?? []).map(goods => ({ line, goods })))
}

function dispatchedTable(c: Detail, { moved, products }: DispatchedStock, withCodes: boolean): Block {
  const rows = byLine(c, moved)
  return {
    kind: 'table',
    columns: [
      { label: words.columns.product, width: '1fr' },
      { label: words.columns.batch, width: 26 },
      { label: words.columns.pallet, width: 34 },
      { label: words.columns.quantity, width: 26, align: 'right' },
      { label: words.columns.noted, width: 16, isKept: true, align: 'right' },
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
            small: [product?.name, datesOf(goods).join(' · ')],
            alerts: hazardsOf(product),
          },
          goods.batch,
          goods.unitNumber === null ? null : { text: goods.unitNumber, small: [goods.ssccNumber] },
          { text: figureOf(goods.quantity), bold: true, small: [packsOf(product, goods.quantity)] },
          { text: '', box: 'line' },
          figureIfAny(goods.weightKG),
          figureIfAny(goods.volumeM3),
        ],
        serials: goods.serials,
        codes: withCodes ? [product?.code ?? line.productCode, goods.ssccNumber ?? goods.unitNumber] : [],
      }
    }),
    totals: [
      words.total,
      null,
      null,
      sumOf(rows, ({ goods }) => goods.quantity),
      null,
      sumOf(rows, ({ goods }) => goods.weightKG || null),
      sumOf(rows, ({ goods }) => goods.volumeM3 || null),
    ],
  }
}

const shortTable = ({ products }: Detail): Block => ({
  kind: 'table',
  title: words.tables.short,
  columns: [
    { label: words.columns.product, width: '1fr' },
    { label: words.columns.expected, width: 'figures' },
    { label: words.columns.dispatched, width: 'figures', isKept: true },
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
        figureOf(line.expectedQuantity),
        figureOf(line.dispatchedQuantity),
        figureOf(line.shortQuantity),
      ],
    })),
})

const dispatchedStatuses: readonly number[] = [
  ConsignmentStatus.InTransit,
  ConsignmentStatus.Complete,
  ConsignmentStatus.Closed,
]

export const dispatchConfirmationPdf = paperEndpoints({
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
    const { consignment, head, ...dispatched } = await readConsignment<DispatchedStock>(
      db,
      actor,
      params.consignmentId as string,
      sql`${movedStock(TransactionType.Dispatch)}, ${productsById(
        actor.organisationId,
        sql`
          select p.product_id from inventory_transaction t
          join warehouse_product p on p.organisation_id = t.organisation_id and p.id = t.warehouse_product_id
          where t.organisation_id = c.organisation_id and t.consignment_id = c.id
            and t.type = ${TransactionType.Dispatch}`,
      )} as products`,
    )
    requirePaper(consignment, ConsignmentType.Outwards)
    if (!dispatchedStatuses.includes(consignment.status))
      throw verificationFailed(
        `Consignment ${consignment.consignmentNumber} has not left yet; there is nothing to confirm.`,
      )
    if (dispatched.moved.length === 0)
      throw verificationFailed(
        `Nothing left with consignment ${consignment.consignmentNumber}; there is nothing to confirm.`,
      )
    return {
      title: words.titles.dispatch,
      number: consignment.consignmentNumber,
      head,
      partnerId: consignment.clientId,
      consignmentId: consignment.id,
      blocks: [
        { kind: 'facts', facts: dispatchFacts(consignment, dispatched.moved) },
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
