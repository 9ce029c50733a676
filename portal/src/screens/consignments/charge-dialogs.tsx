// The dialogs of charges: Exclude and Include say whether a charge is billed, Add charge enters one by hand,
// and Explain tells what each rate took or why it did not.

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ChargeApplication } from '../../../../client/src/waybill.ts'
import { Button } from '../../../../ui/Button.tsx'
import { Confirm } from '../../../../ui/Confirm.tsx'
import { Dialog } from '../../../../ui/Dialog.tsx'
import { SelectField, TextField } from '../../../../ui/Field.tsx'
import { notify } from '../../../../ui/Notices.tsx'
import { words as uiWords } from '../../../../ui/words.ts'
import { read, send } from '../../api.ts'
import { readAll } from '../../every-page.ts'
import type { Faults } from '../../faults.ts'
import { ActDialog } from '../../frame/ActDialog.tsx'
import { readAgain } from '../../queries.ts'
import { reasonsOf } from '../../rehearse.ts'
import { chargeWords as words } from '../../words/charges.ts'
import { ExplainedRates } from './explained-rates.tsx'

const changes = ['/v1/consignments'] as const

interface DialogProps {
  consignmentId: string
  onClose: () => void
}

/** Excludes a charge from what is billed, or includes it again. */
export function InclusionDialog({
  consignmentId,
  charge,
  onClose,
}: DialogProps & { charge: { id: string; name: string; isEffective: boolean } }) {
  const { id: consignmentChargeId, name, isEffective } = charge
  return (
    <Confirm
      act={isEffective ? words.exclude : words.include}
      reasonsOf={reasonsOf}
      onClose={onClose}
      onConfirm={async () => {
        await send('put', '/v1/consignments/{consignmentId}/charges/{consignmentChargeId}', {
          path: { consignmentId, consignmentChargeId },
          body: { isIncluded: !isEffective },
        })
        notify({ text: isEffective ? words.excluded(name) : words.included(name) })
        await readAgain(...changes)
      }}
    >
      <p>{isEffective ? words.excludeHelp(name) : words.includeHelp(name)}</p>
    </Confirm>
  )
}

const sides = ['client-activity', 'client-freight', 'carrier-freight'] as const
type Side = (typeof sides)[number]

/** A charge as it is typed. */
interface TypedCharge {
  side: Side
  particulars: string
  application: 1 | 2
  quantity: string
  rate: string
  taxRateId: string
}

const isRate = ({ application }: TypedCharge) => application === ChargeApplication.Rate

/** Enters a charge by hand. */
export function AddCharge({ consignmentId, hasCarrier, onClose }: DialogProps & { hasCarrier: boolean }) {
  const { data } = useQuery(readAll('/v1/tax-rates'))
  const taxRates = data?.taxRates ?? []
  const [typed, setTyped] = useState<TypedCharge>({
    ...{ side: 'client-activity', particulars: '', application: ChargeApplication.Rate },
    ...{ quantity: '1', rate: '', taxRateId: '' },
  })
  const taxRateId = typed.taxRateId || (taxRates[0]?.id ?? '')
  const body = {
    particulars: typed.particulars.trim() || null,
    chargeApplication: typed.application,
    chargeRateExclTax: Number(typed.rate),
    ...(isRate(typed) ? { metricValue: Number(typed.quantity) } : {}),
    taxRateId,
  }
  const hasQuantity = !isRate(typed) || typed.quantity.trim() !== ''
  return (
    <ActDialog
      act={words.add}
      method="post"
      path={`/v1/consignments/{consignmentId}/charges/${typed.side}/adhoc`}
      request={{ path: { consignmentId }, body }}
      isComplete={typed.rate.trim() !== '' && taxRateId !== '' && hasQuantity}
      done={words.added}
      changes={changes}
      onClose={onClose}
    >
      {faults => (
        <ChargeFields
          typed={{ ...typed, taxRateId }}
          onChange={part => setTyped({ ...typed, ...part })}
          {...{ taxRates, hasCarrier, faults }}
        />
      )}
    </ActDialog>
  )
}

interface ChargeFieldsProps {
  typed: TypedCharge
  taxRates: readonly { id: string; name: string }[]
  hasCarrier: boolean
  faults: Faults
  onChange: (part: Partial<TypedCharge>) => void
}

const ChargeFields = ({ typed, taxRates, hasCarrier, faults, onChange }: ChargeFieldsProps) => (
  <>
    <SelectField
      label={words.kind}
      value={typed.side}
      onChange={value => onChange({ side: sides.find(one => one === value) ?? typed.side })}
      options={sides
        .filter(one => one !== 'carrier-freight' || hasCarrier)
        .map(value => ({ value, text: words.side[value] }))}
    />
    <TextField
      label={words.particulars}
      value={typed.particulars}
      onChange={particulars => onChange({ particulars })}
      fault={faults.at('particulars')}
    />
    <SelectField
      label={words.application}
      value={String(typed.application)}
      onChange={value =>
        onChange({ application: value === '2' ? ChargeApplication.Fee : ChargeApplication.Rate })
      }
      options={[ChargeApplication.Rate, ChargeApplication.Fee].map(value => ({
        value: String(value),
        text: words.applicationOf[value],
      }))}
    />
    {isRate(typed) && (
      <TextField
        label={words.quantity}
        type="number"
        value={typed.quantity}
        onChange={quantity => onChange({ quantity })}
        fault={faults.at('metricValue')}
      />
    )}
    <TextField
      label={words.rate}
      help={words.rateHelp}
      type="number"
      value={typed.rate}
      onChange={rate => onChange({ rate })}
      fault={faults.at('chargeRateExclTax')}
      isRequired
    />
    <SelectField
      label={words.taxRate}
      value={typed.taxRateId}
      onChange={taxRateId => onChange({ taxRateId })}
      options={taxRates.map(({ id, name }) => ({ value: id, text: name }))}
      fault={faults.at('taxRateId')}
    />
  </>
)

/** Tells what each charge of each rate took, or why it did not, and what nothing charges. */
export function Explanation({ consignmentId, onClose }: DialogProps) {
  const { data } = useQuery(
    read('/v1/consignments/{consignmentId}/charges/explanation', { path: { consignmentId } }),
  )
  return (
    <Dialog
      title={words.explain}
      onClose={onClose}
      state={data === undefined ? 'loading' : 'ready'}
      isWide
      acts={<Button onPress={onClose}>{uiWords.close}</Button>}
    >
      {data !== undefined && <ExplainedRates {...data} />}
    </Dialog>
  )
}
