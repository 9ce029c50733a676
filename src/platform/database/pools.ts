// The pools of connections: one that cannot write, one for transactions, and a small one for reads at length.
// Connections that are lost or silent are noticed here, and closing waits for the last of them.

import { once } from 'node:events'
import pg from 'pg'
import { lowerProcessPriority } from '../priority.ts'
import type { PoolStats } from './db.ts'
import type { OutageListener } from './outage.ts'
import type { ReadSlotTimes } from './read-slots.ts'
import { openSilenceWatch } from './silence.ts'
import { types } from './statement.ts'

// How long the database may be silent on every connection, a new one included, before it counts as away.
// Shorter than the two seconds within which callers are answered.
const silenceMs = 1_500
/** Places for reads at length, unless somebody says how many. */
export const defaultSnapshots = 2
// How long closing waits for the last connection.
const closingMs = 4_000

const session =
  '-c timezone=UTC -c jit=off -c lock_timeout=3s -c idle_in_transaction_session_timeout=60s -c ' +
  'statement_timeout=30s'

// A pooler may drop what a connection asks for when it is opened. This sets it, and returns what was not so.
// That reads cannot write is not set: the connection of the server may serve a write next.
const setWhatDiffers = `
  select name, set_config(name, wanted, false) from (values ('TimeZone', 'UTC'), ('jit', 'off'),
    ('lock_timeout', '3s'), ('idle_in_transaction_session_timeout', '1min'), ('statement_timeout', '30s'))
    as s (name, wanted)
  where current_setting(name) <> wanted`
// A transaction pooler may run the next transaction on a connection of the server that nobody has set.
const beginAndSet = `begin; set local timezone = 'UTC'; set local jit = off; set local lock_timeout = '3s';
  set local idle_in_transaction_session_timeout = '60s'; set local statement_timeout = '30s'`

/** How to reach the database, and the limits of its use. */
export interface DatabaseOptions extends OutageListener {
  /** How to reach it: a connection string, or the pieces of one. */
  connection:
    | { connectionString: string }
    | { host: string; user: string; database: string; port?: number; isBuiltIn?: boolean }
  /**
   * How to reach it without a transaction pooler, for what needs a session: LISTEN, advisory locks. The same
   * way by default.
   */
  directConnection?: DatabaseOptions['connection'] | undefined
  /** connections of each of the two pools */
  poolSize: number
  /** connections for reads at length, of the process; 2 unless said */
  snapshots?: number | undefined
  /** how long whoever reads at length may keep others waiting; see places.ts for what is usual */
  readSlotTimes?: Partial<ReadSlotTimes> | undefined
  /** Whether the processes of the built-in database that serve it give way to others. */
  hasLowPriority?: boolean
  /** how long a new connection may take; 2,000 unless said */
  connectMs?: number | undefined
  /** name shown in pg_stat_activity */
  name?: string
  /** a connection that waits longer than this without receiving a byte is cut; no limit by default */
  maxStatementMs?: number
  /** receives what tasks throw that run after a commit */
  onError?: (error: Error) => void
  /** Told once when a pooler drops these settings of a connection. */
  onDroppedSettings?: (names: readonly string[]) => void
}

/** The pools, and single connections. */
export interface Pools {
  readonly readers: pg.Pool
  readonly writers: pg.Pool
  /** for snapshots, each of which holds a connection until it ends */
  readonly snapshots: pg.Pool
  /** what begins a transaction */
  begin(): string
  /** A connection of its own, not yet connected; `isDirect`: around any pooler. */
  client(isDirect: boolean): pg.Client
  stats(): PoolStats
  /** Resolves when every connection of the pools is gone. */
  close(): Promise<void>
}

/** The settings that all connections share. */
const commonOf = (options: DatabaseOptions): pg.PoolConfig => ({
  ...options.connection,
  types,
  max: options.poolSize,
  connectionTimeoutMillis: options.connectMs ?? 2_000,
  idleTimeoutMillis: 30_000,
  application_name: options.name ?? 'waybill',
  keepAlive: true,
})

/** Returns which of these backends are idle, asked over a new connection; undefined without an answer. */
async function idleAmong(config: pg.PoolConfig, backends: readonly number[]): Promise<number[] | undefined> {
  const client = new pg.Client({ ...config, connectionTimeoutMillis: silenceMs, query_timeout: silenceMs })
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query(
      `select pid from pg_stat_activity where pid = any ($1::int[]) and state = 'idle'`,
      [backends],
    )
    return rows.map(({ pid }) => pid)
  } catch {
    return undefined
  } finally {
    client.end().catch(() => {})
  }
}

/**
 * Makes connections of a pool whose settings are checked, and set where they differ, before they count as
 * connected. Not by `verify` of the pool: who has given up waiting meanwhile would never give theirs back.
 */
function checkSettings({ onDroppedSettings }: DatabaseOptions) {
  let areDropped = false
  async function check(client: pg.Client): Promise<pg.Client> {
    const { rows } = await client.query<{ name: string }>(setWhatDiffers)
    if (rows.length > 0 && !areDropped) {
      areDropped = true
      onDroppedSettings?.(rows.map(({ name }) => name))
    }
    return client
  }
  class CheckedClient extends pg.Client {
    override connect(): Promise<pg.Client>
    override connect(callback: (error: Error) => void): void
    override connect(callback?: (error: Error) => void): Promise<pg.Client> | undefined {
      // Whoever waits for the connection is told; nobody listens to it yet.
      this.on('error', () => {})
      const checked = super.connect().then(() => check(this))
      if (callback === undefined) return checked
      const done = callback as (error: Error | null) => void
      checked.then(() => done(null), done)
      return undefined
    }
  }
  return { areDropped: () => areDropped, CheckedClient }
}

/**
 * Opens the pools; no connection is made yet. `onLost` is called for every connection that breaks, even one
 * that is idle.
 */
export function openPools(options: DatabaseOptions, onLost: (error: Error) => void): Pools {
  const silence = openSilenceWatch({
    maxMs: options.maxStatementMs ?? Number.POSITIVE_INFINITY,
    idleAmong: backends => idleAmong(commonOf(options), backends),
  })
  const settings = checkSettings(options)
  const common: pg.PoolConfig = { ...commonOf(options), stream: silence.stream }
  const pooled = { ...common, Client: settings.CheckedClient }
  const readers = new pg.Pool({ ...pooled, options: `${session} -c default_transaction_read_only=on` })
  const writers = new pg.Pool({ ...pooled, options: session, pipeline: true } as pg.PoolConfig)
  // A snapshot says all its settings when it begins, and waits for whoever reads it: it is not watched.
  const snapshots = new pg.Pool({ ...common, max: options.snapshots ?? defaultSnapshots })
  const open = new Set<pg.PoolClient>()
  const { connection } = options
  const hasLowPriority =
    options.hasLowPriority === true && 'isBuiltIn' in connection && connection.isBuiltIn === true
  for (const pool of [readers, writers, snapshots]) {
    pool.on('error', onLost)
    pool.on('connect', client => {
      open.add(client)
      client.on('error', onLost)
      if (hasLowPriority) lowerProcessPriority(client.processID)
      client.once('end', () => open.delete(client))
    })
  }
  for (const pool of [readers, writers]) silence.watch(pool)
  return {
    readers,
    writers,
    snapshots,
    begin: () => (settings.areDropped() ? beginAndSet : 'begin'),
    client(isDirect) {
      const way = (isDirect ? options.directConnection : undefined) ?? options.connection
      // Its statements may come from several places at once.
      const config = { ...common, ...way, options: '-c timezone=UTC', pipeline: true }
      const client = new pg.Client(config as pg.ClientConfig)
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
      await Promise.all([readers.end(), writers.end(), snapshots.end()])
      // The pools do not wait for their sockets to close. A silent database is not waited for.
      const signal = AbortSignal.timeout(closingMs)
      await Promise.all([...open].map(client => once(client, 'end', { signal }).catch(() => {})))
    },
  }
}
