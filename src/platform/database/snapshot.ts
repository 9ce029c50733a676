// A long read: a read-only transaction that sees everything as of one moment and reads through a cursor, so
// that a result of any size takes the memory of one batch.

import pg from 'pg'
import { lowerProcessPriority } from '../priority.ts'
import type { Database, Snapshot } from './db.ts'
import { TemporarilyUnavailable } from './errors.ts'
import type { RunLimited } from './limit-concurrency.ts'

/** How many rows are fetched first. A result that has no more is one piece. */
export const firstRows = 1_000
/** How many rows are fetched at a time after that: few, because other work waits while they are handled. */
export const batchRows = 500
/** How long a fetch may take on the server, and how long the whole read. */
const maxFetchSeconds = 120
const defaultMaxMs = 600_000

// cursor_tuple_fraction: the plan is optimised for the whole result, not for its first rows.
// client_connection_check_interval: the server notices within a second when this end has gone.
const begin = `begin isolation level repeatable read read only;
  set local timezone = 'UTC'; set local jit = off; set local work_mem = '64MB';
  set local cursor_tuple_fraction = 1.0; set local statement_timeout = '${maxFetchSeconds}s';
  set local idle_in_transaction_session_timeout = '90s'; set local client_connection_check_interval = '1s'`

/** A connection that a snapshot uses, and how to give it back when it ends. */
export interface BorrowedConnection {
  client: pg.ClientBase
  release(isBroken: boolean): void
}

const asText = { getTypeParser: () => (text: string) => text }

const tookTooLong = () =>
  new TemporarilyUnavailable('The report took longer than ten minutes and was stopped.', 60)

/** Yields batches of rows until there are no more. `next` fetches at most `count` rows. */
async function* batches(
  next: (count: number) => Promise<{ rows: (string | null)[][] }>,
): AsyncGenerator<(string | null)[][]> {
  let requested = firstRows
  let nextBatch = next(requested)
  for (;;) {
    const { rows } = await nextBatch
    const isLast = rows.length < requested
    // The database fetches on while these rows are consumed. An error appears when the next batch is awaited.
    if (!isLast) {
      requested = batchRows
      nextBatch = next(requested)
      nextBatch.catch(() => {})
    }
    if (rows.length > 0) yield rows
    // Settled promises link each batch to the next one. Without this they would keep all rows alive once the
    // garbage collector has moved them to V8's old space, which it rarely collects.
    rows.length = 0
    if (isLast) return
  }
}

/** The default: no limit. */
const unlimited: RunLimited = work => work()

/**
 * Begins a snapshot. When the signal fires, or after ten minutes, the connection is cut and further queries
 * fail. Each batch is fetched through `runLimited`.
 */
export async function beginSnapshot(
  { client, release }: BorrowedConnection,
  signal: AbortSignal,
  { maxMs = defaultMaxMs, runLimited = unlimited }: { maxMs?: number; runLimited?: RunLimited } = {},
): Promise<Snapshot> {
  const stopSignal = AbortSignal.any([signal, AbortSignal.timeout(maxMs)])
  let isClosing = false
  let isEnded = false
  function end(isBroken: boolean): void {
    if (isEnded) return
    isEnded = true
    stopSignal.removeEventListener('abort', cut)
    release(isBroken)
  }
  const cut = () => end(true)
  async function query<T>(
    statement: pg.QueryConfig | pg.QueryArrayConfig,
  ): Promise<pg.QueryResult & { rows: T[] }> {
    try {
      if (stopSignal.aborted) throw stopSignal.reason
      // The server stops a slow statement itself; this timeout is for a server that has stopped responding.
      const limited = { ...statement, query_timeout: (maxFetchSeconds + 5) * 1000 }
      return await client.query(limited as pg.QueryConfig)
    } catch (error) {
      end(true)
      if (!stopSignal.aborted) throw error
      throw signal.aborted ? signal.reason : tookTooLong()
    }
  }
  const next = (count: number) =>
    runLimited(async () => {
      // The snapshot may have been closed while this fetch waited.
      if (isClosing) throw new Error('The snapshot has ended.')
      return query<(string | null)[]>({
        ...{ text: `fetch forward ${count} from report`, rowMode: 'array' as const, types: asText },
      })
    })
  stopSignal.addEventListener('abort', cut)
  await query({ text: begin })
  return {
    async *rows({ text, values }) {
      await query({ text: `declare report no scroll cursor for ${text}`, values })
      yield* batches(next)
    },
    async close() {
      isClosing = true
      if (isEnded) return
      await query({ text: 'commit' }).catch(() => {})
      end(false)
    },
  }
}

/**
 * Begins a snapshot over a new connection, which is closed with it. The built-in database serves it at a
 * lower priority than requests.
 */
export async function connectSnapshot(
  connection: Database['connection'],
  signal: AbortSignal,
  runLimited: RunLimited = unlimited,
): Promise<Snapshot> {
  const client = new pg.Client({ ...connection, connectionTimeoutMillis: 2_000 })
  // The query that fails reports the error.
  client.on('error', () => {})
  await client.connect()
  if (connection.isBuiltIn) lowerProcessPriority(client.processID)
  return beginSnapshot({ client, release: () => void client.end().catch(() => {}) }, signal, { runLimited })
}
