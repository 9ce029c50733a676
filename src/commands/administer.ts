// Helpers for commands that open the database. Such commands work whether the service is running or not.

import type { Tx } from '../platform/database/db.ts'
import { sendHints } from '../platform/work/hints.ts'
import { readConfig } from '../process/config.ts'
import type { Store, StoreLog } from '../process/store.ts'

/** Discards progress messages, because commands print only their result; warnings go to standard error. */
export const quiet: StoreLog = { info: () => {}, warn: message => console.error(message) }

/** Runs a command in one transaction. */
export const administer = <T>(work: (tx: Tx, store: Store) => Promise<T>): Promise<T> =>
  withStore(store => store.database.atomically(tx => work(tx, store)))

/**
 * Opens the store for a command, and afterwards notifies a running service of the work that the command left.
 */
export async function withStore<T>(work: (store: Store) => Promise<T>): Promise<T> {
  const { openStore } = await import('../process/store.ts')
  const store = await openStore(readConfig(), quiet)
  try {
    const result = await work(store)
    // Without these hints a running service would notice the work only at its next poll.
    await sendHints(store.database).catch(() => {})
    return result
  } finally {
    await store.close()
  }
}
