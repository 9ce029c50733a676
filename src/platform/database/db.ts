// The database as the rest of the code sees it: `Db` reads, `Tx` is a Db with an open transaction and may
// write.
//
// Every statement is prepared under a name derived from its text. Result columns turn from snake_case to
// camelCase once per statement.

import { createHash } from 'node:crypto'
import { once } from 'node:events'
import pg from 'pg'
import sql, { type Sql } from 'sql-template-tag'
import { sqlState } from './errors.ts'
import { type OutageListener, watchForOutages } from './outage.ts'
import { openSilenceWatch } from './silence.ts'

export { empty, join, raw, type Sql } from 'sql-template-tag'
export { sql }

/** A handle that reads. */
export interface Db {
  /** All rows of a query, columns in camelCase. */
  rows<Row>(query: Sql): Promise<Row[]>
  /** The first row, or undefined. */
  maybe<Row>(query: Sql): Promise<Row | undefined>
  /** The one row that the query always has. */
  row<Row>(query: Sql): Promise<Row>
}

/** A handle with an open transaction: reads, writes, and remembers what to do once it is committed. */
export interface Tx extends Db {
  /** Runs a statement and returns how many rows it changed. */
  run(query: Sql): Promise<number>
  /**
   * Calls `task` after the commit, and not at all after a rollback. What it throws changes nothing any more.
   */
  afterCommit(task: () => void): void
}

/** The pools and the two places a transaction can begin. */
export interface Database {
  /** Reads outside a transaction, on connections that cannot write. */
  readonly db: Db
  /**
   * Runs `work` in one transaction, which begins with its first statement; serialization failures and
   * deadlocks are tried again up to three times.
   */
  atomically<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /**
   * Runs `work`, which may send exactly one statement: its own transaction, without the two round trips of
   * begin and commit.
   */
  inOneStatement<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /** A connection of its own, outside the pools: for advisory locks and LISTEN. The caller ends it. */
  dedicated(): Promise<pg.Client>
  /** connections open, idle, and requests waiting for one */
  stats(): Record<'total' | 'idle' | 'waiting', number>
  /** Resolves when every connection of the pools is gone, so that the server may be stopped. */
  close(): Promise<void>
}

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

const types = new pg.TypeOverrides()
const { builtins } = pg.types
types.setTypeParser(builtins.INT8, Number)
types.setTypeParser(builtins.NUMERIC, Number)
types.setTypeParser(builtins.DATE, text => text)
types.setTypeParser(builtins.TIMESTAMP, text => `${text.slice(0, 10)}T${text.slice(11, 19)}Z`)
types.setTypeParser(builtins.TIMESTAMPTZ, text => {
  const fraction = text[19] === '.' ? text.slice(20, text.indexOf('+', 20)) : ''
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${fraction.slice(0, 3).padEnd(3, '0')}Z`
})

const units: Record<string, string> = { kg: 'KG', mm: 'MM' }

/** `weight_kg` to `weightKG`, `created_utc` to `createdUtc`: units stand as the specification spells them. */
export const camelCase = (column: string): string =>
  column
    .split('_')
    .map((word, i) => (i === 0 ? word : (units[word] ?? word[0]?.toUpperCase() + word.slice(1))))
    .join('')

const names = new Map<string, string>()

// Texts that depend on what a caller sent must not fill the memory of every connection.
const maxNames = 1_000

// How long a database may say nothing over any connection, an attempted new one included. Callers are told
// within two seconds.
const silenceMs = 1_500
const closingMs = 4_000

/** The name that a statement is prepared under; undefined, not prepared, once there are too many. */
const nameOf = (text: string): string | undefined => {
  let name = names.get(text)
  if (name === undefined && names.size < maxNames) {
    name = createHash('sha256').update(text).digest('base64url').slice(0, 24)
    names.set(text, name)
  }
  return name
}

const columns = new Map<string, string[]>()

interface Outcome {
  rows: Record<string, unknown>[]
  count: number
}

async function send(client: pg.Pool | pg.PoolClient, query: Sql): Promise<Outcome> {
  const name = nameOf(query.text)
  const statement = { text: query.text, values: query.values, rowMode: 'array' as const }
  const result = await client.query<unknown[]>(name === undefined ? statement : { name, ...statement })
  let keys = name === undefined ? undefined : columns.get(name)
  if (keys === undefined || keys.length !== result.fields.length) {
    keys = result.fields.map(field => camelCase(field.name))
    if (name !== undefined) columns.set(name, keys)
  }
  const rows = new Array<Record<string, unknown>>(result.rows.length)
  for (let i = 0; i < rows.length; i++) {
    const values = result.rows[i] as unknown[]
    const row: Record<string, unknown> = {}
    for (let k = 0; k < keys.length; k++) row[keys[k] as string] = values[k]
    rows[i] = row
  }
  return { rows, count: result.rowCount ?? 0 }
}

/** The three ways of reading, over anything that can send a query. */
function reading(ask: (query: Sql) => Promise<Outcome>): Db {
  return {
    rows: async <Row>(query: Sql) => (await ask(query)).rows as Row[],
    maybe: async <Row>(query: Sql) => (await ask(query)).rows[0] as Row | undefined,
    row: async <Row>(query: Sql) => {
      const [row] = (await ask(query)).rows
      if (row === undefined) throw new Error(`A query that always has a row had none: ${query.text}`)
      return row as Row
    },
  }
}

function writing(
  ask: (query: Sql) => Promise<Outcome>,
  onError: (error: Error) => void,
): { tx: Tx; committed: () => void } {
  const tasks: (() => void)[] = []
  const tx: Tx = {
    ...reading(ask),
    run: async query => (await ask(query)).count,
    afterCommit: task => tasks.push(task),
  }
  return {
    tx,
    committed: () => {
      for (const task of tasks) {
        try {
          task()
        } catch (error) {
          onError(error as Error)
        }
      }
    },
  }
}

// Not 55P03: who has waited three seconds for a lock has held a connection long enough.
const retryable = new Set(['40001', '40P01'])
const alreadyUndone = '25P02'
const pause = (ms: number) => new Promise(resolve => setTimeout(resolve, ms))

/** Opens the pools. No connection is made until the first query. */
export function openDatabase(options: DatabaseOptions): Database {
  const silence = openSilenceWatch({
    longestMs: options.longestStatementMs ?? Number.POSITIVE_INFINITY,
    async idleAmong(backends) {
      const client = new pg.Client({
        ...common,
        connectionTimeoutMillis: silenceMs,
        query_timeout: silenceMs,
      })
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
    },
  })
  const common: pg.PoolConfig = {
    ...options.connection,
    stream: silence.stream,
    types,
    max: options.poolSize,
    connectionTimeoutMillis: 2_000,
    idleTimeoutMillis: 30_000,
    application_name: options.name ?? 'waybill',
    keepAlive: true,
  }
  const session =
    '-c timezone=UTC -c jit=off -c lock_timeout=3s -c idle_in_transaction_session_timeout=60s -c ' +
    'statement_timeout=30s'
  const readers = new pg.Pool({ ...common, options: `${session} -c default_transaction_read_only=on` })
  const writers = new pg.Pool({ ...common, options: session, pipeline: true } as pg.PoolConfig)
  const onError = (error: Error) => options.onError?.(error)
  const outage = watchForOutages(() => readers.query('select 1'), options)
  // A connection that breaks while nobody waits for it must not end the process. While it closes, connections
  // are meant to go.
  const onLost = outage.note
  const noted = <T>(work: Promise<T>): Promise<T> => {
    work.catch(outage.note)
    return work
  }
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

  /** A connection that has begun a transaction. */
  async function begin() {
    const client = await writers.connect()
    // Sent together with the first statement, so it costs no round trip of its own.
    const begun = client.query('begin')
    begun.catch(() => {})
    return { client, begun }
  }

  async function transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    // Taken for the first statement: what is looked at before holds no connection, and is not what the
    // transaction's time begins with.
    const taken: { session?: ReturnType<typeof begin> } = {}
    let isOver = false
    let undoing: pg.DatabaseError | undefined
    let broken: Error | undefined
    async function ask(query: Sql): Promise<Outcome> {
      if (isOver) throw new Error('A statement after the end of its transaction.')
      taken.session ??= begin()
      const { client } = await taken.session
      try {
        return await send(client, query)
      } catch (error) {
        // Of statements sent together, those behind the one that failed are refused for it; whoever waits for
        // all may hear of them first.
        if (undoing !== undefined && sqlState(error) === alreadyUndone) throw undoing
        if (error instanceof pg.DatabaseError) undoing ??= error
        throw error
      }
    }
    const { tx, committed } = writing(ask, onError)
    try {
      const result = await work(tx).finally(() => {
        isOver = true
      })
      if (taken.session !== undefined) {
        const { client, begun } = await taken.session
        await begun
        const end = await client.query('commit')
        if (end.command !== 'COMMIT')
          throw new Error('The transaction was already undone by a failed statement.', { cause: undoing })
      }
      committed()
      return result
    } catch (error) {
      await taken.session
        ?.then(({ client }) => client.query('rollback'))
        .catch((failure: Error) => {
          broken = failure
        })
      throw error
    } finally {
      await taken.session?.then(
        ({ client }) => client.release(broken),
        () => {},
      )
    }
  }

  return {
    db: reading(query => noted(send(readers, query))),
    async atomically(work) {
      for (let attempt = 1; ; attempt++) {
        try {
          return await transaction(work)
        } catch (error) {
          outage.note(error)
          if (attempt === 4 || !retryable.has(sqlState(error) ?? '')) throw error
          await pause(Math.random() * 20 * 2 ** attempt)
        }
      }
    },
    async inOneStatement(work) {
      let sent = false
      const { tx, committed } = writing(query => {
        if (sent) throw new Error('A second statement where one was promised.')
        sent = true
        return noted(send(writers, query))
      }, onError)
      const result = await work(tx)
      committed()
      return result
    },
    async dedicated() {
      const client = new pg.Client({ ...common, options: '-c timezone=UTC' })
      client.on('error', onLost)
      await noted(client.connect())
      return client
    },
    stats: () => ({
      total: readers.totalCount + writers.totalCount,
      idle: readers.idleCount + writers.idleCount,
      waiting: readers.waitingCount + writers.waitingCount,
    }),
    async close() {
      outage.end()
      silence.stop()
      await Promise.all([readers.end(), writers.end()])
      // The pools do not wait for their sockets. A database that says nothing more is not waited for.
      const signal = AbortSignal.timeout(closingMs)
      await Promise.all([...open].map(client => once(client, 'end', { signal }).catch(() => {})))
    },
  }
}
