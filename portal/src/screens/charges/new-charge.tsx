// The dialog Add charge: a charge of a client or a carrier without a consignment.

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ChargeApplication } from '../../../../client/src/waybill.ts'
import { SelectField, TextField } from '../../../../ui/Field.tsx'
import { todayIn } from '../../../../ui/time.ts'
import { readAll } from '../../every-page.ts'
import type { Faults } from '../../faults.ts'
import { ActDialog } from '../../frame/ActDialog.tsx'
import { useMe } from '../../me.ts'
import { type Choice, usePartnerOptions } from '../../suggestions.ts'
import { billingWords as words } from '../../words/billing.ts'
import { chargeWords } from '../../words/charges.ts'
import { moneyPaths } from '../schedules/schedule-paths.ts'

const { Rate, Fee } = ChargeApplication

/** The records that a charge refers to, as options by id. */
function useChoices() {
  const me = useMe()
  const taxRates = useQuery(readAll('/v1/tax-rates')).data?.taxRates ?? []
  const accounts = useQuery(readAll('/v1/revenue-accounts')).data?.revenueAccounts ?? []
  const centres = useQuery(readAll('/v1/cost-centres')).data?.costCentres ?? []
  const none = { value: '', text: words.noAccount }
  return {
    partners: usePartnerOptions(me),
    taxRates: taxRates.map(({ id, name }): Choice => ({ value: id, text: name })),
    accounts: [none, ...accounts.map(({ id, code, name }) => ({ value: id, text: `${code} ${name}` }))],
    centres: [none, ...centres.map(({ id, code, name }) => ({ value: id, text: `${code} ${name}` }))],
  }
}

const emptyCharge = {
  ...{ partner: '', date: '', particulars: '', application: String(Rate), quantity: '1', rate: '' },
  ...{ taxRate: '', account: '', centre: '' },
}
type TypedCharge = typeof emptyCharge

const isRate = ({ application }: TypedCharge) => application === String(Rate)

const bodyOf = (typed: TypedCharge) => ({
  ...{ partnerId: typed.partner, date: typed.date, particulars: typed.particulars.trim() || null },
  ...{ chargeApplication: isRate(typed) ? Rate : Fee, chargeRateExclTax: Number(typed.rate) },
  ...(isRate(typed) ? { metricValue: Number(typed.quantity) } : {}),
  ...{ taxRateId: typed.taxRate, revenueAccountId: typed.account || null },
  costCentreId: typed.centre || null,
})

export function NewCharge({ onClose }: { onClose: () => void }) {
  const choices = useChoices()
  const zone = useMe().organisation.timezoneId
  const [given, setGiven] = useState<TypedCharge>({ ...emptyCharge, date: todayIn(zone) })
  const typed = {
    ...given,
    partner: given.partner || (choices.partners[0]?.value ?? ''),
    taxRate: given.taxRate || (choices.taxRates[0]?.value ?? ''),
  }
  const hasQuantity = !isRate(typed) || typed.quantity.trim() !== ''
  const needed = [typed.partner, typed.date, typed.rate.trim(), typed.taxRate]
  return (
    <ActDialog
      act={words.addCharge}
      method="post"
      path="/v1/schedule-transactions"
      request={{ body: bodyOf(typed) }}
      isComplete={hasQuantity && needed.every(value => value !== '')}
      done={words.charged}
      changes={moneyPaths}
      onClose={onClose}
    >
      {faults => (
        <Fields {...{ typed, choices, faults }} onChange={part => setGiven({ ...given, ...part })} />
      )}
    </ActDialog>
  )
}

interface FieldsProps {
  typed: TypedCharge
  choices: ReturnType<typeof useChoices>
  faults: Faults
  onChange: (part: Partial<TypedCharge>) => void
}

function Fields({ typed, choices, faults, onChange }: FieldsProps) {
  const field = (name: keyof TypedCharge, path: string) => ({
    value: typed[name],
    onChange: (value: string) => onChange({ [name]: value }),
    fault: faults.at(path),
  })
  const applications = [Rate, Fee].map(value => ({
    value: String(value),
    text: chargeWords.applicationOf[value],
  }))
  return (
    <>
      <SelectField label={words.partner} options={choices.partners} {...field('partner', 'partnerId')} />
      <TextField label={words.date} type="date" isRequired {...field('date', 'date')} />
      <TextField
        label={words.particulars}
        help={words.particularsHelp}
        autoFocus
        {...field('particulars', 'particulars')}
      />
      <SelectField
        label={chargeWords.application}
        options={applications}
        {...field('application', 'chargeApplication')}
      />
      {isRate(typed) && (
        <TextField label={words.quantity} type="number" {...field('quantity', 'metricValue')} />
      )}
      <TextField
        label={words.rate}
        help={chargeWords.rateHelp}
        type="number"
        isRequired
        {...field('rate', 'chargeRateExclTax')}
      />
      <SelectField
        label={chargeWords.taxRate}
        options={choices.taxRates}
        {...field('taxRate', 'taxRateId')}
      />
      <SelectField
        label={words.revenueAccount}
        options={choices.accounts}
        {...field('account', 'revenueAccountId')}
      />
      <SelectField label={words.costCentre} options={choices.centres} {...field('centre', 'costCentreId')} />
    </>
  )
}
