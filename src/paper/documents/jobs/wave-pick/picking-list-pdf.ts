// The picking list of a wave pick: a row for each location and stock. ParallelPicking shows the share of each
// consignment in the row; BulkPicking adds a distribution page for each consignment. Spec 2.15.

import { visibleJobs } from '../../../../jobs/job.ts'
import { sql } from '../../../../platform/database/db.ts'
import { notFound } from '../../../../platform/http/refusal.ts'
import { IntegerEnum } from '../../../../platform/http/schema.ts'
import { JobType, PickSortBy, WavePickStyle } from '../../../../vocabulary/jobs.ts'
import { PrintJobKind } from '../../../../vocabulary/paper.ts'
import type { Address } from '../../../../warehouses/address.ts'
import { documentEndpoints, OrientationOption } from '../../../document-endpoints.ts'
import { addressLines } from '../../addresses.ts'
import { type Block, type Field, formatSum, type PageHeader } from '../../document-content.ts'
import { describePacks, type ProductsById, productsById } from '../../document-products.ts'
import { formatDateTime, formatFigure } from '../../format.ts'
import { headerColumn } from '../../page-header.ts'
import { sortPicks } from '../../pick-order.ts'
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
} from '../../picks.ts'
import { words } from '../../words.ts'

/** The part of a pick that goes to one consignment. */
interface Share {
  consignmentNumber: string
  position: number
  quantity: number
}

type SharedPick = PickLine & { shares: Share[] }

interface WavePick {
  header: PageHeader
  jobId: string
  jobNumber: string
  reference: string | null
  description: string | null
  dueDateTime: string | null
  priority: keyof typeof words.priorities
  style: (typeof WavePickStyle)[keyof typeof WavePickStyle]
  warehouseName: string
  clientId: string
  clientName: string
  clientCode: string
  consignments: {
    consignmentNumber: string
    position: number
    destination: Address | null
    attention: string | null
    deliveryInstructions: string | null
  }[]
  picks: SharedPick[]
  products: ProductsById
}

const jobAllocations = sql`
  from job_consignment m
  join consignment c on c.organisation_id = m.organisation_id and c.id = m.consignment_id
  join inventory_allocation a on a.organisation_id = m.organisation_id and a.consignment_id = m.consignment_id
    and not a.is_picked`
const jobCondition = sql`where m.organisation_id = j.organisation_id and m.job_id = j.id and m.is_picking`

const picksOfJob = sql`(
    select coalesce(json_agg(json_build_object(${pickJsonFields}, 'shares', g.shares)), '[]')
    from (
      select a.organisation_id, a.warehouse_product_id, false as is_picked, sum(a.quantity) as quantity,
        coalesce(json_agg(i.serial order by i.serial) filter (where i.id is not null), '[]') as serials,
        json_agg(json_build_object('consignmentNumber', c.consignment_number, 'position', m.position,
          'quantity', trim_scale(a.quantity)) order by m.position, a.id) as shares
      ${jobAllocations}
      left join warehouse_product_item i on i.organisation_id = a.organisation_id
        and i.id = a.warehouse_product_item_id
      ${jobCondition}
      group by a.organisation_id, a.warehouse_product_id
    ) g
    ${pickTables}
  ) as picks`

const productIds = sql`
  select p.product_id ${jobAllocations}
  join warehouse_product p on p.organisation_id = a.organisation_id and p.id = a.warehouse_product_id
  ${jobCondition}`

const consignmentsOfJob = sql`(
    select coalesce(json_agg(json_build_object('consignmentNumber', c.consignment_number,
      'position', m.position, 'destination', c.destination_address,
      'attention', c.destination_address_attention, 'deliveryInstructions', c.delivery_instructions
      ) order by m.position), '[]')
    from job_consignment m
    join consignment c on c.organisation_id = m.organisation_id and c.id = m.consignment_id
    ${jobCondition}
  ) as consignments`

/** Adds up shares of the same consignment, because each serial is an allocation of its own. */
function sumByConsignment(shares: readonly Share[]): Share[] {
  const groups = Map.groupBy(shares, ({ position }) => position)
  return [...groups.values()].map(group => ({
    ...(group[0] as Share),
    quantity: group.reduce((sum, { quantity }) => sum + quantity, 0),
  }))
}

const describeShare = ({ position, consignmentNumber, quantity }: Share): string =>
  words.share(position, consignmentNumber, formatFigure(quantity) as string)

/** A page for each consignment with its share of everything picked. */
function distributionPages(job: WavePick, picks: readonly SharedPick[]): Block[] {
  const shares = picks.flatMap(pick => sumByConsignment(pick.shares).map(share => ({ pick, share })))
  const groups = Map.groupBy(shares, ({ share }) => share.position)
  return job.consignments.flatMap((consignment): Block[] => {
    const { position, consignmentNumber, destination, attention, deliveryInstructions } = consignment
    const lines = addressLines(destination, attention)
    const consignmentShares = groups.get(position) ?? []
    if (consignmentShares.length === 0) return []
    return [
      { kind: 'page' },
      {
        kind: 'banner',
        text: words.placeInWave(position, consignmentNumber),
        more: words.tables.distribution,
      },
      { kind: 'parties', parties: lines.length > 0 ? [{ label: words.parties.deliverTo, lines }] : [] },
      {
        kind: 'text',
        label: words.instructions.delivery,
        texts: deliveryInstructions ? [deliveryInstructions] : [],
      },
      {
        kind: 'table',
        columns: [
          { label: words.columns.product, width: '1fr' },
          { label: words.columns.batch, width: 34 },
          { label: words.columns.quantity, width: 30, align: 'right' },
          { label: words.columns.short, width: 16, isAlwaysShown: true, align: 'right' },
          { label: words.columns.tick, width: 8, isAlwaysShown: true, align: 'right' },
        ],
        rows: consignmentShares.map(({ pick, share }) => {
          const product = job.products[pick.productId]
          return {
            cells: [
              productCell(product, pick.productCode, pick.productName),
              pick.batch,
              {
                text: formatFigure(share.quantity),
                bold: true,
                small: [describePacks(product, share.quantity)],
              },
              { text: '', box: 'line' },
              { text: '', box: 'empty' },
            ],
          }
        }),
        totals: [words.total, null, formatSum(consignmentShares, ({ share }) => share.quantity), null, null],
      },
    ]
  })
}

const jobFields = (job: WavePick): Field[] => [
  [words.fields.client, `${job.clientName} (${job.clientCode})`],
  [words.fields.warehouse, job.warehouseName],
  [words.fields.style, words.wavePickStyles[job.style]],
  [words.fields.priority, words.priorities[job.priority]],
  [words.fields.due, formatDateTime(job.dueDateTime)],
  [words.fields.reference, job.reference],
  [words.fields.consignments, formatFigure(job.consignments.length)],
  ...pickSummary(job.picks),
]

function blocksOf(job: WavePick, sortBy: PickSortBy, withCodes: boolean): Block[] {
  const picks = sortPicks(job.picks, sortBy)
  const isParallel = job.style === WavePickStyle.ParallelPicking
  const rows = picks.map(pick =>
    pickRow(pick, job.products[pick.productId], {
      more: isParallel ? sumByConsignment(pick.shares).map(describeShare) : [],
      withCodes,
    }),
  )
  return [
    { kind: 'fields', fields: jobFields(job) },
    { kind: 'text', label: words.instructions.notes, texts: job.description ? [job.description] : [] },
    ...(rows.length === 0 ? [{ kind: 'banner', text: words.nothingToPick } as const] : []),
    {
      kind: 'table',
      columns: pickColumns.map(column =>
        isParallel && column.label === words.columns.quantity ? { ...column, width: 36 } : column,
      ),
      rows,
      totals: pickTotals(picks),
    },
    { kind: 'signatures', signatures: [words.signatures.picker, words.signatures.checker] },
    ...(isParallel ? [] : distributionPages(job, picks)),
  ]
}

export const wavePickingListPdf = documentEndpoints({
  path: '/v1/jobs/:jobId/wave-pick/picking-list-pdf',
  name: 'WavePickingList',
  partners: 'clients',
  scope: 'job.read',
  subject: 'the picking list of a wave pick',
  description:
    'The stock still to be picked, in walking order unless sorted otherwise. ParallelPicking shows the ' +
    'share of each consignment below each quantity; BulkPicking adds a page for each consignment at the ' +
    'end.',
  kind: PrintJobKind.WavePickingList,
  options: {
    sortBy: IntegerEnum(PickSortBy),
    orientation: OrientationOption,
    withCodes: WithCodesOption,
  },
  async read({ db, actor, params, options }) {
    const job = await db.maybe<WavePick>(sql`
      select j.id as job_id, j.job_number, j.reference, j.description, j.due_date_time, j.priority,
        j.wave_pick_style as style, w.name as warehouse_name, k.id as client_id, k.name as client_name,
        k.code as client_code, ${headerColumn(actor, 'j.client_id', 'w.timezone_id')},
        ${consignmentsOfJob}, ${picksOfJob}, ${productsById(actor.organisationId, productIds)} as products
      from job j
      join organisation o on o.id = j.organisation_id
      join warehouse w on w.organisation_id = j.organisation_id and w.id = j.warehouse_id
      join partner k on k.organisation_id = j.organisation_id and k.id = j.client_id
      where ${visibleJobs(actor)} and j.id = ${params.jobId} and j.type = ${JobType.WavePick}`)
    if (job === undefined) throw notFound('Job')
    return {
      title: words.titles.wavePickingList,
      number: job.jobNumber,
      header: job.header,
      partnerId: job.clientId,
      consignmentId: null,
      blocks: blocksOf(job, options.sortBy ?? PickSortBy.Location, options.withCodes ?? false),
    }
  },
})
