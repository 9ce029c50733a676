// The list of back-tests.

import { BackTestStatus } from '../../../client/src/waybill.ts'
import { UtcTime } from '../../../ui/LocalTime.tsx'
import { Money } from '../../../ui/Money.tsx'
import { quantity } from '../../../ui/numbers.ts'
import { Pill } from '../../../ui/Pill.tsx'
import type { Tone } from '../../../ui/tone.ts'
import type { RowOf } from '../api.ts'
import { backTestWords as words } from '../words/back-tests.ts'
import type { List } from './list.ts'
import { recordColumn } from './record-column.tsx'

type Row = RowOf<'/v1/rate-card-back-tests'>

const tones: Readonly<Record<number, Tone>> = {
  [BackTestStatus.Pending]: 'waits',
  [BackTestStatus.Running]: 'moving',
  [BackTestStatus.Done]: 'done',
  [BackTestStatus.Failed]: 'alert',
  [BackTestStatus.Cancelled]: 'waits',
}

/** How far a back-test is. */
export const BackTestPill = ({ status }: { status: number }) => (
  <Pill
    text={words.status(status)}
    tone={tones[status] ?? 'waits'}
    isRing={status === BackTestStatus.Cancelled}
  />
)

const hrefOf = ({ id }: Row) => `/back-tests/${id}`

export const backTestList: List<'/v1/rate-card-back-tests', Row> = {
  path: '/v1/rate-card-back-tests',
  rowsName: 'rateCardBackTests',
  heading: words.heading,
  columns: () => [
    recordColumn('name', words.headCard, hrefOf, words.nameOf),
    {
      id: 'status',
      head: words.headStatus,
      width: 120,
      cell: ({ status }) => <BackTestPill status={status} />,
      text: ({ status }) => words.status(status),
    },
    figure('consignments', words.consignments, row => quantity(row.consignmentCount)),
    figure('differing', words.differing, row => quantity(row.differingCount), 150),
    {
      id: 'difference',
      head: words.difference,
      width: 120,
      isAtEnd: true,
      isOnPhone: true,
      cell: row => <Money value={row.totals.difference} />,
      text: row => String(row.totals.difference),
    },
    {
      id: 'adjusted',
      head: words.adjusted,
      width: 130,
      isAtEnd: true,
      cell: row => <UtcTime value={row.adjustedUtc} />,
      text: row => row.adjustedUtc ?? '',
    },
    {
      id: 'requested',
      head: words.requested,
      width: 130,
      isAtEnd: true,
      cell: row => <UtcTime value={row.createdUtc} />,
      text: row => row.createdUtc,
    },
  ],
  filters: () => [],
  views: [
    { id: 'all', text: words.all, query: {} },
    ...Object.values(BackTestStatus).map(status => ({
      id: words.statusName(status),
      text: words.status(status),
      query: { Status: String(status) },
    })),
  ],
  isPolled: true,
  idOf: ({ id }) => id,
  nameOf: words.nameOf,
  statusOf: ({ status }) => words.statusName(status),
  hrefOf,
  emptyText: words.none,
}

function figure(id: string, head: string, cell: (row: Row) => string, width = 104) {
  return { id, head, width, isAtEnd: true, cell }
}
