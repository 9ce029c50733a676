// A switch with its label, for what is either so or not.

import styles from './switch-field.module.css'

/** A switch. */
export const SwitchField = ({
  label,
  isOn,
  onChange,
}: {
  label: string
  isOn: boolean
  onChange: (isOn: boolean) => void
}) => (
  <label className={styles.switch}>
    <input
      type="checkbox"
      role="switch"
      checked={isOn}
      aria-checked={isOn}
      onChange={event => onChange(event.target.checked)}
    />
    {label}
  </label>
)
