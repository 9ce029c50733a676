// Opens the database: reads outside transactions, transactions that are retried, and the watch for outages.

import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import type { Database, Snapshot, Sql, Tx } from './db.ts'
import { asOutcome, isRetryable } from './errors.ts'
import { watchForOutages } from './outage.ts'
import { type DatabaseOptions, defaultSnapshots, openPools, type Pools } from './pools.ts'
import { createReadSlots } from './read-slots.ts'
import { beginSnapshot } from './snapshot.ts'
import { readHandle, type StatementOutcome, sendStatement } from './statement.ts'
import { runTransaction, writeHandle } from './transaction.ts'

/**
 * Whether the database accepts writes; a replica that is about to be promoted does not. A connection to such
 * a server is closed, because the next one may lead to another server.
 */
async function acceptsWrites(writers: pg.Pool): Promise<boolean> {
  const client = await writers.connect()
  const { rows } = await client
    .query<{ value: string }>(`select current_setting('transaction_read_only') as value`)
    .catch(error => {
      client.release(true)
      throw error
    })
  const isWritable = rows[0]?.value === 'off'
  client.release(!isWritable)
  return isWritable
}

/**
 * Sends a statement that is a transaction of its own. Throws OutcomeUnknown if it was sent and it is not
 * known whether it took effect.
 */
async function sendAlone(writers: pg.Pool, query: Sql): Promise<StatementOutcome> {
  const client = await writers.connect()
  let failure: Error | undefined
  try {
    return await sendStatement(client, query)
  } catch (error) {
    failure = error as Error
    throw asOutcome(error)
  } finally {
    client.release(failure)
  }
}

/** Begins a snapshot over a connection of the pool for snapshots. */
async function openSnapshot({ snapshots }: Pools, signal: AbortSignal): Promise<Snapshot> {
  const client = await snapshots.connect()
  return beginSnapshot({ client, release: isBroken => client.release(isBroken) }, signal)
}

/** Opens the pools. No connection is made until the first query. */
export function openDatabase(options: DatabaseOptions): Database {
  const pools = openPools(options, error => outage.note(error))
  const { readers, writers } = pools
  const onError = (error: Error) => options.onError?.(error)
  const outage = watchForOutages(() => acceptsWrites(writers), options)
  const noteErrors = <T>(work: Promise<T>): Promise<T> => {
    work.catch(outage.note)
    return work
  }

  async function inOneStatement<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    let isSent = false
    const { tx, runAfterCommit } = writeHandle(query => {
      if (isSent) throw new Error('A second statement where one was promised.')
      isSent = true
      return noteErrors(sendAlone(writers, query))
    }, onError)
    const result = await work(tx)
    runAfterCommit()
    return result
  }

  const readSlots = createReadSlots(options.snapshots ?? defaultSnapshots, options.readSlotTimes)

  const database: Database = {
    poolSize: options.poolSize,
    get original() {
      return database
    },
    db: readHandle(query => noteErrors(sendStatement(readers, query))),
    async atomically(work) {
      for (let attempt = 1; ; attempt++) {
        try {
          return await runTransaction(pools, work, onError)
        } catch (error) {
          outage.note(error)
          // A lock timeout (55P03) is not retried: the transaction has held a connection for three seconds.
          if (attempt === 4 || !isRetryable(error)) throw error
          await pause(Math.random() * 20 * 2 ** attempt)
        }
      }
    },
    inOneStatement,
    async openConnection({ isDirect } = { isDirect: true }) {
      const client = pools.client(isDirect)
      await noteErrors(client.connect())
      return client
    },
    snapshot: signal => noteErrors(openSnapshot(pools, signal)),
    takeReadSlot: readSlots.take,
    connection: options.connection,
    stats: pools.stats,
    state: outage.state,
    async close() {
      outage.stop()
      await pools.close()
    },
  }
  return database
}
