// The dialog Run now: bills the next period of a client or a carrier that is over.

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Confirm } from '../../../../ui/Confirm.tsx'
import { SelectField, TextField } from '../../../../ui/Field.tsx'
import { notify } from '../../../../ui/Notices.tsx'
import { day } from '../../../../ui/time.ts'
import { send } from '../../api.ts'
import { faultsOf } from '../../faults.ts'
import { useMe } from '../../me.ts'
import { readAgain } from '../../queries.ts'
import { reasonsOf } from '../../rehearse.ts'
import { usePartnerOptions } from '../../suggestions.ts'
import { billingWords as words } from '../../words/billing.ts'
import { moneyPaths } from '../schedules/schedule-paths.ts'
import { ruleQuery } from './billing-rule.tsx'

interface RunNowProps {
  partnerId: string | undefined
  onClose: () => void
}

export function RunNowDialog({ partnerId, onClose }: RunNowProps) {
  const partners = usePartnerOptions(useMe())
  const [chosen, setChosen] = useState(partnerId ?? '')
  const [periodTo, setPeriodTo] = useState('')
  const [faults, setFaults] = useState(faultsOf(undefined))
  const only = partners.length === 1 ? partners[0]?.value : undefined
  const partner = chosen || (only ?? '')
  const { data: rule } = useQuery({ ...ruleQuery(partner), enabled: partner !== '' })
  const next = rule?.periods[0]
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
      <SelectField
        label={words.partner}
        value={partner}
        onChange={setChosen}
        options={partner === '' ? [{ value: '', text: words.choose }, ...partners] : partners}
        fault={faults.at('partnerId')}
      />
      {rule === null && <p>{words.runWithoutRule}</p>}
      {rule && <p>{words.runByRule(rule)}</p>}
      <TextField
        label={words.periodTo}
        help={next === undefined ? undefined : words.periodToHelp(day(next.periodTo))}
        type="date"
        value={periodTo}
        onChange={setPeriodTo}
        fault={faults.at('periodTo')}
      />
    </Confirm>
  )
}
