// Region Charge: the form of the chosen charge, with the fields that its rate and its metric can have.

import { ChargeApplication, MetricResolution, MetricRounding } from '../../../../client/src/waybill.ts'
import { SelectField, TextField } from '../../../../ui/Field.tsx'
import { Region } from '../../../../ui/Region.tsx'
import { SwitchField } from '../../../../ui/SwitchField.tsx'
import type { CardNames, CollectionName } from '../../card-names.ts'
import { metricsOf, partsOf } from '../../charge-rules.ts'
import { ofMetric } from '../../edit-content.ts'
import type { Rate, RateCharge } from '../../words/rate-charges.ts'
import { editorWords as words } from '../../words/rate-editor.ts'
import { fieldWords, optionsOfField } from '../../words/rate-fields.ts'
import { Bands } from './bands.tsx'
import { Conditions } from './conditions.tsx'
import styles from './editor.module.css'
import { NumberField } from './number-field.tsx'
import { StorageFields } from './storage-fields.tsx'

export interface ChargeFormProps {
  rate: Rate
  charge: RateCharge
  names: CardNames
  /** whether the products of a client can be named */
  hasProducts: boolean
  /** the fault of a field of the charge, by its path in the charge */
  faultAt: (path: string) => string | undefined
  onChange: (charge: RateCharge) => void
}

export function ChargeForm(props: ChargeFormProps) {
  const { rate, charge } = props
  const { hasStorage } = partsOf(rate, charge)
  return (
    <Region heading={words.charge}>
      <div className={styles.chargeForm}>
        <Measure {...props} />
        <Price {...props} />
        <Conditions {...props} />
        {hasStorage && <StorageFields {...props} />}
        <OnTheBill {...props} />
      </div>
    </Region>
  )
}

/** By what a charge is measured. */
function Measure({ rate, charge, names, faultAt, onChange }: ChargeFormProps) {
  const parts = partsOf(rate, charge)
  const set = (part: Partial<RateCharge>) => onChange({ ...charge, ...part })
  const metrics = metricsOf(rate.kind)
  if (!parts.hasMetric) return null
  return (
    <>
      <SelectField
        label={fieldWords.metric}
        value={String(charge.metric)}
        onChange={value =>
          onChange(ofMetric(charge, metrics.find(one => String(one) === value) ?? charge.metric))
        }
        options={optionsOfField('metric').filter(({ value }) => metrics.some(one => String(one) === value))}
        fault={faultAt('metric')}
      />
      {parts.hasUnit && (
        <Reference field="unitTypeId" collection="unitTypes" {...{ charge, names, faultAt, onChange }} />
      )}
      {parts.hasCascade && (
        <SwitchField
          label={fieldWords.metricResolution}
          isOn={charge.metricResolution === MetricResolution.Cascade}
          onChange={isOn =>
            set({ metricResolution: isOn ? MetricResolution.Cascade : MetricResolution.Compound })
          }
        />
      )}
      {parts.hasCubic && (
        <NumberField
          label={fieldWords.cubicKGPerM3}
          value={charge.cubicKGPerM3}
          onChange={cubicKGPerM3 => set({ cubicKGPerM3 })}
          fault={faultAt('cubicKGPerM3')}
        />
      )}
      {parts.hasRounding && <Rounding {...{ charge, faultAt, set }} />}
      {parts.hasProducts && (
        <SwitchField
          label={fieldWords.isPerProduct}
          isOn={charge.isPerProduct ?? false}
          onChange={isPerProduct => set({ isPerProduct })}
        />
      )}
    </>
  )
}

function Rounding({
  charge,
  faultAt,
  set,
}: Pick<ChargeFormProps, 'charge' | 'faultAt'> & { set: (part: Partial<RateCharge>) => void }) {
  const isRounded = charge.rounding != null && charge.rounding !== MetricRounding.None
  return (
    <div className={styles.pair}>
      <SelectField
        label={fieldWords.rounding}
        value={String(charge.rounding ?? MetricRounding.None)}
        onChange={value => {
          const rounding = Object.values(MetricRounding).find(one => String(one) === value) ?? null
          set({ rounding, roundTo: rounding === MetricRounding.None ? null : (charge.roundTo ?? null) })
        }}
        options={optionsOfField('rounding')}
        fault={faultAt('rounding')}
      />
      {isRounded && (
        <NumberField
          label={fieldWords.roundTo}
          value={charge.roundTo}
          onChange={roundTo => set({ roundTo })}
          fault={faultAt('roundTo')}
        />
      )}
    </div>
  )
}

/** What a charge costs. */
function Price({ rate, charge, faultAt, onChange }: ChargeFormProps) {
  const { hasApplication, hasBands, isProgressive } = partsOf(rate, charge)
  const set = (part: Partial<RateCharge>) => onChange({ ...charge, ...part })
  const isFee = charge.application === ChargeApplication.Fee
  const field = (name: 'rateExclTax' | 'baseExclTax' | 'minExclTax' | 'maxExclTax') => (
    <NumberField
      label={fieldWords[name]}
      value={charge[name]}
      onChange={value => set({ [name]: value })}
      fault={faultAt(name)}
    />
  )
  return (
    <>
      {hasApplication && (
        <SelectField
          label={fieldWords.application}
          value={String(charge.application)}
          onChange={value =>
            set(
              value === '2'
                ? {
                    application: ChargeApplication.Fee,
                    baseExclTax: null,
                    minExclTax: null,
                    maxExclTax: null,
                  }
                : { application: ChargeApplication.Rate },
            )
          }
          options={optionsOfField('application')}
          fault={faultAt('application')}
        />
      )}
      <div className={styles.pair}>
        {!hasBands && field('rateExclTax')}
        {!isFee && field('baseExclTax')}
        {!isFee && !isProgressive && field('minExclTax')}
        {!isFee && !isProgressive && field('maxExclTax')}
      </div>
      {hasApplication && <Bands {...{ charge, faultAt, onChange }} />}
    </>
  )
}

/** What a bill says of a charge, and where it is booked. */
function OnTheBill({ rate, charge, names, faultAt, onChange }: ChargeFormProps) {
  const set = (part: Partial<RateCharge>) => onChange({ ...charge, ...part })
  const shared = { charge, names, faultAt, onChange }
  return (
    <>
      <TextField
        label={fieldWords.note}
        value={charge.note ?? ''}
        onChange={note => set({ note: note || null })}
        fault={faultAt('note')}
      />
      <TextField
        label={fieldWords.particulars}
        help={words.particularsHelp}
        value={charge.particulars ?? ''}
        onChange={particulars => set({ particulars: particulars || null })}
        fault={faultAt('particulars')}
      />
      <Reference field="taxRateId" collection="taxRates" {...shared} none={words.ofVersion} />
      <Reference field="revenueAccountId" collection="revenueAccounts" {...shared} none={words.ofActivity} />
      <Reference field="costCentreId" collection="costCentres" {...shared} none={words.ofWarehouse} />
      {partsOf(rate, charge).isFreight && (
        <SwitchField
          label={fieldWords.isFafExempt}
          isOn={charge.isFafExempt ?? false}
          onChange={isFafExempt => set({ isFafExempt })}
        />
      )}
    </>
  )
}

/** A field that refers to a record. `none` says what holds without one. */
function Reference({
  field,
  collection,
  charge,
  names,
  faultAt,
  onChange,
  none,
}: Pick<ChargeFormProps, 'charge' | 'names' | 'faultAt' | 'onChange'> & {
  field: 'unitTypeId' | 'taxRateId' | 'revenueAccountId' | 'costCentreId'
  collection: CollectionName
  none?: string
}) {
  return (
    <SelectField
      label={fieldWords[field]}
      value={charge[field] ?? ''}
      onChange={id => onChange({ ...charge, [field]: id || null })}
      options={[{ value: '', text: none ?? words.choose }, ...names.optionsOf(collection)]}
      fault={faultAt(field)}
    />
  )
}
