// The dialog Add lines: charges of the partner that wait for a bill are put on a Draft.

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ScheduleTransactionStatus } from '../../../../client/src/waybill.ts'
import { LocalDay } from '../../../../ui/LocalTime.tsx'
import { amount } from '../../../../ui/numbers.ts'
import { entityTagOf, read } from '../../api.ts'
import { ActDialog } from '../../frame/ActDialog.tsx'
import { scheduleWords as words } from '../../words/schedules.ts'
import { lineNameOf } from './lines.tsx'
import styles from './money.module.css'
import type { Schedule } from './schedule.tsx'
import { moneyPaths } from './schedule-paths.ts'

export function AddLines({ schedule, onClose }: { schedule: Schedule; onClose: () => void }) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const { data } = useQuery(
    read('/v1/schedule-transactions', {
      query: {
        ...{ PartnerId: schedule.partner.id, Status: ScheduleTransactionStatus.Pending, PageSize: 500 },
      },
    }),
  )
  const pending = data?.scheduleTransactions ?? []
  const toggle = (id: string) => {
    const next = new Set(chosen)
    if (!next.delete(id)) next.add(id)
    setChosen(next)
  }
  return (
    <ActDialog
      act={words.addLines}
      method="post"
      path="/v1/schedules/{partnerScheduleId}/transactions/add"
      request={{
        path: { partnerScheduleId: schedule.id },
        body: { transactionIds: [...chosen] },
        ifMatch: entityTagOf(schedule),
      }}
      isComplete={chosen.size > 0}
      done={words.added(chosen.size)}
      changes={moneyPaths}
      onClose={onClose}
    >
      {() => (
        <fieldset className={styles.choices}>
          <legend>{words.pending}</legend>
          {data !== undefined && pending.length === 0 && <p>{words.noPending}</p>}
          {pending.map(line => (
            <label key={line.id}>
              <input type="checkbox" checked={chosen.has(line.id)} onChange={() => toggle(line.id)} />
              <span>
                {lineNameOf(line)} <span className={styles.quiet}>{line.consignmentNumber}</span>
              </span>
              <span className={styles.quiet}>
                <LocalDay value={line.date} />
              </span>
              <b>{amount(line.amountExclTax)}</b>
            </label>
          ))}
        </fieldset>
      )}
    </ActDialog>
  )
}
