// Which of many an act refuses, each with its reasons: before the act as the service says, and afterwards as
// it was.

import type { KeyboardEvent } from 'react'
import styles from './refused.module.css'
import { words } from './words.ts'

/** What an act refuses of many. */
export interface RefusedOfMany {
  /** how many it changes; left out where what it does is counted otherwise */
  taken?: number
  /** how many are already as the act would make them */
  alike?: number
  rows: readonly { id: string; name: string; why: string }[]
}

/** How many, and a grid of those that are refused. Nothing if none is. */
export function Refused({
  refused: { taken, alike = 0, rows },
  isDone,
}: {
  refused: RefusedOfMany
  isDone: boolean
}) {
  if (rows.length === 0) return null
  return (
    <>
      {taken !== undefined && (
        <p role="status">{(isDone ? words.haveChanged : words.willChange)(taken, rows.length, alike)}</p>
      )}
      <div className={styles.scroll}>
        <table role="grid" aria-label={words.refused} className={styles.table} onKeyDown={moveFocus}>
          <thead>
            <tr>
              <th scope="col">{words.refusedName}</th>
              <th scope="col">{words.refusedWhy}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ id, name, why }, index) => (
              <tr key={id} data-id={id}>
                <th scope="row" tabIndex={index === 0 ? 0 : -1}>
                  {name}
                </th>
                <td>{why}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  )
}

/** Arrow keys move the focus from row to row, which scrolls the grid. */
function moveFocus(event: KeyboardEvent<HTMLTableElement>): void {
  const row = (event.target as HTMLElement).closest('tr')
  const next = event.key === 'ArrowDown' ? row?.nextElementSibling : row?.previousElementSibling
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
  event.preventDefault()
  next?.querySelector('th')?.focus()
}
