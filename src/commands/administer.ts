// Commands that open the database: they work whether the service is running or not.

import type { Tx } from '../platform/database/db.ts'
import { sendHints } from '../platform/work/hints.ts'
import { readConfig } from '../process/config.ts'
import type { Store, StoreLog } from '../process/store.ts'

/** Commands print their result only; what goes wrong is thrown. */
export const quiet: StoreLog = { info: () => {}, warn: message => console.error(message) }

/** Runs a command in one transaction. */
export const administer = <T>(work: (tx: Tx, store: Store) => Promise<T>): Promise<T> =>
  withStore(store => store.database.atomically(tx => work(tx, store)))

/** Opens the store for a command, and tells a running service what the command has changed. */
export async function withStore<T>(work: (store: Store) => Promise<T>): Promise<T> {
  const { openStore } = await import('../process/store.ts')
  const store = await openStore(readConfig(), quiet)
  try {
    const result = await work(store)
    // A running service would notice by itself, but later.
    await sendHints(store.database).catch(() => {})
    return result
  } finally {
    await store.close()
  }
}
