// A part of a record: a region named by its heading, with its acts at the end of the line.

import { useQueryClient } from '@tanstack/react-query'
import { type CSSProperties, Fragment, isValidElement, type ReactNode, useId } from 'react'
import { Button } from './Button.tsx'
import styles from './region.module.css'
import { words } from './words.ts'

/** How far what a region shows has been read. */
export type RegionState = 'loading' | 'ready' | 'empty' | 'error'

/** A region. `summary` stands beside the heading. One that could not be read says so. */
export function Region({
  heading,
  summary,
  acts,
  state,
  isBare = false,
  children,
}: {
  heading: string
  summary?: ReactNode
  acts?: ReactNode
  state?: RegionState
  /** without a card around the content */
  isBare?: boolean
  children: ReactNode
}) {
  const id = useId()
  return (
    <section
      aria-labelledby={id}
      className={styles.region}
      {...(state === undefined ? {} : { 'data-state': state })}
    >
      <div className={styles.head}>
        <h2 id={id}>{heading}</h2>
        {summary !== undefined && <span className={styles.summary}>{summary}</span>}
        <span className={styles.acts}>{acts}</span>
      </div>
      <div className={isBare ? '' : styles.card}>{state === 'error' ? <NotRead /> : children}</div>
    </section>
  )
}

/** That it could not be read, and what reads all that failed on the screen again. */
function NotRead() {
  const queries = useQueryClient()
  const readAgain = () =>
    void queries.refetchQueries({ type: 'active', predicate: ({ state }) => state.status === 'error' })
  return (
    <div className={`${styles.nothing} ${styles.notRead}`}>
      <p>{words.notRead}</p>
      <Button kind="quiet" onPress={readAgain}>
        {words.tryAgain}
      </Button>
    </div>
  )
}

/** Rows of a card, one below the other. */
export const Rows = ({ children }: { children: ReactNode }) => <ul className={styles.rows}>{children}</ul>

/** What stands in a card that has nothing. */
export const Nothing = ({ text }: { text: string }) => <p className={styles.nothing}>{text}</p>

/** The acts of a row of a small table, in its last cell. On a phone they have the whole width of the row. */
export const RowActs = ({ children }: { children: ReactNode }) => (
  <span className={styles.rowActs}>{children}</span>
)

/** Facts: terms with their values. Those without a value are left out. */
export const Facts = ({ facts }: { facts: readonly (readonly [term: string, value: ReactNode])[] }) => (
  <dl className={styles.facts}>
    {facts
      .filter(([, value]) => value !== null && value !== undefined && value !== '')
      .map(([term, value]) => (
        <div key={term}>
          <dt>{term}</dt>
          <dd>{value}</dd>
        </div>
      ))}
  </dl>
)

/** How many columns a phone has room for; the rows of a table with more are stacked there. */
const columnsOnPhone = 3

/** A code, such as the number of a record or a place, is one word: it does not break at its hyphens. */
const isCode = (cell: ReactNode): boolean =>
  isValidElement<{ children?: ReactNode }>(cell)
    ? isCode(cell.props.children)
    : typeof cell === 'string' && /^\S{1,20}$/.test(cell)

/** A stacked row leaves out what it has nothing of. */
const cellClass = (isAtEnd: boolean | undefined, cell: ReactNode) =>
  [isAtEnd && styles.atEnd, cell === words.nothing && styles.none, isCode(cell) && styles.whole]
    .filter(Boolean)
    .join(' ')

/** The head of a column, for its cells: a stacked row shows it above each. */
const headOf = (text = '') => ({ '--head': JSON.stringify(text) }) as CSSProperties

/**
 * A small table in a card, such as the lines of a record. Columns at the end hold numbers. What stands
 * `below` a row has its whole width. In a grid, rows have fields or acts.
 */
export function SmallTable({
  label,
  heads,
  rows,
  isGrid = false,
}: {
  label: string
  isGrid?: boolean
  heads: readonly { text: string; isAtEnd?: boolean }[]
  rows: readonly { id: string; cells: readonly ReactNode[]; below?: ReactNode }[]
}) {
  return (
    <div className={styles.scroll}>
      <table
        className={`${styles.table} ${heads.length > columnsOnPhone ? styles.stacked : ''}`}
        aria-label={label}
        {...(isGrid ? { role: 'grid' } : {})}
      >
        <thead>
          <tr>
            {heads.map(({ text, isAtEnd }) => (
              <th key={text} scope="col" className={isAtEnd ? styles.atEnd : ''}>
                {text}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ id, cells, below }) => (
            <Fragment key={id}>
              <tr data-id={id}>
                {cells.map((cell, i) => (
                  <td
                    key={heads[i]?.text}
                    className={cellClass(heads[i]?.isAtEnd, cell)}
                    style={headOf(heads[i]?.text)}
                  >
                    {cell}
                  </td>
                ))}
              </tr>
              {below !== undefined && (
                <tr className={styles.below}>
                  <td colSpan={heads.length}>{below}</td>
                </tr>
              )}
            </Fragment>
          ))}
        </tbody>
      </table>
    </div>
  )
}
