// Why something was refused: an alert with a heading and the reasons as sentences.

import type { ReactNode } from 'react'
import styles from './refusal.module.css'

/** Nothing without reasons. `children` stand below them, such as a link. */
export function Refusal({
  heading,
  reasons,
  children,
}: {
  heading?: string | undefined
  reasons: readonly string[]
  children?: ReactNode
}) {
  if (reasons.length === 0) return null
  return (
    <div role="alert" className={styles.refusal}>
      {heading !== undefined && <h3>{heading}</h3>}
      {reasons.map(reason => (
        <p key={reason}>{reason}</p>
      ))}
      {children}
    </div>
  )
}
