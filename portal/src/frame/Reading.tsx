// Where a screen will be whose data is still read. React shows a suspended screen at the earliest 300 ms
// after it showed something else in its place, unless something else changes. So this changes when data is
// there.

import { type ReactNode, Suspense, useEffect, useReducer } from 'react'
import { queries } from '../queries.ts'
import page from './page.module.css'
import styles from './reading.module.css'

/** Shows a screen as soon as what it reads is there, and until then the shape of one. */
export function Reading({ children }: { children: ReactNode }) {
  const [, showAgain] = useReducer((n: number) => n + 1, 0)
  return <Suspense fallback={<UntilRead onRead={showAgain} />}>{children}</Suspense>
}

function UntilRead({ onRead }: { onRead: () => void }) {
  useEffect(
    () => queries.getQueryCache().subscribe(({ type }) => void (type === 'updated' && onRead())),
    [onRead],
  )
  return (
    <main id="main" className={page.page} data-state="loading" aria-busy>
      <div className={styles.shape}>
        <span className={styles.heading} />
        <span className={styles.part} />
        <span className={styles.part} />
      </div>
    </main>
  )
}
