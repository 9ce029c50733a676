// The two pools of connections: one that cannot write, and one for transactions. Connections that are lost
// or silent are noticed here, and closing waits for the last of them.

import { once } from 'node:events'
import pg from 'pg'
import type { OutageListener } from './outage.ts'
import { openSilenceWatch } from './silence.ts'
import { types } from './statement.ts'

// How long a database may say nothing over any connection, an attempted new one included. Callers are told
// within two seconds.
const silenceMs = 1_500
// How long closing waits for the last connection.
const closingMs = 4_000

const session =
  '-c timezone=UTC -c jit=off -c lock_timeout=3s -c idle_in_transaction_session_timeout=60s -c ' +
  'statement_timeout=30s'

/** How to reach the database, and how to behave towards it. */
export interface DatabaseOptions extends OutageListener {
  /** How to reach it: a connection string, or the pieces of one. */
  connection: { connectionString: string } | { host: string; user: string; database: string; port?: number }
  /** connections of each of the two pools */
  poolSize: number
  /** name shown in pg_stat_activity */
  name?: string
  /**
   * after so long without a byte of an answer a connection is given up; without it, statements may take as
   * long as their own timeout says
   */
  longestStatementMs?: number
  /** told of what tasks threw that were to follow a commit */
  onError?: (error: Error) => void
}

/** The pools, and what else opens or ends connections. */
export interface Pools {
  readonly readers: pg.Pool
  readonly writers: pg.Pool
  /** A connection of its own, not yet connected. */
  client(): pg.Client
  /** connections open, idle, and requests waiting for one */
  stats(): Record<'total' | 'idle' | 'waiting', number>
  /** Resolves when every connection of the pools is gone. */
  close(): Promise<void>
}

/** What connections have in common. */
const commonOf = (options: DatabaseOptions): pg.PoolConfig => ({
  ...options.connection,
  types,
  max: options.poolSize,
  connectionTimeoutMillis: 2_000,
  idleTimeoutMillis: 30_000,
  application_name: options.name ?? 'waybill',
  keepAlive: true,
})

/** Asks over a connection of its own which of these backends wait for a statement. */
async function idleAmong(config: pg.PoolConfig, backends: readonly number[]): Promise<number[]> {
  const client = new pg.Client({ ...config, connectionTimeoutMillis: silenceMs, query_timeout: silenceMs })
  client.on('error', () => {})
  try {
    await client.connect()
    if (backends.length === 0) return []
    const { rows } = await client.query(
      `select pid from pg_stat_activity where pid = any ($1::int[]) and state = 'idle'`,
      [backends],
    )
    return rows.map(({ pid }) => pid)
  } catch {
    return []
  } finally {
    client.end().catch(() => {})
  }
}

/**
 * Opens the pools; no connection is made yet. `onLost` hears of every connection that breaks, even while
 * nobody waits for it.
 */
export function openPools(options: DatabaseOptions, onLost: (error: Error) => void): Pools {
  const silence = openSilenceWatch({
    longestMs: options.longestStatementMs ?? Number.POSITIVE_INFINITY,
    idleAmong: backends => idleAmong(common, backends),
  })
  const common: pg.PoolConfig = { ...commonOf(options), stream: silence.stream }
  const readers = new pg.Pool({ ...common, options: `${session} -c default_transaction_read_only=on` })
  const writers = new pg.Pool({ ...common, options: session, pipeline: true } as pg.PoolConfig)
  const open = new Set<pg.PoolClient>()
  for (const pool of [readers, writers]) {
    pool.on('error', onLost)
    pool.on('connect', client => {
      open.add(client)
      client.on('error', onLost)
      client.once('end', () => open.delete(client))
    })
    silence.watch(pool)
  }
  return {
    readers,
    writers,
    client() {
      const client = new pg.Client({ ...common, options: '-c timezone=UTC' })
      client.on('error', onLost)
      return client
    },
    stats: () => ({
      total: readers.totalCount + writers.totalCount,
      idle: readers.idleCount + writers.idleCount,
      waiting: readers.waitingCount + writers.waitingCount,
    }),
    async close() {
      silence.stop()
      await Promise.all([readers.end(), writers.end()])
      // The pools do not wait for their sockets. A database that says nothing more is not waited for.
      const signal = AbortSignal.timeout(closingMs)
      await Promise.all([...open].map(client => once(client, 'end', { signal }).catch(() => {})))
    },
  }
}
