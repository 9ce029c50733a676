// Opens the database: reads outside transactions, transactions that are tried again, and the watch for
// outages.

import { setTimeout as pause } from 'node:timers/promises'
import type { Database, Tx } from './db.ts'
import { isWorthAnotherTry } from './errors.ts'
import { watchForOutages } from './outage.ts'
import { type DatabaseOptions, openPools } from './pools.ts'
import { reading, send } from './statement.ts'
import { transaction, writing } from './transaction.ts'

/** Opens the pools. No connection is made until the first query. */
export function openDatabase(options: DatabaseOptions): Database {
  const pools = openPools(options, error => outage.note(error))
  const { readers, writers } = pools
  const onError = (error: Error) => options.onError?.(error)
  const outage = watchForOutages(() => readers.query('select 1'), options)
  const noted = <T>(work: Promise<T>): Promise<T> => {
    work.catch(outage.note)
    return work
  }

  async function inOneStatement<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    let sent = false
    const { tx, committed } = writing(query => {
      if (sent) throw new Error('A second statement where one was promised.')
      sent = true
      return noted(send(writers, query))
    }, onError)
    const result = await work(tx)
    committed()
    return result
  }

  return {
    db: reading(query => noted(send(readers, query))),
    async atomically(work) {
      for (let attempt = 1; ; attempt++) {
        try {
          return await transaction(writers, work, onError)
        } catch (error) {
          outage.note(error)
          // Whoever has waited three seconds for a lock (55P03) has held a connection long enough.
          if (attempt === 4 || !isWorthAnotherTry(error)) throw error
          await pause(Math.random() * 20 * 2 ** attempt)
        }
      }
    },
    inOneStatement,
    async dedicated() {
      const client = pools.client()
      await noted(client.connect())
      return client
    },
    stats: pools.stats,
    async close() {
      outage.end()
      await pools.close()
    },
  }
}
