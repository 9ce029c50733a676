// A field of a form: its label, what helps to fill it in, and the fault that the service found in it.

import { type KeyboardEvent, type ReactNode, useId } from 'react'
import { DateInput } from './DateInput.tsx'
import styles from './field.module.css'
import { words } from './words.ts'

/** What the control of a field has to be given. */
export interface ControlProps {
  id: string
  'aria-describedby'?: string
  'aria-invalid'?: true
}

export interface FieldProps {
  label: string
  help?: string | undefined
  /** what is wrong with the value */
  fault?: string | undefined
  /** renders the control: an input, a select, a textarea */
  children: (control: ControlProps) => ReactNode
}

/** A field around a control. */
export function Field({ label, help, fault, children }: FieldProps) {
  const id = useId()
  const described = [help && `${id}-help`, fault && `${id}-fault`].filter(Boolean).join(' ')
  return (
    <div className={styles.field}>
      <label id={`${id}-label`} htmlFor={id}>
        {label}
      </label>
      {children({
        id,
        ...(described === '' ? {} : { 'aria-describedby': described }),
        ...(fault === undefined ? {} : { 'aria-invalid': true }),
      })}
      {help !== undefined && (
        <p id={`${id}-help`} className={styles.help}>
          {help}
        </p>
      )}
      {fault !== undefined && (
        <p id={`${id}-fault`} className={styles.fault}>
          {fault}
        </p>
      )}
    </div>
  )
}

export interface TextFieldProps extends Omit<FieldProps, 'children'> {
  value: string
  /** absent: the value can be read and copied, but not changed */
  onChange?: (value: string) => void
  type?: 'text' | 'number' | 'date' | 'datetime-local' | 'email' | 'password' | 'url'
  isRequired?: boolean
  isMultiline?: boolean
  maxLength?: number
  autoComplete?: string
  autoFocus?: boolean
  /** what Enter does, if it does not send the form */
  onEnter?: (field: HTMLInputElement) => void
}

/** A field for a text, a number or a date. */
export function TextField({
  value,
  onChange,
  type = 'text',
  isRequired = false,
  isMultiline = false,
  maxLength,
  autoComplete = 'off',
  autoFocus = false,
  onEnter,
  ...field
}: TextFieldProps) {
  const shared = {
    ...{ value, required: isRequired, className: styles.control, autoComplete },
    readOnly: onChange === undefined,
    ...(autoFocus ? { autoFocus } : {}),
  }
  return (
    <Field {...field}>
      {control =>
        isMultiline ? (
          <textarea
            {...control}
            {...shared}
            rows={4}
            maxLength={maxLength}
            onChange={event => onChange?.(event.target.value)}
          />
        ) : type === 'date' || type === 'datetime-local' ? (
          <DateInput
            {...control}
            {...shared}
            labelId={`${control.id}-label`}
            type={type}
            onChange={onChange}
          />
        ) : (
          <input
            {...control}
            {...shared}
            type={type}
            {...(type === 'number' ? { step: 'any' } : {})}
            maxLength={maxLength}
            onChange={event => onChange?.(event.target.value)}
            {...(onEnter === undefined ? {} : { onKeyDown: onlyEnter(onEnter) })}
          />
        )
      }
    </Field>
  )
}

const onlyEnter = (act: (field: HTMLInputElement) => void) => (event: KeyboardEvent<HTMLInputElement>) => {
  if (event.key !== 'Enter') return
  event.preventDefault()
  act(event.currentTarget)
}

/** Goes on to the next field of the form, as where many are filled in one after the other. */
export function goToNextField(field: HTMLInputElement): void {
  const fields = [...(field.form?.elements ?? [])].filter(one => one instanceof HTMLInputElement)
  fields[fields.indexOf(field) + 1]?.focus()
}

export interface SelectFieldProps extends Omit<FieldProps, 'children'> {
  value: string
  onChange: (value: string) => void
  options: readonly { value: string; text: string }[]
  isRequired?: boolean
}

/** A field with a choice of a few. */
export function SelectField({ value, onChange, options, isRequired = false, ...field }: SelectFieldProps) {
  return (
    <Field {...field}>
      {control => (
        <select
          {...control}
          className={styles.control}
          value={value}
          required={isRequired}
          onChange={event => onChange(event.target.value)}
        >
          {options.length === 0 && <option value="">{words.noneToChoose}</option>}
          {options.map(option => (
            <option key={option.value} value={option.value}>
              {option.text}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}
