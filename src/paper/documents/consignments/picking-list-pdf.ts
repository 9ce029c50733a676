// The picking list of an Outwards consignment. A warehouse without scanners needs nothing else: there, the
// status ReadyToDispatch counts everything on the list as picked. Spec 4.2; decision 4.

import { sql } from '../../../platform/database/db.ts'
import { verificationFailed } from '../../../platform/http/refusal.ts'
import { IntegerEnum } from '../../../platform/http/schema.ts'
import { ConsignmentStatus, ConsignmentType } from '../../../vocabulary/consignments.ts'
import { PickSortBy } from '../../../vocabulary/jobs.ts'
import { PrintJobKind } from '../../../vocabulary/paper.ts'
import { documentEndpoints, OrientationOption } from '../../document-endpoints.ts'
import { type Block, type Field, formatSum, type Row } from '../document-content.ts'
import { describePacks, type ProductsById, productsById } from '../document-products.ts'
import { formatDateTime, formatFigure } from '../format.ts'
import { compareNames, sortPicks } from '../pick-order.ts'
import {
  type PickLine,
  pickColumns,
  pickJsonFields,
  pickRow,
  pickSummary,
  pickTables,
  pickTotals,
  productCell,
  WithCodesOption,
} from '../picks.ts'
import { words } from '../words.ts'
import {
  type Detail,
  deliveryBlock,
  instructionsBlock,
  notesBlock,
  readConsignment,
  referenceFields,
  refuseVoidAndOtherTypes,
} from './consignment-document.ts'

interface PickingData {
  picks: PickLine[]
  products: ProductsById
}

const picksOf = (organisationId: string) => sql`(
    select coalesce(json_agg(json_build_object(${pickJsonFields})), '[]')
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
        { text: formatFigure(quantity(line)), bold: true, small: [describePacks(product, quantity(line))] },
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
          ? compareNames(a.product?.code ?? a.productCode, b.product?.code ?? b.productCode)
          : compareNames(a.product?.name ?? '', b.product?.name ?? ''),
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
        totals: [words.total, null, formatSum(c.products, line => line.expectedQuantity)],
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

const pickingFields = (c: Detail, picks: readonly PickLine[]): Field[] => [
  [words.fields.client, `${c.client.name} (${c.client.code})`],
  [words.fields.warehouse, c.warehouseName],
  ...referenceFields(c),
  [words.fields.priority, words.priorities[c.priority]],
  [words.fields.status, words.statuses[c.status]],
  [words.fields.expectedDispatch, formatDateTime(c.expectedDispatchDateTime)],
  [words.fields.carrier, c.carrier?.name],
  [words.fields.serviceTypes, c.serviceTypes.map(({ name }) => name).join(', ')],
  ...pickSummary(picks),
]

const dispatchedStatuses: readonly number[] = [
  ConsignmentStatus.InTransit,
  ConsignmentStatus.Complete,
  ConsignmentStatus.Closed,
]

export const pickingListPdf = documentEndpoints({
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
    const { consignment, header, ...picking } = await readConsignment<PickingData>(
      db,
      actor,
      params.consignmentId as string,
      picksOf(organisationId),
    )
    refuseVoidAndOtherTypes(consignment, ConsignmentType.Outwards)
    if (dispatchedStatuses.includes(consignment.status))
      throw verificationFailed(
        `Consignment ${consignment.consignmentNumber} has left; its dispatch confirmation says with what.`,
      )
    const remainingPicks = picking.picks.filter(({ isPicked }) => !isPicked)
    return {
      title: words.titles.pickingList,
      number: consignment.consignmentNumber,
      header,
      partnerId: consignment.clientId,
      consignmentId: consignment.id,
      blocks: [
        { kind: 'fields', fields: pickingFields(consignment, remainingPicks) },
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
