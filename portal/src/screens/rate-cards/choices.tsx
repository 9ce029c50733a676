// Several of a few, each with a checkbox.

import type { ReactNode } from 'react'
import styles from './editor.module.css'

export function Choices({
  label,
  help,
  options,
  chosen,
  onChange,
  fault,
  acts,
}: {
  label: string
  help?: string
  options: readonly { value: string; text: string }[]
  chosen: readonly string[]
  onChange: (chosen: readonly string[]) => void
  fault?: string | undefined
  /** beside the label */
  acts?: ReactNode
}) {
  const toggle = (value: string) =>
    onChange(chosen.includes(value) ? chosen.filter(one => one !== value) : [...chosen, value])
  return (
    <fieldset className={styles.choices}>
      <legend>
        {label}
        {acts}
      </legend>
      <div className={styles.options}>
        {options.map(({ value, text }) => (
          <label key={value}>
            <input type="checkbox" checked={chosen.includes(value)} onChange={() => toggle(value)} />
            {text}
          </label>
        ))}
      </div>
      {help !== undefined && <p className={styles.quiet}>{help}</p>}
      {fault !== undefined && <p className={styles.fault}>{fault}</p>}
    </fieldset>
  )
}
