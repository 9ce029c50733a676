// The form that a region of a record becomes when it is edited, and the fields of a dialog that makes one.
// The fields are data. Only what was changed is sent; whoever saves second sees both versions.

import { useState } from 'react'
import { Button } from '../../../ui/Button.tsx'
import { SelectField, TextField } from '../../../ui/Field.tsx'
import { notify } from '../../../ui/Notices.tsx'
import { Refusal } from '../../../ui/Refusal.tsx'
import { SwitchField } from '../../../ui/SwitchField.tsx'
import { words as uiWords } from '../../../ui/words.ts'
import type { Faults } from '../faults.ts'
import type { Choice } from '../suggestions.ts'
import { words } from '../words.ts'
import { Conflict, useEdited } from './Conflict.tsx'
import styles from './region-form.module.css'

/** A field of a record. */
export interface RegionField {
  /** its name in the request */
  name: string
  label: string
  /** by default a text; a choice has whole numbers as values, and an id texts */
  kind?: 'text' | 'multiline' | 'number' | 'date' | 'choice' | 'id' | 'switch'
  /** its name in the record, if that is another one */
  readName?: string
  options?: readonly Choice[]
  help?: string
  isRequired?: boolean
}

/** What stands in the fields, by their names. A switch is `true` or empty. */
export type Typed = Readonly<Record<string, string>>

const textOf = (value: unknown): string =>
  value === null || value === undefined || value === false ? '' : String(value)

/** The fields of a record as they are. */
export const typedOf = (record: object, fields: readonly RegionField[]): Typed =>
  Object.fromEntries(
    fields.map(({ name, readName = name }) => [name, textOf((record as Record<string, unknown>)[readName])]),
  )

function valueFor({ kind = 'text' }: RegionField, typed: string): unknown {
  const text = typed.trim()
  if (kind === 'switch') return text === 'true'
  if (text === '') return null
  return kind === 'number' || kind === 'choice' ? Number(text) : text
}

/** What was changed, for the request. Without `before`, whatever is filled in. */
export const changesOf = (fields: readonly RegionField[], typed: Typed, before?: Typed) =>
  Object.fromEntries(
    fields
      .filter(({ name }) =>
        before === undefined ? typed[name]?.trim() : typed[name]?.trim() !== before[name]?.trim(),
      )
      .map(field => [field.name, valueFor(field, typed[field.name] ?? '')]),
  )

export interface RegionFieldsProps {
  fields: readonly RegionField[]
  typed: Typed
  onChange: (typed: Typed) => void
  faults: Faults
}

/** The fields. */
export const RegionFields = ({ fields, typed, onChange, faults }: RegionFieldsProps) =>
  fields.map(field => {
    const { name, label, kind = 'text', options, help, isRequired = false } = field
    const set = (value: string) => onChange({ ...typed, [name]: value })
    const shared = {
      label,
      help,
      isRequired,
      fault: faults.at(name),
      value: typed[name] ?? '',
      onChange: set,
    }
    if (kind === 'switch')
      return (
        <SwitchField
          key={name}
          label={label}
          {...(help === undefined ? {} : { help })}
          isOn={typed[name] === 'true'}
          onChange={isOn => set(isOn ? 'true' : '')}
        />
      )
    if (options !== undefined) return <SelectField key={name} {...shared} options={options} />
    return (
      <TextField
        key={name}
        {...shared}
        isMultiline={kind === 'multiline'}
        type={kind === 'number' || kind === 'date' ? kind : 'text'}
      />
    )
  })

export interface RegionFormProps {
  /** the record as it is now */
  record: object
  /** where it is read */
  path: string
  fields: readonly RegionField[]
  /** sends what was changed */
  save: (changes: Record<string, unknown>, ifMatch: string | undefined) => Promise<{ hasChanged: boolean }>
  /** what the notice says */
  done: string
  onClose: () => void
}

/** The form of a region. */
export function RegionForm({ record, path, fields, save, done, onClose }: RegionFormProps) {
  const [before] = useState(() => typedOf(record, fields))
  const [typed, setTyped] = useState(before)
  const edited = useEdited(record, path, async ifMatch => {
    const { hasChanged } = await save(changesOf(fields, typed, before), ifMatch)
    notify({ text: hasChanged ? done : words.unchanged })
    onClose()
  })
  const theirs = typedOf(record, fields)
  const inWords = ({ name, options }: RegionField, values: Typed) =>
    options?.find(({ value }) => value === values[name])?.text ?? values[name] ?? ''
  return (
    <form
      className={styles.form}
      onSubmit={event => {
        event.preventDefault()
        edited.save()
      }}
    >
      <div className={styles.fields}>
        <RegionFields fields={fields} typed={typed} onChange={setTyped} faults={edited.faults} />
      </div>
      <Refusal reasons={edited.faults.other === undefined ? [] : [edited.faults.other]} />
      <FormActs onClose={onClose} />
      <Conflict
        edited={edited}
        versions={fields.map(field => ({
          ...{ label: field.label, mine: inWords(field, typed), theirs: inWords(field, theirs) },
        }))}
        onClose={onClose}
      />
    </form>
  )
}

/** The buttons of a form. */
export const FormActs = ({ onClose }: { onClose: () => void }) => (
  <div className={styles.acts}>
    <Button kind="main" type="submit">
      {uiWords.save}
    </Button>
    <Button kind="quiet" onPress={onClose}>
      {uiWords.cancel}
    </Button>
  </div>
)
