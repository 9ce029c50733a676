// The grid Runs of Billing: which period of whom was billed, at which step a run is, and why it failed.

import { useMemo } from 'react'
import { BillingRunStatus } from '../../../../client/src/waybill.ts'
import { DataTable } from '../../../../ui/DataTable.tsx'
import { Nothing, Region } from '../../../../ui/Region.tsx'
import { usePages } from '../../every-page.ts'
import { type BillingRunRow, billingRunColumns } from '../../lists/billing-runs.tsx'
import { useMe } from '../../me.ts'
import { regionStateOf } from '../../queries.ts'
import { billingWords as words } from '../../words/billing.ts'
import styles from '../schedules/money.module.css'
import { mayChangeMoney } from '../schedules/schedule-paths.ts'
import { billingReadMs } from './billing.tsx'

/** A run takes a second or two: whoever began it waits for its bill. */
const underWayReadMs = 2_000
const underWay: readonly number[] = [BillingRunStatus.Pending, BillingRunStatus.Running]
const soon = (runs: readonly object[]): number =>
  (runs as readonly BillingRunRow[]).some(({ status }) => underWay.includes(status))
    ? underWayReadMs
    : billingReadMs

export function Runs({ partnerId }: { partnerId: string | undefined }) {
  const mayAct = mayChangeMoney(useMe())
  const pages = usePages(
    '/v1/billing-runs',
    { query: partnerId === undefined ? {} : { PartnerId: partnerId } },
    { refetchInterval: soon },
  )
  const { rows, isError, readOn } = pages
  const columns = useMemo(() => billingRunColumns(mayAct), [mayAct])
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
