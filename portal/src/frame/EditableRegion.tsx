// A region with facts of a record, which Edit turns into a form of the same fields.

import { type ReactNode, useState } from 'react'
import { Button } from '../../../ui/Button.tsx'
import { quantity } from '../../../ui/numbers.ts'
import { Region } from '../../../ui/Region.tsx'
import { day } from '../../../ui/time.ts'
import { words as uiWords } from '../../../ui/words.ts'
import { type RegionField, RegionForm, type RegionFormProps, typedOf } from './RegionForm.tsx'
import styles from './region-form.module.css'

export interface EditableRegionProps extends Omit<RegionFormProps, 'onClose'> {
  heading: string
  mayEdit: boolean
  /** what is shown instead of the facts, such as sentences */
  children?: ReactNode
  /** whether the form is open; by default the region knows itself */
  editing?: { isOpen: boolean; setOpen: (isOpen: boolean) => void }
  /** the key that opens the form */
  hint?: string
}

export function EditableRegion({ heading, mayEdit, children, editing, hint, ...form }: EditableRegionProps) {
  const own = useState(false)
  const [isOpen, setOpen] = editing === undefined ? own : [editing.isOpen, editing.setOpen]
  return (
    <Region
      heading={heading}
      acts={
        mayEdit &&
        !isOpen && (
          <Button kind="quiet" hint={hint} onPress={() => setOpen(true)}>
            {uiWords.edit}
          </Button>
        )
      }
    >
      {isOpen ? (
        <RegionForm {...form} onClose={() => setOpen(false)} />
      ) : (
        (children ?? <FactGrid record={form.record} fields={form.fields} />)
      )}
    </Region>
  )
}

/** The facts of a record. Fields without a value show that there is none. */
export function FactGrid({ record, fields }: { record: object; fields: readonly RegionField[] }) {
  const typed = typedOf(record, fields)
  return (
    <dl className={styles.facts}>
      {fields.map(field => (
        <div key={field.name}>
          <dt>{field.label}</dt>
          <dd>{factOf(field, typed[field.name] ?? '')}</dd>
        </div>
      ))}
    </dl>
  )
}

function factOf({ kind, options }: RegionField, text: string): string {
  if (kind === 'switch') return text === 'true' ? uiWords.yes : uiWords.no
  if (text === '') return options?.find(({ value }) => value === '')?.text ?? uiWords.nothing
  if (kind === 'number') return quantity(Number(text))
  if (kind === 'date') return day(text)
  return options?.find(({ value }) => value === text)?.text ?? text
}
