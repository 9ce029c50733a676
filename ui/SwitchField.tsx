// A switch with its label, for what is either so or not.

import { useId } from 'react'
import styles from './switch-field.module.css'

/** A switch. */
export function SwitchField({
  label,
  help,
  isOn,
  onChange,
}: {
  label: string
  help?: string
  isOn: boolean
  onChange: (isOn: boolean) => void
}) {
  const id = useId()
  return (
    <div>
      <label className={styles.switch}>
        <input
          type="checkbox"
          role="switch"
          checked={isOn}
          aria-checked={isOn}
          onChange={event => onChange(event.target.checked)}
          {...(help === undefined ? {} : { 'aria-describedby': id })}
        />
        {label}
      </label>
      {help !== undefined && (
        <p id={id} className={styles.help}>
          {help}
        </p>
      )}
    </div>
  )
}
