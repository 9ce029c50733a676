// The columns of billing runs: the period of a client, the step that a run is at, and why it failed.

import { BillingRunStatus } from '../../../client/src/waybill.ts'
import { Button } from '../../../ui/Button.tsx'
import type { Column } from '../../../ui/DataTable.tsx'
import { UtcTime } from '../../../ui/LocalTime.tsx'
import { notify } from '../../../ui/Notices.tsx'
import { Pill } from '../../../ui/Pill.tsx'
import type { Tone } from '../../../ui/tone.ts'
import { type RowOf, send } from '../api.ts'
import { readAgain } from '../queries.ts'
import { reasonsOf } from '../rehearse.ts'
import { Link } from '../router.tsx'
import { moneyPaths } from '../screens/schedules/schedule-paths.ts'
import { billingWords as words } from '../words/billing.ts'

export type BillingRunRow = RowOf<'/v1/billing-runs'>

const { Pending, Running, Done, Failed, Unbundled } = BillingRunStatus
const tones: Readonly<Record<number, Tone>> = {
  ...{ [Pending]: 'waits', [Running]: 'moving', [Done]: 'done', [Failed]: 'alert', [Unbundled]: 'waits' },
}

/** The columns; whoever may act on money can try again what failed. */
export const billingRunColumns = (mayAct: boolean): readonly Column<BillingRunRow>[] => [
  {
    id: 'client',
    head: words.client,
    isRowHeader: true,
    isOnPhone: true,
    cell: ({ partner }) => partner.name,
  },
  {
    id: 'period',
    head: words.period,
    width: 150,
    cell: ({ periodFrom, periodTo }) => words.days(periodFrom, periodTo),
  },
  {
    id: 'status',
    head: words.headStatus,
    width: 120,
    isOnPhone: true,
    cell: ({ status }) => <Pill text={words.runStatus(status)} tone={tones[status] ?? 'waits'} />,
  },
  {
    id: 'steps',
    head: words.steps,
    width: 210,
    cell: ({ step, status, closedCount, refusedCount }) =>
      [words.stepOf(step, status === Done), words.closed(closedCount, refusedCount)].join(', '),
  },
  {
    id: 'failure',
    head: words.failure,
    cell: ({ failure, failedAttempts }) =>
      failure === null ? (
        words.nothing
      ) : (
        <span title={`${failure} (${words.attempts(failedAttempts)})`}>{failure}</span>
      ),
  },
  {
    id: 'done',
    head: words.ended,
    width: 120,
    isAtEnd: true,
    cell: ({ doneUtc }) => <UtcTime value={doneUtc} />,
  },
  {
    id: 'bills',
    head: words.schedules,
    width: 110,
    cell: (run, tabIndex) => <Bills run={run} tabIndex={tabIndex} />,
  },
  ...(mayAct
    ? [
        {
          id: 'act',
          head: words.retry,
          width: 90,
          cell: (run: BillingRunRow) => (isStuck(run) ? <RetryButton run={run} /> : null),
        },
      ]
    : []),
]

const isStuck = ({ status }: BillingRunRow) => status === Failed || status === Unbundled

function Bills({ run: { partnerScheduleIds }, tabIndex }: { run: BillingRunRow; tabIndex: 0 | -1 }) {
  if (partnerScheduleIds.length === 0) return words.nothing
  return partnerScheduleIds.map((id, i) => (
    <Link key={id} to={`/schedules/${id}`} tabIndex={tabIndex}>
      {words.billOfRun(i + 1, partnerScheduleIds.length)}{' '}
    </Link>
  ))
}

const RetryButton = ({ run }: { run: BillingRunRow }) => (
  <Button kind="quiet" label={words.retryOf(run.partner.name)} onPress={() => void retry(run.id)}>
    {words.retry}
  </Button>
)

/** Tries a run again at once. */
async function retry(billingRunId: string): Promise<void> {
  try {
    await send('post', '/v1/billing-runs/{billingRunId}/retry', { path: { billingRunId } })
    notify({ text: words.retried })
  } catch (error) {
    notify({ text: reasonsOf(error).join(' '), isAlert: true })
  }
  await readAgain(...moneyPaths)
}
