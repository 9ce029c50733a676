// The dialog Run now: bills the next period of a client or a carrier that is over.

import { useState } from 'react'
import { Confirm } from '../../../../ui/Confirm.tsx'
import { SelectField, TextField } from '../../../../ui/Field.tsx'
import { notify } from '../../../../ui/Notices.tsx'
import { send } from '../../api.ts'
import { faultsOf } from '../../faults.ts'
import { useMe } from '../../me.ts'
import { readAgain } from '../../queries.ts'
import { reasonsOf } from '../../rehearse.ts'
import { usePartnerOptions } from '../../suggestions.ts'
import { billingWords as words } from '../../words/billing.ts'
import { moneyPaths } from '../schedules/schedule-paths.ts'

interface RunNowProps {
  partnerId: string | undefined
  onClose: () => void
}

export function RunNowDialog({ partnerId, onClose }: RunNowProps) {
  const partners = usePartnerOptions(useMe())
  const [chosen, setChosen] = useState(partnerId ?? '')
  const [periodTo, setPeriodTo] = useState('')
  const [faults, setFaults] = useState(faultsOf(undefined))
  const partner = chosen || (partners[0]?.value ?? '')
  return (
    <Confirm
      act={words.runNow}
      isDisabled={partner === ''}
      reasonsOf={error => {
        setFaults(faultsOf(error))
        return reasonsOf(error)
      }}
      onClose={onClose}
      onConfirm={async () => {
        await send('post', '/v1/billing-runs', {
          body: { partnerId: partner, periodTo: periodTo || null },
        })
        notify({ text: words.running })
        await readAgain(...moneyPaths)
      }}
    >
      <p>{words.runNowHelp}</p>
      <SelectField
        label={words.partner}
        value={partner}
        onChange={setChosen}
        options={partners}
        fault={faults.at('partnerId')}
      />
      <TextField
        label={words.periodTo}
        help={words.periodToHelp}
        type="date"
        value={periodTo}
        onChange={setPeriodTo}
        fault={faults.at('periodTo')}
      />
    </Confirm>
  )
}
