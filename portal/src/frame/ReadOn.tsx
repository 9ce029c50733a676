// Below rows that are not all: how many of how many they are, and what shows more of them.

import { Button } from '../../../ui/Button.tsx'
import type { Pages } from '../every-page.ts'
import { choiceWords as words } from '../words/choices.ts'
import styles from './read-on.module.css'

/** The line. It is absent when all is shown and there is nothing else to say. */
export function ReadOn({
  pages: { rows = [], total, readOn },
  alsoSaid,
  shown = words.shown,
}: {
  pages: Pick<Pages<unknown>, 'rows' | 'total' | 'readOn'>
  alsoSaid?: string | undefined
  /** says how many of how many they are */
  shown?: (shown: number, total: number) => string
}) {
  const isAll = rows.length >= total
  if (isAll && alsoSaid === undefined) return null
  const said = [isAll ? undefined : shown(rows.length, total), alsoSaid].filter(Boolean)
  return (
    <div className={styles.readOn}>
      <span role="status">{said.join(', ')}</span>
      {!isAll && readOn !== undefined && (
        <Button kind="quiet" onPress={readOn}>
          {words.showMore}
        </Button>
      )}
    </div>
  )
}
