// What the benchmarks of reading stock share: a database with an organisation, its endpoints, and the
// durations of requests.

import pg from 'pg'
import { pino } from 'pino'
import { accessRules } from '../src/access/access-rules.ts'
import type { Endpoint } from '../src/access/endpoint.ts'
import { type Database, type Db, type Sql, sql } from '../src/platform/database/db.ts'
import { migrate } from '../src/platform/database/migrate.ts'
import { openDatabase } from '../src/platform/database/open-database.ts'
import { openEmbeddedPostgres } from '../src/platform/embedded-postgres/open.ts'
import { openServer } from '../src/platform/http/server.ts'
import { createMetrics } from '../src/platform/metrics.ts'
import { openDataFolder } from './data-folder.ts'
import { percentile } from './figures.ts'
import { type LoadedStock, loadedStock } from './inventory-load.ts'

interface Options {
  endpoints: readonly Endpoint[]
  /** the name of the organisation, which is loaded if it does not exist yet */
  name: string
  load(client: pg.Client, name: string): Promise<void>
  /** a data folder to use and keep; the default is a temporary one */
  keep: string | undefined
  /** shows the plan of every query */
  isExplained: boolean
}

/** The durations of each request in milliseconds, by group and request. */
export type Groups = Map<string, Map<string, number[]>>

/** Opens the database and the endpoints. */
export async function openInventoryBench(options: Options) {
  const { keep } = options
  const { dataDir, remove } =
    keep === undefined ? await openDataFolder() : { dataDir: keep, remove: () => {} }
  const postgres = await openEmbeddedPostgres({
    dataDir,
    log: { info: () => {}, warn: (message: string) => console.error(message) },
  })
  const database = openDatabase({ connection: postgres.connection, poolSize: 4 })
  const stock = await loadStock(postgres.connection, options)
  const app = await openApp(database, stock, options)
  const measureRequest = (path: string) => requestPage(app, path)
  return {
    app,
    loaded: stock,
    database,
    measureRequest,
    /** Sends every request this often, and once before to fill the caches. */
    async measure(requests: readonly [group: string, path: string][], rounds: number): Promise<Groups> {
      const groups: Groups = new Map()
      for (let round = -1; round < rounds; round++)
        for (const [group, path] of requests) {
          const { ms, total } = await measureRequest(path)
          const durations = groups.get(group) ?? new Map<string, number[]>()
          groups.set(group, durations)
          const key = `${path} (${total})`
          if (round >= 0) durations.set(key, [...(durations.get(key) ?? []), ms])
        }
      return groups
    },
    async close() {
      await app.close()
      await database.close()
      await postgres.stop()
      await remove()
    },
  }
}

/** Migrates the database, and loads the organisation unless it exists already. */
async function loadStock(connection: pg.ClientConfig, { name, load }: Options): Promise<LoadedStock> {
  const client = new pg.Client(connection)
  await client.connect()
  await migrate(client)
  const started = performance.now()
  if ((await loadedStock(client, name)) === undefined) {
    await load(client, name)
    console.log(`loaded ${name} in ${Math.round((performance.now() - started) / 1000)} s`)
  }
  const stock = (await loadedStock(client, name)) as LoadedStock
  await client.end()
  return stock
}

/** Opens a server in this process that takes every request for one of a user of the loaded organisation. */
async function openApp(database: Database, stock: LoadedStock, { endpoints, isExplained }: Options) {
  const { organisationId, userId, connectionId } = stock
  const app = openServer({
    endpoints,
    database: isExplained ? { ...database, db: explainingDatabase(database) } : database,
    metrics: createMetrics(),
    log: pino({ level: 'error' }),
    authenticate: () => ({
      ...{ organisationId, userId, connectionId, clientId: '', partnerId: null, partnerKind: null },
      scopes: new Set(['inventory', 'report', 'financial']),
    }),
    access: accessRules,
    formats: {},
  })
  await app.ready()
  return app
}

/** Requests a page. Returns the duration in milliseconds, and how many rows the list has. */
async function requestPage(
  app: Awaited<ReturnType<typeof openApp>>,
  path: string,
): Promise<{ ms: number; total: number }> {
  const from = performance.now()
  const response = await app.inject(path)
  const ms = performance.now() - from
  if (response.statusCode !== 200) throw new Error(`${path}: ${response.body}`)
  return { ms, total: response.json().total }
}

/** The database as a handler sees it. It can also show the plan of every query. */
const explainingDatabase = ({ db }: Database): Db => ({
  ...db,
  async rows<Row>(query: Sql) {
    const plan = await db.rows<Record<string, string>>(sql`explain (analyze, buffers) ${query}`)
    for (const line of plan) console.log(Object.values(line)[0])
    return db.rows<Row>(query)
  },
})

/** Prints a line for each group: its percentiles, and the request whose fastest round was the slowest. */
export function printGroups(groups: Groups) {
  return [...groups].map(([group, requests]) => {
    const sorted = [...requests.values()].flat().toSorted((a, b) => a - b)
    const [p50, p95, p99] = [percentile(sorted, 0.5), percentile(sorted, 0.95), percentile(sorted, 0.99)]
    const [slowest] = [...requests]
      .map(([query, ms]) => ({ query, best: Math.min(...ms) }))
      .toSorted((a, b) => b.best - a.best)
    const figures = [p50, p95, p99, slowest?.best ?? 0].map(ms => ms.toFixed(1).padStart(7)).join(' ')
    console.log(`${group.padEnd(44)} p50, p95, p99, best of slowest:${figures}  ${slowest?.query}`)
    return { group, p50, p95, p99 }
  })
}
