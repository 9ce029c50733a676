// The acts on a charge: its proof, a credit of what is left of it, and making it void.

import { useState } from 'react'
import { ScheduleTransactionStatus } from '../../../../client/src/waybill.ts'
import { Button } from '../../../../ui/Button.tsx'
import { SelectField, TextField } from '../../../../ui/Field.tsx'
import { useKeys } from '../../../../ui/keys.ts'
import { Menu } from '../../../../ui/Menu.tsx'
import { words as uiWords } from '../../../../ui/words.ts'
import { entityTagOf } from '../../api.ts'
import { ActDialog } from '../../frame/ActDialog.tsx'
import { useMe } from '../../me.ts'
import { useChangeSearch } from '../../router.tsx'
import { billingWords as words } from '../../words/billing.ts'
import { mayChangeMoney, moneyPaths } from '../schedules/schedule-paths.ts'
import type { BilledCharge } from './charge.tsx'

const { Pending, Scheduled, Void } = ScheduleTransactionStatus

/** Why a charge cannot become void; undefined if it can. */
function whyNotVoid({ status, consignmentId, creditOf, credits }: BilledCharge): string | undefined {
  if (consignmentId !== null && creditOf === null) return words.ofConsignment
  if (status === Scheduled) return words.onBill
  return credits.length > 0 ? words.hasCredits : undefined
}

export function ChargeActs({ charge }: { charge: BilledCharge }) {
  const mayAct = mayChangeMoney(useMe())
  const change = useChangeSearch()
  const [act, setAct] = useState<'credit' | 'void' | 'restore'>()
  const canCredit = mayAct && charge.creditableExclTax > 0
  useKeys(canCredit ? { m: () => setAct('credit') } : {})
  const props = { charge, onClose: () => setAct(undefined) }
  return (
    <>
      {mayAct && <MoreActs charge={charge} onAct={setAct} />}
      <Button onPress={() => change({ Proof: charge.id })}>{words.proof}</Button>
      {mayAct && (
        <Button
          kind="main"
          hint="M"
          disabledReason={canCredit ? undefined : words.nothingLeft}
          onPress={() => setAct('credit')}
        >
          {words.credit}
        </Button>
      )}
      {act === 'credit' && <CreditDialog {...props} />}
      {(act === 'void' || act === 'restore') && <StatusDialog isVoid={act === 'void'} {...props} />}
    </>
  )
}

interface MoreActsProps {
  charge: BilledCharge
  onAct: (act: 'void' | 'restore') => void
}

const MoreActs = ({ charge, onAct }: MoreActsProps) => (
  <Menu
    label={uiWords.more}
    groups={[
      {
        acts: [
          charge.status === Void
            ? { id: 'restore', text: words.restore, onAct: () => onAct('restore') }
            : {
                id: 'void',
                text: words.voidAct,
                isAlert: true,
                disabledReason: whyNotVoid(charge),
                onAct: () => onAct('void'),
              },
        ],
      },
    ]}
  >
    <Button>{uiWords.more}</Button>
  </Menu>
)

interface DialogProps {
  charge: BilledCharge
  onClose: () => void
}

const creditByOptions = (['amount', 'quantity'] as const).map(one => ({
  value: one,
  text: words.creditByOf[one],
}))

/** Credits a part of what is left of a charge, by amount or by quantity. */
export function CreditDialog({
  charge,
  onClose,
}: Pick<DialogProps, 'onClose'> & { charge: Pick<BilledCharge, 'id' | 'creditableExclTax'> }) {
  const [by, setBy] = useState<'amount' | 'quantity'>('amount')
  const [value, setValue] = useState(String(charge.creditableExclTax))
  const [particulars, setParticulars] = useState('')
  const [date, setDate] = useState('')
  const body = {
    ...{ creditOf: charge.id, particulars: particulars.trim() || null, date: date || null },
    ...(by === 'amount' ? { amountExclTax: Number(value) } : { quantity: Number(value) }),
  }
  return (
    <ActDialog
      act={words.credit}
      method="post"
      path="/v1/schedule-transactions"
      request={{ body }}
      isComplete={value.trim() !== ''}
      done={words.credited}
      changes={moneyPaths}
      onClose={onClose}
    >
      {faults => (
        <>
          <SelectField
            label={words.creditBy}
            value={by}
            onChange={chosen => {
              setBy(chosen === 'quantity' ? 'quantity' : 'amount')
              setValue('')
            }}
            options={creditByOptions}
          />
          <TextField
            label={words[by]}
            help={by === 'amount' ? words.leftOf(charge.creditableExclTax) : undefined}
            type="number"
            value={value}
            onChange={setValue}
            fault={faults.at(by === 'amount' ? 'amountExclTax' : 'quantity')}
            isRequired
          />
          <TextField
            label={words.particulars}
            value={particulars}
            onChange={setParticulars}
            fault={faults.at('particulars')}
          />
          <TextField
            label={words.creditDate}
            help={words.creditDateHelp}
            type="date"
            value={date}
            onChange={setDate}
            fault={faults.at('date')}
          />
        </>
      )}
    </ActDialog>
  )
}

/** Makes a charge void with a reason, or Pending again. */
function StatusDialog({ charge, isVoid, onClose }: DialogProps & { isVoid: boolean }) {
  const [reason, setReason] = useState('')
  return (
    <ActDialog
      act={isVoid ? words.voidAct : words.restore}
      method="put"
      path="/v1/schedule-transactions/{scheduleTransactionId}/status"
      request={{
        path: { scheduleTransactionId: charge.id },
        body: isVoid ? { status: Void, reason: reason.trim() } : { status: Pending },
        ifMatch: entityTagOf(charge),
      }}
      isComplete={!isVoid || reason.trim() !== ''}
      done={isVoid ? words.voided : words.restored}
      changes={moneyPaths}
      onClose={onClose}
    >
      {faults =>
        isVoid && (
          <TextField
            label={words.reason}
            value={reason}
            onChange={setReason}
            fault={faults.at('reason')}
            isRequired
            autoFocus
          />
        )
      }
    </ActDialog>
  )
}
