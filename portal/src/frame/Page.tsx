// A screen: its heading, its acts, what it shows and, on records, the details beside it.
//
// `state` says how far the screen is: tests and screen readers wait for `ready` or `empty`.

import { type ReactNode, useEffect, useRef } from 'react'
import { words } from '../words.ts'
import styles from './page.module.css'

export type PageState = 'loading' | 'ready' | 'empty' | 'error'

export interface PageProps {
  /** the h1 and the title of the browser's tab: of a record, exactly its number or name */
  heading: string
  /** the heading as it is shown, if it is more than text */
  shownHeading?: ReactNode
  state?: PageState
  /** links that lead to the page above this one, before the heading */
  above?: ReactNode
  /** what stands beside the heading, such as the status */
  beside?: ReactNode
  /** the acts, at the end of the heading's line */
  acts?: ReactNode
  /** complementary details, beside the content where there is room */
  details?: ReactNode
  /** the id and status of the record that the page shows */
  id?: string | undefined
  status?: string | undefined
  /** the content fills the height and scrolls by itself, as a grid does */
  isFilled?: boolean
  children?: ReactNode
}

/** A screen. */
export function Page({
  heading,
  shownHeading,
  state = 'ready',
  above,
  beside,
  acts,
  details,
  id,
  status,
  isFilled = false,
  children,
}: PageProps) {
  const hasDetails = details !== undefined && details !== false
  useEffect(() => {
    document.title = words.pageTitle(heading)
  }, [heading])
  return (
    <main
      id="main"
      ref={useFocusOnArrival()}
      tabIndex={-1}
      className={styles.page}
      data-state={state}
      data-id={id}
      data-status={status}
    >
      <div className={styles.head}>
        <div className={styles.title}>
          {above !== undefined && <span className={styles.above}>{above}</span>}
          <h1>{shownHeading ?? heading}</h1>
          {beside}
        </div>
        <div className={styles.acts}>{acts}</div>
      </div>
      <div className={`${styles.body} ${hasDetails ? styles.withDetails : ''}`}>
        <div className={`${styles.content} ${isFilled ? styles.filled : ''}`}>{children}</div>
        {hasDetails && (
          <aside className={styles.details} aria-label={words.details}>
            {details}
          </aside>
        )}
      </div>
    </main>
  )
}

let isFirstPage = true

/** Moves the focus to each new page, so that screen readers and keys go on from there. */
function useFocusOnArrival() {
  const main = useRef<HTMLElement>(null)
  useEffect(() => {
    if (!isFirstPage) main.current?.focus({ preventScroll: true })
    isFirstPage = false
  }, [])
  return main
}
