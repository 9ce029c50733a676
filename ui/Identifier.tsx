// A number such as SSL-000320-OUT. What people say aloud, 320, is strong; the rest is faint.

import styles from './identifier.module.css'

/** A number of a record. */
export function Identifier({ value }: { value: string }) {
  const [, before = '', spoken = '', after = ''] = /^(.*?-0*)(\d+)(.*)$/.exec(value) ?? []
  if (spoken === '') return <>{value}</>
  return (
    <span className={styles.identifier}>
      {before}
      <b>{spoken}</b>
      {after}
    </span>
  )
}
