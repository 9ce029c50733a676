// A read at length: everything as it was at one moment, in a transaction that cannot write, row by row
// through a cursor, so that a result of any size takes the memory of one batch.

import pg from 'pg'
import { lowerProcessPriority } from '../priority.ts'
import type { Database, Snapshot } from './db.ts'
import { TemporarilyUnavailable } from './errors.ts'
import type { RunLimited } from './limit-concurrency.ts'

/** So many rows are fetched first: what has no more is an answer of one piece. */
export const firstRows = 1_000
/** And so many at a time after that: few, for others wait while the database and we are at them. */
export const batchRows = 500
/** How long a fetch may take on the server, and the whole. */
const maxFetchSeconds = 120
const maxMs = 600_000

// A plan that is best for the whole result, not for its first rows. The server notices within a second that
// we have left.
const begin = `begin isolation level repeatable read read only;
  set local timezone = 'UTC'; set local jit = off; set local work_mem = '64MB';
  set local cursor_tuple_fraction = 1.0; set local statement_timeout = '${maxFetchSeconds}s';
  set local idle_in_transaction_session_timeout = '90s'; set local client_connection_check_interval = '1s'`

/** A connection that a snapshot uses until it gives it back, as usable or not. */
export interface BorrowedConnection {
  client: pg.ClientBase
  release(isBroken: boolean): void
}

const asText = { getTypeParser: () => (text: string) => text }

const tookTooLong = () =>
  new TemporarilyUnavailable('The report took longer than ten minutes and was stopped.', 60)

/** The rows that `next` fetches so many of, while there are any. */
async function* batches(
  next: (count: number) => Promise<{ rows: (string | null)[][] }>,
): AsyncGenerator<(string | null)[][]> {
  let asked = firstRows
  let coming = next(asked)
  for (;;) {
    const { rows } = await coming
    const isLast = rows.length < asked
    // The database goes on while these are taken. What goes wrong with it is told to whoever wants more.
    if (!isLast) {
      asked = batchRows
      coming = next(asked)
      coming.catch(() => {})
    }
    if (rows.length > 0) yield rows
    // Promises that are done with lead from each batch to the next one. In the old space, which is seldom
    // collected, they would keep all rows, and the young space, which is often, would copy them there.
    rows.length = 0
    if (isLast) return
  }
}

/** What is usual: no turns are waited for. */
const atOnce: RunLimited = work => work()

/**
 * Begins a snapshot. When the signal fires, or after ten minutes, its connection is cut, and what it is asked
 * fails. Each of its batches is fetched in turn.
 */
export async function beginSnapshot(
  { client, release }: BorrowedConnection,
  signal: AbortSignal,
  { longestMs = maxMs, runLimited = atOnce }: { longestMs?: number; runLimited?: RunLimited } = {},
): Promise<Snapshot> {
  const over = AbortSignal.any([signal, AbortSignal.timeout(longestMs)])
  let isClosing = false
  let isEnded = false
  function end(isBroken: boolean): void {
    if (isEnded) return
    isEnded = true
    over.removeEventListener('abort', cut)
    release(isBroken)
  }
  const cut = () => end(true)
  async function ask<T>(
    query: pg.QueryConfig | pg.QueryArrayConfig,
  ): Promise<pg.QueryResult & { rows: T[] }> {
    try {
      if (over.aborted) throw over.reason
      // The server stops the statement; this is for one that has fallen silent.
      const limited = { ...query, query_timeout: (maxFetchSeconds + 5) * 1000 }
      return await client.query(limited as pg.QueryConfig)
    } catch (error) {
      end(true)
      if (!over.aborted) throw error
      throw signal.aborted ? signal.reason : tookTooLong()
    }
  }
  const next = (count: number) =>
    runLimited(async () => {
      // Its turn may come when nobody wants it any more.
      if (isClosing) throw new Error('The snapshot has ended.')
      return ask<(string | null)[]>({
        ...{ text: `fetch forward ${count} from report`, rowMode: 'array' as const, types: asText },
      })
    })
  over.addEventListener('abort', cut)
  await ask({ text: begin })
  return {
    async *rows({ text, values }) {
      await ask({ text: `declare report no scroll cursor for ${text}`, values })
      yield* batches(next)
    },
    async close() {
      isClosing = true
      if (isEnded) return
      await ask({ text: 'commit' }).catch(() => {})
      end(false)
    },
  }
}

/** A snapshot over a new connection, which its end closes. Requests go before it where that can be had. */
export async function connectSnapshot(
  connection: Database['connection'],
  signal: AbortSignal,
  runLimited: RunLimited = atOnce,
): Promise<Snapshot> {
  const client = new pg.Client({ ...connection, connectionTimeoutMillis: 2_000 })
  // Whoever asks is told.
  client.on('error', () => {})
  await client.connect()
  if (connection.isBuiltIn) lowerProcessPriority(client.processID)
  return beginSnapshot({ client, release: () => void client.end().catch(() => {}) }, signal, { runLimited })
}
