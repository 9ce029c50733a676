// The way from a record to its changes: who, when and by which request.

import styles from '../../../ui/button.module.css'
import { useMe } from '../me.ts'
import { Link } from '../router.tsx'
import { words } from '../words.ts'
import { canOpen } from './menu.ts'

/** A link to the history of an app, a printer or a bridge, for whoever may read it. */
export function HistoryLink({ id, name }: { id: string; name: string }) {
  if (!canOpen(useMe(), '/settings/history')) return null
  return (
    <Link
      to="/settings/history"
      search={{ SubjectId: id } as never}
      aria-label={words.historyOf(name)}
      className={`${styles.button} ${styles.quiet}`}
    >
      {words.history}
    </Link>
  )
}
