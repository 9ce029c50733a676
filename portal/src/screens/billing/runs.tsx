// The grid Runs of Billing: which period of whom was billed, at which step a run is, and why it failed.

import { useMemo } from 'react'
import { BillingRunStatus } from '../../../../client/src/waybill.ts'
import { Button } from '../../../../ui/Button.tsx'
import { type Column, DataTable } from '../../../../ui/DataTable.tsx'
import { UtcTime } from '../../../../ui/LocalTime.tsx'
import { notify } from '../../../../ui/Notices.tsx'
import { Pill } from '../../../../ui/Pill.tsx'
import { Nothing, Region } from '../../../../ui/Region.tsx'
import type { Tone } from '../../../../ui/tone.ts'
import { type RowOf, send } from '../../api.ts'
import { usePages } from '../../every-page.ts'
import { useMe } from '../../me.ts'
import { readAgain, regionStateOf } from '../../queries.ts'
import { reasonsOf } from '../../rehearse.ts'
import { Link } from '../../router.tsx'
import { billingWords as words } from '../../words/billing.ts'
import styles from '../schedules/money.module.css'
import { mayChangeMoney, moneyPaths } from '../schedules/schedule-paths.ts'
import { billingReadMs } from './billing.tsx'

type Run = RowOf<'/v1/billing-runs'>

const { Pending, Running, Done, Failed, Unbundled } = BillingRunStatus
const tones: Readonly<Record<number, Tone>> = {
  ...{ [Pending]: 'waits', [Running]: 'moving', [Done]: 'done', [Failed]: 'alert', [Unbundled]: 'waits' },
}

export function Runs({ partnerId }: { partnerId: string | undefined }) {
  const mayAct = mayChangeMoney(useMe())
  const pages = usePages(
    '/v1/billing-runs',
    { query: partnerId === undefined ? {} : { PartnerId: partnerId } },
    { refetchInterval: billingReadMs },
  )
  const { rows, isError, readOn } = pages
  const columns = useMemo(() => columnsOf(mayAct), [mayAct])
  const state = regionStateOf(isError, rows)
  return (
    <Region heading={words.runs} state={state}>
      {state === 'empty' ? (
        <Nothing text={words.noRuns} />
      ) : (
        <div className={styles.lines}>
          <DataTable
            label={words.runs}
            columns={columns}
            rows={rows ?? []}
            idOf={({ id }) => id}
            nameOf={({ partner }) => partner.name}
            statusOf={({ status }) => words.runStatusName(status)}
            state={state}
            {...(readOn === undefined ? {} : { onNearEnd: readOn })}
          />
        </div>
      )}
    </Region>
  )
}

const columnsOf = (mayAct: boolean): readonly Column<Run>[] => [
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
          cell: (run: Run) => (isStuck(run) ? <RetryButton run={run} /> : null),
        },
      ]
    : []),
]

const isStuck = ({ status }: Run) => status === Failed || status === Unbundled

function Bills({ run: { partnerScheduleIds }, tabIndex }: { run: Run; tabIndex: 0 | -1 }) {
  if (partnerScheduleIds.length === 0) return words.nothing
  return partnerScheduleIds.map((id, i) => (
    <Link key={id} to={`/schedules/${id}`} tabIndex={tabIndex}>
      {words.scheduleNumber(i + 1)}{' '}
    </Link>
  ))
}

const RetryButton = ({ run }: { run: Run }) => (
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
