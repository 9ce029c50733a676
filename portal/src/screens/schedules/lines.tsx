// Region Lines of a schedule: what is billed, each line with a link to its proof. While the schedule is a
// Draft, whoever bills takes lines off and adds others.

import { useMemo, useState } from 'react'
import { ChargeApplication } from '../../../../client/src/waybill.ts'
import { Button } from '../../../../ui/Button.tsx'
import { type Column, DataTable } from '../../../../ui/DataTable.tsx'
import { LocalDay } from '../../../../ui/LocalTime.tsx'
import { amount, quantity } from '../../../../ui/numbers.ts'
import { Nothing, Region } from '../../../../ui/Region.tsx'
import { daysInWords } from '../../../../ui/time.ts'
import { words as uiWords } from '../../../../ui/words.ts'
import { entityTagOf } from '../../api.ts'
import { ActDialog } from '../../frame/ActDialog.tsx'
import { hasScope, useMe } from '../../me.ts'
import { Link, useChangeSearch } from '../../router.tsx'
import { scheduleWords as words } from '../../words/schedules.ts'
import { AddLines } from './add-lines.tsx'
import styles from './money.module.css'
import type { Schedule } from './schedule.tsx'
import { isChangeable } from './schedule-acts.tsx'
import { mayChangeMoney, moneyPaths } from './schedule-paths.ts'

export type ScheduleLine = Schedule['transactions'][number]

type Named = Pick<ScheduleLine, 'particulars' | 'activityName' | 'type' | 'warehouseName'>

/** What a line is called; that of storage names the warehouse, because each has such a line. */
export const lineNameOf = ({ particulars, activityName, type, warehouseName }: Named) =>
  words.lineIn(daysInWords(particulars ?? activityName ?? words.type(type)), warehouseName)

/** The lines. `verified` says how many were derived again. */
export function ScheduleLines({ schedule, verified }: { schedule: Schedule; verified: string }) {
  const me = useMe()
  const change = useChangeSearch()
  const mayAct = mayChangeMoney(me) && isChangeable(schedule)
  const [selection, setSelection] = useState<ReadonlySet<string>>(new Set())
  const [isAdding, setAdding] = useState(false)
  const mayOpen = hasScope(me, 'consignment.read')
  const columns = useMemo(() => columnsOf(mayOpen), [mayOpen])
  const { transactions } = schedule
  const selected = transactions.filter(({ id }) => selection.has(id)).map(({ id }) => id)
  return (
    <Region
      heading={words.lines}
      state={transactions.length === 0 ? 'empty' : 'ready'}
      summary={<span role="status">{verified}</span>}
      acts={mayAct && <Button onPress={() => setAdding(true)}>{words.addLines}</Button>}
    >
      {mayAct && selected.length > 0 && (
        <TakeOff schedule={schedule} ids={selected} onClear={() => setSelection(new Set())} />
      )}
      {transactions.length === 0 ? (
        <Nothing text={uiWords.nothing} />
      ) : (
        <div className={styles.lines}>
          <DataTable
            label={words.lines}
            columns={columns}
            rows={transactions}
            idOf={({ id }) => id}
            nameOf={lineNameOf}
            state="ready"
            onOpen={({ id }) => change({ Proof: id })}
            {...(mayAct ? { selection, onSelect: setSelection } : {})}
          />
        </div>
      )}
      {isAdding && <AddLines schedule={schedule} onClose={() => setAdding(false)} />}
    </Region>
  )
}

interface TakeOffProps {
  schedule: Schedule
  ids: readonly string[]
  onClear: () => void
}

/** The toolbar of the selected lines, and the dialog that takes them off. */
function TakeOff({ schedule, ids, onClear }: TakeOffProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <div role="toolbar" aria-label={uiWords.selected} className={styles.toolbar}>
      <Button onPress={() => setOpen(true)}>{words.takeOff}</Button>
      <Button kind="quiet" onPress={onClear}>
        {uiWords.clearSelection}
      </Button>
      {isOpen && (
        <ActDialog
          act={words.takeOff}
          method="post"
          path="/v1/schedules/{partnerScheduleId}/transactions/remove"
          request={{
            path: { partnerScheduleId: schedule.id },
            body: { transactionIds: [...ids] },
            ifMatch: entityTagOf(schedule),
          }}
          done={words.takenOff(ids.length)}
          changes={moneyPaths}
          onClose={() => setOpen(false)}
          onDone={onClear}
        />
      )}
    </div>
  )
}

const columnsOf = (mayOpenConsignments: boolean): readonly Column<ScheduleLine>[] => [
  {
    id: 'particulars',
    head: words.particulars,
    isRowHeader: true,
    isOnPhone: true,
    cell: (line, tabIndex) => (
      <Link to="." search={{ Proof: line.id } as never} tabIndex={tabIndex}>
        {lineNameOf(line)}
      </Link>
    ),
  },
  { id: 'date', head: words.date, width: 76, cell: ({ date }) => <LocalDay value={date} /> },
  {
    id: 'activity',
    head: words.activity,
    width: 120,
    isOnWide: true,
    cell: ({ activityName, type }) => activityName ?? words.work(type),
  },
  {
    id: 'consignment',
    head: words.consignment,
    width: 150,
    cell: ({ consignmentId, consignmentNumber }, tabIndex) =>
      consignmentId !== null && mayOpenConsignments ? (
        <Link to={`/consignments/${consignmentId}`} tabIndex={tabIndex}>
          {consignmentNumber}
        </Link>
      ) : (
        (consignmentNumber ?? words.nothing)
      ),
  },
  { id: 'quantity', head: words.quantity, width: 78, isAtEnd: true, cell: line => quantity(line.quantity) },
  {
    id: 'rate',
    head: words.rate,
    width: 92,
    isAtEnd: true,
    cell: ({ chargeRateExclTax, chargeApplication }) =>
      chargeApplication === ChargeApplication.Fee && chargeRateExclTax < 0
        ? words.nothing
        : amount(chargeRateExclTax),
  },
  {
    id: 'amount',
    head: words.amount,
    width: 104,
    isAtEnd: true,
    isOnPhone: true,
    cell: ({ amountExclTax, taxRateName, taxRatePercent }) => (
      <b title={words.tax(taxRateName, taxRatePercent)}>{amount(amountExclTax)}</b>
    ),
  },
]
