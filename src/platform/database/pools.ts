// The connection pools: a read-only one, one for transactions, and a small one for long reads. Lost and
// unresponsive connections are noticed here, and closing waits until the last connection is gone.

import { once } from 'node:events'
import pg from 'pg'
import { lowerProcessPriority } from '../priority.ts'
import type { PoolStats } from './db.ts'
import type { OutageListener } from './outage.ts'
import type { ReadSlotTimes } from './read-slots.ts'
import { createStallDetector } from './stall-detector.ts'
import { types } from './statement.ts'

// How long the database may send nothing on any connection, including a new one, before it counts as
// unavailable. Shorter than the two seconds within which callers get a response.
const silenceMs = 1_500
/** The default number of connections, and slots, for long reads. */
export const defaultSnapshots = 2
// How long closing waits for the last connection.
const maxClosingMs = 4_000

const sessionOptions =
  '-c timezone=UTC -c jit=off -c lock_timeout=3s -c idle_in_transaction_session_timeout=60s -c ' +
  'statement_timeout=30s'
// Transactions have many statements, each of which reads few rows of large tables. So the connections that
// write plan each statement once, with indexes. A plan lives as long as its connection: one that scans whole
// tables, made while they were empty, would be slow once they are full. Without the second setting the first
// five plans (or all, if a list is shorter than the planner expects) would be made anew for the actual
// values, and planning takes longer than running the statement. plan-for-whole-tables.ts undoes both.
const writerOptions = `${sessionOptions} -c enable_seqscan=off -c plan_cache_mode=force_generic_plan`

// A pooler may drop the settings that a connection requests when it is opened. This statement sets those that
// differ, and returns them. It neither makes readers read-only nor sets how writers plan, because the pooler
// may use the same server connection for the other next.
const correctSettings = `
  select name, set_config(name, wanted, false) from (values ('TimeZone', 'UTC'), ('jit', 'off'),
    ('lock_timeout', '3s'), ('idle_in_transaction_session_timeout', '1min'), ('statement_timeout', '30s'))
    as s (name, wanted)
  where current_setting(name) <> wanted`
// A transaction pooler may run the next transaction on a server connection without our settings.
const beginAndSet = `begin; set local timezone = 'UTC'; set local jit = off; set local lock_timeout = '3s';
  set local idle_in_transaction_session_timeout = '60s'; set local statement_timeout = '30s';
  set local enable_seqscan = off; set local plan_cache_mode = force_generic_plan`

/** How to reach the database, and the limits on using it. */
export interface DatabaseOptions extends OutageListener {
  /** how to reach it: a connection string, or its parts */
  connection:
    | { connectionString: string }
    | { host: string; user: string; database: string; port?: number; isBuiltIn?: boolean }
  /**
   * how to reach it without a transaction pooler, for LISTEN and advisory locks, which need a session;
   * `connection` by default
   */
  directConnection?: DatabaseOptions['connection'] | undefined
  /** the number of connections of each of the two main pools */
  poolSize: number
  /** the number of connections, and slots, for long reads; 2 by default */
  snapshots?: number | undefined
  /** time limits for long reads; see read-slots.ts for the defaults */
  readSlotTimes?: Partial<ReadSlotTimes> | undefined
  /** whether the built-in database serves these pools at a lower priority */
  hasLowPriority?: boolean
  /** how long connecting may take, in milliseconds; 2,000 by default */
  connectMs?: number | undefined
  /** the name shown in pg_stat_activity */
  name?: string
  /**
   * A connection in use that receives no byte for this long, in milliseconds, is cut; no limit by default.
   */
  maxStatementMs?: number
  /** receives the errors of tasks that run after a commit */
  onError?: (error: Error) => void
  /** Called once when a pooler drops these settings of a connection. */
  onDroppedSettings?: (names: readonly string[]) => void
}

/** The pools, and a way to open single connections. */
export interface Pools {
  readonly readers: pg.Pool
  readonly writers: pg.Pool
  /** for snapshots, each of which holds its connection until it ends */
  readonly snapshots: pg.Pool
  /** the SQL that begins a transaction */
  begin(): string
  /** Makes a client outside the pools, not yet connected. `isDirect`: it bypasses any pooler. */
  client(isDirect: boolean): pg.Client
  stats(): PoolStats
  /** Resolves when every connection of the pools is closed. */
  close(): Promise<void>
}

/** The configuration that all connections share. */
const commonConfig = (options: DatabaseOptions): pg.PoolConfig => ({
  ...options.connection,
  types,
  max: options.poolSize,
  connectionTimeoutMillis: options.connectMs ?? 2_000,
  idleTimeoutMillis: 30_000,
  application_name: options.name ?? 'waybill',
  keepAlive: true,
})

/** Asks over a new connection which of these backends are idle. Returns undefined if there is no reply. */
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
 * Makes a client class for pools that checks its settings, and corrects those that differ, before it counts
 * as connected. The pool's own `verify` would not do: a caller that gives up waiting during it would leak its
 * connection.
 */
function checkSettings({ onDroppedSettings }: DatabaseOptions) {
  let areDropped = false
  async function check(client: pg.Client): Promise<pg.Client> {
    const { rows } = await client.query<{ name: string }>(correctSettings)
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
      // The caller that waits for the connection gets the error; there is no other listener yet.
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
 * Opens the pools; no connection is made yet. `onLost` is called for every connection that breaks, even an
 * idle one.
 */
export function openPools(options: DatabaseOptions, onLost: (error: Error) => void): Pools {
  const stallDetector = createStallDetector({
    maxMs: options.maxStatementMs ?? Number.POSITIVE_INFINITY,
    idleAmong: backends => idleAmong(commonConfig(options), backends),
  })
  const settings = checkSettings(options)
  const common: pg.PoolConfig = { ...commonConfig(options), stream: stallDetector.stream }
  const pooled = { ...common, Client: settings.CheckedClient }
  const readers = new pg.Pool({ ...pooled, options: `${sessionOptions} -c default_transaction_read_only=on` })
  const writers = new pg.Pool({ ...pooled, options: writerOptions, pipeline: true } as pg.PoolConfig)
  // A snapshot sets everything when it begins, and waits for its reader, so it is not watched for stalls.
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
  for (const pool of [readers, writers]) stallDetector.watch(pool)
  return {
    readers,
    writers,
    snapshots,
    begin: () => (settings.areDropped() ? beginAndSet : 'begin'),
    client(isDirect) {
      const target = (isDirect ? options.directConnection : undefined) ?? options.connection
      // pipeline: several callers may send statements at the same time.
      const config = { ...common, ...target, options: '-c timezone=UTC', pipeline: true }
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
      stallDetector.stop()
      await Promise.all([readers.end(), writers.end(), snapshots.end()])
      // The pools themselves do not wait for their sockets to close. A stalled database is not waited for.
      const signal = AbortSignal.timeout(maxClosingMs)
      await Promise.all([...open].map(client => once(client, 'end', { signal }).catch(() => {})))
    },
  }
}
