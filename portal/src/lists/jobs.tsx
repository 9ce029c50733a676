// The list of jobs.

import { JobStatus, JobStatusFilter, JobType } from '../../../client/src/waybill.ts'
import type { Column } from '../../../ui/DataTable.tsx'
import { LocalTime } from '../../../ui/LocalTime.tsx'
import { Pill } from '../../../ui/Pill.tsx'
import type { Tone } from '../../../ui/tone.ts'
import type { RowOf } from '../api.ts'
import { jobWords as words } from '../words/jobs.ts'
import type { List } from './list.ts'
import { recordColumn } from './record-column.tsx'

/** A row of the list. */
export type JobRow = RowOf<'/v1/jobs'>

const hrefOf = ({ jobId }: JobRow) => `/jobs/${jobId}`

const tones: Readonly<Record<number, Tone>> = {
  [JobStatus.Draft]: 'waits',
  [JobStatus.ReadyToStart]: 'warehouse',
  [JobStatus.InProgress]: 'moving',
  [JobStatus.Complete]: 'done',
  [JobStatus.Cancelled]: 'waits',
}

/** The status of a job, by who must act. */
export const JobPill = ({ status }: { status: number }) => (
  <Pill
    text={words.status(status)}
    tone={tones[status] ?? 'waits'}
    isRing={status === JobStatus.Draft || status === JobStatus.Cancelled}
  />
)

const progressOf = ({ lineCount = 0, pickedCount = 0, shortCount = 0 }: JobRow): string =>
  [words.progress(pickedCount, lineCount), shortCount > 0 && words.shortLines(shortCount)]
    .filter(Boolean)
    .join(', ')

const columns = (): readonly Column<JobRow>[] => [
  recordColumn('number', words.headNumber, hrefOf, row => row.jobNumber, 130),
  {
    id: 'status',
    head: words.headStatus,
    width: 140,
    isOnPhone: true,
    cell: ({ status }) => <JobPill status={status} />,
    text: ({ status }) => words.status(status),
  },
  { id: 'type', head: words.headType, width: 130, cell: ({ type }) => words.type(type) },
  { id: 'client', head: words.headClient, cell: ({ clientName }) => clientName },
  { id: 'warehouse', head: words.headWarehouse, isHidden: true, cell: ({ warehouseName }) => warehouseName },
  { id: 'reference', head: words.headReference, cell: ({ reference }) => reference ?? words.nothing },
  { id: 'progress', head: words.headProgress, width: 170, cell: progressOf },
  {
    id: 'orders',
    head: words.headOrders,
    width: 80,
    isAtEnd: true,
    cell: ({ consignmentCount }) => consignmentCount,
  },
  {
    id: 'priority',
    head: words.headPriority,
    width: 90,
    isHidden: true,
    cell: ({ priority }) => words.priority(priority),
  },
  {
    id: 'due',
    head: words.headDue,
    width: 130,
    isAtEnd: true,
    cell: ({ dueDateTime }) => <LocalTime value={dueDateTime} />,
    text: ({ dueDateTime }) => dueDateTime ?? '',
  },
]

const open = { Status: String(JobStatusFilter.Open) }

export const jobList: List<'/v1/jobs', JobRow> = {
  path: '/v1/jobs',
  rowsName: 'jobs',
  heading: words.jobs,
  searchLabel: words.search,
  searchPlaceholder: words.searchPlaceholder,
  columns,
  filters: ({ warehouses }) => [
    {
      name: 'WarehouseId',
      label: words.headWarehouse,
      kind: 'choice',
      options: warehouses.map(({ id, name }) => ({ value: id, text: name })),
    },
  ],
  views: [
    { id: 'open', text: words.open, query: open },
    { id: 'waves', text: words.waves, query: { ...open, Type: String(JobType.WavePick) } },
    {
      id: 'replenishment',
      text: words.replenishment,
      query: { ...open, Type: String(JobType.Replenishment) },
    },
    { id: 'done', text: words.done, query: { Status: String(JobStatusFilter.Complete) } },
  ],
  always: { Include: 'progress' },
  isPolled: true,
  idOf: ({ jobId }) => jobId,
  nameOf: ({ jobNumber }) => jobNumber,
  statusOf: ({ status }) => words.statusName(status),
  hrefOf,
  emptyText: words.none,
}
