// The dialogs of a webhook subscription: sending a window of time again, making it active again, and deleting
// it.

import { useState } from 'react'
import { Confirm } from '../../../../ui/Confirm.tsx'
import { TextField } from '../../../../ui/Field.tsx'
import { notify } from '../../../../ui/Notices.tsx'
import { fromField } from '../../../../ui/time.ts'
import { send } from '../../api.ts'
import { faultsOf } from '../../faults.ts'
import { readAgain } from '../../queries.ts'
import { reasonsOf } from '../../rehearse.ts'
import { useGo } from '../../router.tsx'
import { developerWords as words } from '../../words/developers.ts'

interface DialogProps {
  /** of the subscription */
  id: string
  onClose: () => void
}

/** Sends again what happened between two instants. */
export function ReplayDialog({ id, onClose }: DialogProps) {
  const [from, setFrom] = useState('')
  const [to, setTo] = useState('')
  const [faults, setFaults] = useState(faultsOf(undefined))
  const [fromUtc, toUtc] = [fromField(from), fromField(to)]
  return (
    <Confirm
      act={words.replayWindow}
      onClose={onClose}
      isDisabled={fromUtc === undefined || toUtc === undefined}
      reasonsOf={error => {
        const found = faultsOf(error)
        setFaults(found)
        return found.all
      }}
      onConfirm={async () => {
        const { data } = await send('post', '/v1/webhook-subscriptions/{webhookSubscriptionId}/replay', {
          path: { webhookSubscriptionId: id },
          body: { fromUtc: fromUtc ?? '', toUtc: toUtc ?? '' },
        })
        notify({ text: words.replayedMany(data.deliveries) })
        await readAgain('/v1/webhook-subscriptions')
      }}
    >
      <TextField
        label={words.from}
        type="datetime-local"
        value={from}
        onChange={setFrom}
        fault={faults.at('fromUtc')}
      />
      <TextField
        label={words.to}
        type="datetime-local"
        value={to}
        onChange={setTo}
        fault={faults.at('toUtc')}
      />
    </Confirm>
  )
}

/** Makes a failed subscription active again, which sends what it holds. */
export function ReactivateDialog({ id, held, onClose }: DialogProps & { held: number }) {
  return (
    <Confirm
      act={words.reactivate(held)}
      onClose={onClose}
      reasonsOf={reasonsOf}
      onConfirm={async () => {
        await send('put', '/v1/webhook-subscriptions/{webhookSubscriptionId}/reactivate', {
          path: { webhookSubscriptionId: id },
        })
        notify({ text: words.reactivated })
        await readAgain('/v1/webhook-subscriptions')
      }}
    >
      <p>{words.reactivateWhy(held)}</p>
    </Confirm>
  )
}

/** Deletes the subscription. What waits for it is not sent any more. */
export function DeleteDialog({ id, onClose }: DialogProps) {
  const go = useGo()
  return (
    <Confirm
      act={words.delete}
      onClose={onClose}
      isAlert
      reasonsOf={reasonsOf}
      onConfirm={async () => {
        await send('delete', '/v1/webhook-subscriptions/{webhookSubscriptionId}/delete', {
          path: { webhookSubscriptionId: id },
        })
        notify({ text: words.deleted })
        await readAgain('/v1/webhook-subscriptions')
        go('/developers')
      }}
    >
      <p>{words.deleteText}</p>
    </Confirm>
  )
}
