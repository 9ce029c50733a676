// How far a record is on its path.

import { type ReactNode, useEffect, useRef } from 'react'
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
  const list = useRef<HTMLOListElement>(null)
  // On a phone there is room for some of the steps: the present one is among them.
  useEffect(() => {
    const [path, step] = [list.current, list.current?.children[at]]
    if (path === null || !(step instanceof HTMLElement)) return
    const end = step.offsetLeft + step.offsetWidth - path.offsetLeft
    if (end > path.clientWidth) path.scrollLeft = end - path.clientWidth
  }, [at])
  return (
    <ol ref={list} className={styles.steps} aria-label={words.progress}>
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
