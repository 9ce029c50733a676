// Records the statements that the service sends for a request: in process, one request at a time, on the
// database of the load.

import { pino } from 'pino'
import { accessRules } from '../src/access/access-rules.ts'
import type { Actor } from '../src/access/actor.ts'
import type { Endpoint } from '../src/access/endpoint.ts'
import type { Database, Db, Sql, Tx } from '../src/platform/database/db.ts'
import { openServer } from '../src/platform/http/server.ts'
import { createMetrics } from '../src/platform/metrics.ts'
import { formats } from '../src/process/formats.ts'
import type { MixedRequest } from './mixed-requests.ts'

/** One statement with its values. */
export interface Statement {
  text: string
  values: unknown[]
}

/** What one request does in the database. */
export interface RecordedRequest {
  /** whether the statements are in one transaction; otherwise each is its own */
  inTransaction: boolean
  /** groups of statements; those of a group are sent without waiting for each other */
  groups: Statement[][]
}

/** Sends every request once. Returns the statements of each. Throws if a request is refused. */
export async function record(
  database: Database,
  endpoints: readonly Endpoint[],
  actors: readonly Actor[],
  requests: readonly MixedRequest[],
): Promise<RecordedRequest[]> {
  let recorded: RecordedRequest = { inTransaction: false, groups: [] }
  let underWay = 0

  async function watch<T>({ text, values }: Sql, sent: Promise<T>): Promise<T> {
    if (underWay === 0) recorded.groups.push([])
    recorded.groups.at(-1)?.push({ text, values })
    underWay++
    try {
      return await sent
    } finally {
      underWay--
    }
  }
  const watchedDb = (db: Db): Db => ({
    rows: <Row>(query: Sql) => watch(query, db.rows<Row>(query)),
    maybe: <Row>(query: Sql) => watch(query, db.maybe<Row>(query)),
    row: <Row>(query: Sql) => watch(query, db.row<Row>(query)),
  })
  const watchedTx = (tx: Tx): Tx => ({
    ...watchedDb(tx),
    run: query => watch(query, tx.run(query)),
    afterCommit: tx.afterCommit,
  })
  const watched: Database = {
    ...database,
    db: watchedDb(database.db),
    atomically(work) {
      recorded.inTransaction = true
      return database.atomically(tx => work(watchedTx(tx)))
    },
    inOneStatement: work => database.inOneStatement(tx => work(watchedTx(tx))),
  }

  let actor: Actor | undefined
  const app = openServer({
    endpoints,
    database: watched,
    metrics: createMetrics(),
    log: pino({ level: 'error' }, pino.destination(2)),
    authenticate: () => actor as Actor,
    access: accessRules,
    formats,
  })
  const all: RecordedRequest[] = []
  for (const { name, organisation, method, path, body } of requests) {
    actor = actors[organisation]
    recorded = { inTransaction: false, groups: [] }
    const sending = {
      method: method as 'GET',
      url: path,
      ...(body === undefined ? {} : { payload: body, headers: { 'content-type': 'application/json' } }),
    }
    const { statusCode, payload } = await app.inject(sending)
    if (statusCode >= 400)
      throw new Error(`${name} ${path} ${body ?? ''} was answered ${statusCode}: ${payload}`)
    all.push(recorded)
  }
  await app.close()
  return all
}
