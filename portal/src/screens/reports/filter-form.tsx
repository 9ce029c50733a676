// The form of a report: a field for each filter of its definition.

import { Button } from '../../../../ui/Button.tsx'
import { type FieldProps, SelectField, TextField } from '../../../../ui/Field.tsx'
import { Refusal } from '../../../../ui/Refusal.tsx'
import { SwitchField } from '../../../../ui/SwitchField.tsx'
import { fromField, toField } from '../../../../ui/time.ts'
import type { Faults } from '../../faults.ts'
import type { FilterTexts, ReportFilter } from '../../reports.ts'
import { reportWords as words } from '../../words/reports.ts'
import { RecordField } from './record-field.tsx'
import styles from './reports.module.css'

export interface FilterFormProps {
  filters: readonly ReportFilter[]
  typed: FilterTexts
  onChange: (typed: FilterTexts) => void
  onRun: () => void
  isRunning: boolean
  faults: Faults
}

export function FilterForm({ filters, typed, onChange, onRun, isRunning, faults }: FilterFormProps) {
  return (
    <form
      className={styles.form}
      onSubmit={event => {
        event.preventDefault()
        onRun()
      }}
    >
      {filters.map(filter => (
        <FilterField
          key={filter.name}
          filter={filter}
          typed={typed}
          fault={faults.at(filter.name)}
          onChange={value => onChange({ ...typed, ...forgotten(filter.name), [filter.name]: value })}
        />
      ))}
      <div className={styles.run}>
        <Refusal reasons={faults.other === undefined ? [] : [faults.other]} />
        <Button kind="main" type="submit" hint="M" isPending={isRunning}>
          {words.run}
        </Button>
      </div>
    </form>
  )
}

/** What no longer holds when another record is chosen: its products, zones and places. */
const forgotten = (name: string): FilterTexts =>
  name === 'warehouseId'
    ? { warehouseZoneId: '', warehouseLocationId: '' }
    : name === 'partnerId' || name === 'clientPartnerId'
      ? { partnerProductId: '' }
      : {}

/** What the field of a filter has to be given. */
export interface FilterFieldProps {
  filter: ReportFilter
  /** the values of all filters */
  typed: FilterTexts
  fault: string | undefined
  onChange: (value: string) => void
}

function FilterField(props: FilterFieldProps) {
  const { filter, typed, fault, onChange } = props
  const value = typed[filter.name] ?? ''
  const field: Omit<FieldProps, 'children'> = {
    ...{ label: filter.label, help: words.helpOf(filter.description), fault },
  }
  switch (filter.kind) {
    case 'record':
      return <RecordField {...props} />
    case 'enumeration': {
      const options = filter.values.map(one => ({
        value: String(one.value),
        text: words.value(filter.values, one.value),
      }))
      return (
        <SelectField
          {...field}
          value={value}
          onChange={onChange}
          options={[{ value: '', text: words.any }, ...options]}
        />
      )
    }
    case 'boolean':
      return (
        <div className={styles.switch}>
          <SwitchField
            label={filter.label}
            {...(filter.description === null ? {} : { help: words.helpOf(filter.description) ?? '' })}
            isOn={value === 'true'}
            onChange={isOn => onChange(isOn ? 'true' : '')}
          />
        </div>
      )
    case 'instant':
      return (
        <TextField
          {...field}
          type="datetime-local"
          value={value === '' ? '' : toField(value)}
          onChange={text => onChange(fromField(text) ?? '')}
        />
      )
    default:
      return (
        <TextField
          {...field}
          type={filter.kind === 'date' ? 'date' : filter.kind === 'number' ? 'number' : 'text'}
          value={value}
          onChange={onChange}
        />
      )
  }
}
