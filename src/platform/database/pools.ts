// The two pools of connections: one that cannot write, and one for transactions. Connections that are lost
// or silent are noticed here, and closing waits for the last of them.

import { once } from 'node:events'
import pg from 'pg'
import type { PoolStats } from './db.ts'
import type { OutageListener } from './outage.ts'
import { openSilenceWatch } from './silence.ts'
import { types } from './statement.ts'

// How long the database may be silent on every connection, a new one included, before it counts as away.
// Shorter than the two seconds within which callers are answered.
const silenceMs = 1_500
// How long closing waits for the last connection.
const closingMs = 4_000

const session =
  '-c timezone=UTC -c jit=off -c lock_timeout=3s -c idle_in_transaction_session_timeout=60s -c ' +
  'statement_timeout=30s'

/** How to reach the database, and the limits of its use. */
export interface DatabaseOptions extends OutageListener {
  /** How to reach it: a connection string, or the pieces of one. */
  connection: { connectionString: string } | { host: string; user: string; database: string; port?: number }
  /** connections of each of the two pools */
  poolSize: number
  /** name shown in pg_stat_activity */
  name?: string
  /** a connection that waits longer than this without receiving a byte is cut; no limit by default */
  longestStatementMs?: number
  /** receives what tasks throw that run after a commit */
  onError?: (error: Error) => void
}

/** The two pools, and single connections. */
export interface Pools {
  readonly readers: pg.Pool
  readonly writers: pg.Pool
  /** A connection of its own, not yet connected. */
  client(): pg.Client
  stats(): PoolStats
  /** Resolves when every connection of the pools is gone. */
  close(): Promise<void>
}

/** The settings that all connections share. */
const commonOf = (options: DatabaseOptions): pg.PoolConfig => ({
  ...options.connection,
  types,
  max: options.poolSize,
  connectionTimeoutMillis: 2_000,
  idleTimeoutMillis: 30_000,
  application_name: options.name ?? 'waybill',
  keepAlive: true,
})

/** Returns which of these backends are idle, asked over a new connection. */
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
 * Opens the pools; no connection is made yet. `onLost` is called for every connection that breaks, even one
 * that is idle.
 */
export function openPools(options: DatabaseOptions, onLost: (error: Error) => void): Pools {
  const silence = openSilenceWatch({
    maxMs: options.longestStatementMs ?? Number.POSITIVE_INFINITY,
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
      busy: readers.totalCount - readers.idleCount + writers.totalCount - writers.idleCount,
      idle: readers.idleCount + writers.idleCount,
      waiting: readers.waitingCount + writers.waitingCount,
    }),
    async close() {
      silence.stop()
      await Promise.all([readers.end(), writers.end()])
      // The pools do not wait for their sockets to close. A silent database is not waited for.
      const signal = AbortSignal.timeout(closingMs)
      await Promise.all([...open].map(client => once(client, 'end', { signal }).catch(() => {})))
    },
  }
}
