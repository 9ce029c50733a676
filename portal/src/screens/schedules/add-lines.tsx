// The dialog Add lines: charges of the partner that wait for a bill are put on a Draft.

import { useState } from 'react'
import { ScheduleTransactionStatus } from '../../../../client/src/waybill.ts'
import { LocalDay } from '../../../../ui/LocalTime.tsx'
import { amount } from '../../../../ui/numbers.ts'
import { entityTagOf } from '../../api.ts'
import { useFound } from '../../every-page.ts'
import { ActDialog } from '../../frame/ActDialog.tsx'
import { Choices } from '../../frame/Choices.tsx'
import { scheduleWords as words } from '../../words/schedules.ts'
import { lineNameOf } from './lines.tsx'
import styles from './money.module.css'
import type { Schedule } from './schedule.tsx'
import { moneyPaths } from './schedule-paths.ts'

export function AddLines({ schedule, onClose }: { schedule: Schedule; onClose: () => void }) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const pending = useFound('/v1/schedule-transactions', {
    PartnerId: schedule.partner.id,
    Status: ScheduleTransactionStatus.Pending,
  })
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
        <Choices
          legend={words.pending}
          found={pending}
          chosen={chosen}
          onChange={setChosen}
          none={words.noPending}
          cells={line => (
            <>
              <span>
                {lineNameOf(line)} <span className={styles.quiet}>{line.consignmentNumber}</span>
              </span>
              <span className={styles.quiet}>
                <LocalDay value={line.date} />
              </span>
              <b>{amount(line.amountExclTax)}</b>
            </>
          )}
        />
      )}
    </ActDialog>
  )
}
