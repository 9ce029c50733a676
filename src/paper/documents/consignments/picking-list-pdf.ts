// The picking list of an Outwards consignment. A warehouse without scanners needs nothing else: there, the
// status ReadyToDispatch counts everything on the list as picked. Spec 4.2; decision 4.

import { sql } from '../../../platform/database/db.ts'
import { verificationFailed } from '../../../platform/http/refusal.ts'
import { IntegerEnum } from '../../../platform/http/schema.ts'
import { ConsignmentStatus, ConsignmentType } from '../../../vocabulary/consignments.ts'
import { PickSortBy } from '../../../vocabulary/jobs.ts'
import { PrintJobKind } from '../../../vocabulary/paper.ts'
import { OrientationOption, paperEndpoints } from '../../paper-endpoints.ts'
import { dateTimeOf, figureOf } from '../format.ts'
import { type Block, type Fact, type Row, sumOf } from '../paper.ts'
import { byName, sortPicks } from '../pick-order.ts'
import {
  type PickLine,
  pickColumns,
  pickFacts,
  pickFields,
  pickRow,
  pickTables,
  pickTotals,
  productCell,
  WithCodesOption,
} from '../picks.ts'
import { type ProductsById, packsOf, productsById } from '../product-facts.ts'
import { words } from '../words.ts'
import {
  type Detail,
  deliveryBlock,
  instructionsBlock,
  notesBlock,
  readConsignment,
  referenceFacts,
  requirePaper,
} from './consignment-paper.ts'

interface PickingData {
  picks: PickLine[]
  products: ProductsById
}

const picksOf = (organisationId: string) => sql`(
    select coalesce(json_agg(json_build_object(${pickFields})), '[]')
    from (
      select a.organisation_id, a.warehouse_product_id, a.is_picked, sum(a.quantity) as quantity,
        coalesce(json_agg(i.serial order by i.serial) filter (where i.id is not null), '[]') as serials
      from inventory_allocation a
      left join warehouse_product_item i on i.organisation_id = a.organisation_id
        and i.id = a.warehouse_product_item_id
      where a.organisation_id = c.organisation_id and a.consignment_id = c.id
      group by a.organisation_id, a.consignment_product_id, a.warehouse_product_id, a.is_picked
    ) g
    ${pickTables}
  ) as picks, ${productsById(
    organisationId,
    sql`
      select r.product_id from consignment_product r
      where r.organisation_id = c.organisation_id and r.consignment_id = c.id
      union all
      select p.product_id from inventory_allocation a
      join warehouse_product p on p.organisation_id = a.organisation_id and p.id = a.warehouse_product_id
      where a.organisation_id = c.organisation_id and a.consignment_id = c.id`,
  )} as products`

/** Rows for lines of the consignment, without locations. */
function lineRows(
  lines: Detail['products'],
  products: ProductsById,
  quantity: (line: Detail['products'][number]) => number,
): Row[] {
  return lines.map(line => {
    const product = line.product === null ? undefined : products[line.product.id]
    return {
      cells: [
        productCell(
          product,
          line.product?.code ?? line.productCode,
          line.product?.name ?? line.goodsDescription,
        ),
        line.batch,
        { text: figureOf(quantity(line)), bold: true, small: [packsOf(product, quantity(line))] },
      ],
      serials: line.items.flatMap(({ serial }) => (serial === null ? [] : [serial])),
    }
  })
}

const lineColumns = [
  { label: words.columns.product, width: '1fr' },
  { label: words.columns.batch, width: 34 },
  { label: words.columns.quantity, width: 30, align: 'right' },
] as const

/** Sorts lines that have no locations yet. */
const sortedLines = ({ products }: Detail, sortBy: PickSortBy) =>
  sortBy === PickSortBy.Location
    ? products
    : products.toSorted((a, b) =>
        sortBy === PickSortBy.ProductCode
          ? byName(a.product?.code ?? a.productCode, b.product?.code ?? b.productCode)
          : byName(a.product?.name ?? '', b.product?.name ?? ''),
      )

function pickBlocks(
  c: Detail,
  { picks, products }: PickingData,
  { sortBy, withCodes }: { sortBy: PickSortBy; withCodes: boolean },
): Block[] {
  const isAllocated = c.status !== ConsignmentStatus.Draft && c.status !== ConsignmentStatus.Pending
  if (!isAllocated)
    return [
      { kind: 'banner', text: words.notAllocated, more: words.notAllocatedMore },
      {
        kind: 'table',
        columns: lineColumns,
        rows: lineRows(sortedLines(c, sortBy), products, line => line.expectedQuantity),
        totals: [words.total, null, sumOf(c.products, line => line.expectedQuantity)],
      },
    ]
  const sorted = sortPicks(picks, sortBy)
  const [toPick, picked] = [false, true].map(isPicked => sorted.filter(pick => pick.isPicked === isPicked))
  const tableOf = (rows: readonly PickLine[] = []) => ({
    kind: 'table' as const,
    columns: pickColumns,
    rows: rows.map(pick => pickRow(pick, products[pick.productId], { withCodes })),
    totals: pickTotals(rows),
  })
  const short = c.products.filter(({ shortQuantity }) => shortQuantity > 0)
  return [
    ...(toPick?.length === 0 ? [{ kind: 'banner', text: words.nothingToPick } as const] : []),
    tableOf(toPick),
    { ...tableOf(picked), title: words.tables.picked },
    {
      kind: 'table',
      title: words.tables.short,
      columns: lineColumns,
      rows: lineRows(short, products, line => line.shortQuantity),
    },
    { kind: 'signatures', signatures: [words.signatures.picker, words.signatures.checker] },
  ]
}

const pickingFacts = (c: Detail, picks: readonly PickLine[]): Fact[] => [
  [words.facts.client, `${c.client.name} (${c.client.code})`],
  [words.facts.warehouse, c.warehouseName],
  ...referenceFacts(c),
  [words.facts.priority, words.priorities[c.priority]],
  [words.facts.status, words.statuses[c.status]],
  [words.facts.expectedDispatch, dateTimeOf(c.expectedDispatchDateTime)],
  [words.facts.carrier, c.carrier?.name],
  [words.facts.serviceTypes, c.serviceTypes.map(({ name }) => name).join(', ')],
  ...pickFacts(picks),
]

const dispatchedStatuses: readonly number[] = [
  ConsignmentStatus.InTransit,
  ConsignmentStatus.Complete,
  ConsignmentStatus.Closed,
]

export const pickingListPdf = paperEndpoints({
  path: '/v1/consignments/:consignmentId/picking-list-pdf',
  name: 'PickingList',
  partners: 'clients',
  scope: 'consignment.read',
  subject: 'the picking list of an Outwards consignment',
  description:
    'One row for each location and stock to pick from, in walking order unless sorted otherwise. Before ' +
    'ReadyToPick, it lists the expected lines without locations.',
  isSpecified: true,
  kind: PrintJobKind.PickingList,
  options: {
    sortBy: IntegerEnum(PickSortBy),
    orientation: OrientationOption,
    withCodes: WithCodesOption,
  },
  async read({ db, actor, params, options }) {
    const { organisationId } = actor
    const { consignment, head, ...picking } = await readConsignment<PickingData>(
      db,
      actor,
      params.consignmentId as string,
      picksOf(organisationId),
    )
    requirePaper(consignment, ConsignmentType.Outwards)
    if (dispatchedStatuses.includes(consignment.status))
      throw verificationFailed(
        `Consignment ${consignment.consignmentNumber} has left; its dispatch confirmation says with what.`,
      )
    const unpicked = picking.picks.filter(({ isPicked }) => !isPicked)
    return {
      title: words.titles.pickingList,
      number: consignment.consignmentNumber,
      head,
      partnerId: consignment.clientId,
      consignmentId: consignment.id,
      blocks: [
        { kind: 'facts', facts: pickingFacts(consignment, unpicked) },
        deliveryBlock(consignment),
        instructionsBlock(words.instructions.delivery, consignment.deliveryInstructions),
        instructionsBlock(words.instructions.picking, consignment.pickingInstructions),
        notesBlock(consignment),
        ...pickBlocks(consignment, picking, {
          sortBy: options.sortBy ?? PickSortBy.Location,
          withCodes: options.withCodes ?? false,
        }),
      ],
    }
  },
})
