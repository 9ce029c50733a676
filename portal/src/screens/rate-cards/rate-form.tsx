// The form of the chosen rate: what it prices, and how its lines are put together.

import { RateKind } from '../../../../client/src/waybill.ts'
import { SelectField, TextField } from '../../../../ui/Field.tsx'
import type { CardNames } from '../../card-names.ts'
import { hasActivity, kindsOf, ofKind } from '../../edit-content.ts'
import { rateCardWords } from '../../words/rate-cards.ts'
import type { Rate } from '../../words/rate-charges.ts'
import { fieldWords, optionsOfField } from '../../words/rate-fields.ts'
import styles from './editor.module.css'

export function RateForm({
  rate,
  relationship,
  names,
  faultAt,
  onChange,
}: {
  rate: Rate
  relationship: number
  names: CardNames
  faultAt: (field: string) => string | undefined
  onChange: (rate: Rate) => void
}) {
  const kinds = kindsOf(relationship)
  const activities = names.optionsOf('activityTypes')
  const isOfBoth = rate.kind !== RateKind.Storage && rate.kind !== RateKind.Periodic
  return (
    <div className={styles.fields}>
      <TextField
        label={fieldWords.name}
        value={rate.name}
        onChange={name => onChange({ ...rate, name })}
        fault={faultAt('name')}
        maxLength={200}
        isRequired
      />
      {kinds.length > 1 && (
        <SelectField
          label={fieldWords.kind}
          value={String(rate.kind)}
          onChange={value => {
            const kind = kinds.find(one => String(one) === value)
            if (kind !== undefined) onChange(ofKind(rate, kind, activities[0]?.value ?? ''))
          }}
          options={kinds.map(kind => ({ value: String(kind), text: rateCardWords.kind(kind) }))}
          fault={faultAt('kind')}
        />
      )}
      {hasActivity(rate.kind) && (
        <SelectField
          label={fieldWords.activityTypeId}
          value={rate.activityTypeId ?? ''}
          onChange={activityTypeId => onChange({ ...rate, activityTypeId })}
          options={activities}
          fault={faultAt('activityTypeId')}
        />
      )}
      {isOfBoth && (
        <SelectField
          label={fieldWords.basis}
          value={String(rate.basis)}
          onChange={value => onChange({ ...rate, basis: value === '2' ? 2 : 1 })}
          options={optionsOfField('basis')}
          fault={faultAt('basis')}
        />
      )}
    </div>
  )
}
