// How far a record is on its path.

import type { ReactNode } from 'react'
import styles from './progress.module.css'
import { words } from './words.ts'

export interface Step {
  id: string
  text: string
  /** when it was reached, or what stands beneath */
  note?: ReactNode
}

/** The steps of a path in their order; `current` is the id of the present one. */
export function Progress({ steps, current }: { steps: readonly Step[]; current: string }) {
  const at = steps.findIndex(({ id }) => id === current)
  return (
    <ol className={styles.steps} aria-label={words.progress}>
      {steps.map(({ id, text, note }, i) => (
        <li
          key={id}
          className={`${styles.step} ${i <= at ? styles.reached : ''}`}
          {...(i === at ? { 'aria-current': 'step' as const } : {})}
        >
          <span className={styles.text}>{text}</span>
          {note !== undefined && <span className={styles.note}>{note}</span>}
        </li>
      ))}
    </ol>
  )
}
