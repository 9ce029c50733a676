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
  const recorder = createRecorder(database)
  let actor: Actor | undefined
  const app = openServer({
    endpoints,
    database: recorder.database,
    metrics: createMetrics(),
    log: pino({ level: 'error' }, pino.destination(2)),
    authenticate: () => actor as Actor,
    access: accessRules,
    formats,
  })
  const all: RecordedRequest[] = []
  for (const { name, organisation, method, path, body } of requests) {
    actor = actors[organisation]
    all.push(recorder.begin())
    const { statusCode, payload } = await app.inject({
      method: method as 'GET',
      url: path,
      ...(body === undefined ? {} : { payload: body, headers: { 'content-type': 'application/json' } }),
    })
    if (statusCode >= 400)
      throw new Error(`${name} ${path} ${body ?? ''} was answered ${statusCode}: ${payload}`)
  }
  await app.close()
  return all
}

/** Records what is done in a database: all statements since `begin`, in the request that it returned. */
function createRecorder(database: Database): { database: Database; begin(): RecordedRequest } {
  let recorded: RecordedRequest = { inTransaction: false, groups: [] }
  let running = 0
  async function watch<T>({ text, values }: Sql, sent: Promise<T>): Promise<T> {
    if (running === 0) recorded.groups.push([])
    recorded.groups.at(-1)?.push({ text, values })
    running++
    try {
      return await sent
    } finally {
      running--
    }
  }
  const recordingDb = (db: Db): Db => ({
    rows: <Row>(query: Sql) => watch(query, db.rows<Row>(query)),
    maybe: <Row>(query: Sql) => watch(query, db.maybe<Row>(query)),
    row: <Row>(query: Sql) => watch(query, db.row<Row>(query)),
  })
  const recordingTx = (tx: Tx): Tx => ({
    ...recordingDb(tx),
    run: query => watch(query, tx.run(query)),
    afterCommit: tx.afterCommit,
    note: tx.note,
  })
  return {
    database: {
      ...database,
      db: recordingDb(database.db),
      atomically(work) {
        recorded.inTransaction = true
        return database.atomically(tx => work(recordingTx(tx)))
      },
      inOneStatement: work => database.inOneStatement(tx => work(recordingTx(tx))),
    },
    begin() {
      recorded = { inTransaction: false, groups: [] }
      return recorded
    },
  }
}
