// A combo box: a field for a text, with suggestions while one types. What is typed counts, whether it was
// suggested or not.

import { useId } from 'react'
import { Field, type FieldProps } from './Field.tsx'
import styles from './field.module.css'

export interface SuggestFieldProps extends Omit<FieldProps, 'children'> {
  value: string
  onChange: (value: string) => void
  /** what could be meant; `text` explains a value that says little by itself */
  suggestions: readonly { value: string; text?: string | undefined }[]
  isRequired?: boolean
  autoFocus?: boolean
}

/** A field with suggestions. */
export function SuggestField({
  value,
  onChange,
  suggestions,
  isRequired = false,
  autoFocus = false,
  ...field
}: SuggestFieldProps) {
  const list = useId()
  return (
    <Field {...field}>
      {control => (
        <>
          <input
            {...control}
            {...(autoFocus ? { autoFocus } : {})}
            className={styles.control}
            list={list}
            value={value}
            required={isRequired}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            onChange={event => onChange(event.target.value)}
          />
          <datalist id={list}>
            {suggestions.map(suggestion => (
              <option key={suggestion.value} value={suggestion.value}>
                {suggestion.text}
              </option>
            ))}
          </datalist>
        </>
      )}
    </Field>
  )
}
