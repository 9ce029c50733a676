// What people read all day, over HTTP at 1,000,000 consignments of one year: the list with its figures by
// every pair of filters, far pages of it, counts by status, the search, the dashboard and what waits for a
// person. The baseline is a bare node:http route that selects 25 consignments by number; the requests of both
// are sent in turns, so that the ratios count on a busy machine.
//
// node bench/portal-reads.ts [--keep <folder>: use this folder and keep its data] [--rounds 5]
// [--only <part of a group>] [--size 1000000] [--explain "<path>": the plans of a request, in process]

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import process from 'node:process'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { pino } from 'pino'
import { accessRules } from '../src/access/access-rules.ts'
import { scopes } from '../src/access/scopes.ts'
import { createCustomApp } from '../src/custom-apps/create-app.ts'
import { type Db, type Sql, sql } from '../src/platform/database/db.ts'
import { migrate } from '../src/platform/database/migrate.ts'
import { openEmbeddedPostgres } from '../src/platform/embedded-postgres/open.ts'
import { openServer } from '../src/platform/http/server.ts'
import { createMetrics } from '../src/platform/metrics.ts'
import { openOutgoingHttp } from '../src/platform/outgoing/outgoing-http.ts'
import { readConfig } from '../src/process/config.ts'
import { openStore, type Store } from '../src/process/store.ts'
import { endpointsOf } from '../src/routes.ts'
import { type LoadedOrganisation, loadedOrganisations } from './consignments-load.ts'
import { openDataFolder } from './data-folder.ts'
import { percentile, reportFinding } from './figures.ts'
import { type PortalRead, portalReads } from './portal-read-requests.ts'
import { announcePort, serveWaybill, startRole, tokenFor } from './role.ts'
import { loadYear } from './year-load.ts'

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    keep: { type: 'string' },
    rounds: { type: 'string', default: '5' },
    only: { type: 'string' },
    size: { type: 'string', default: '1000000' },
    explain: { type: 'string' },
  },
})
const size = Number(options.size)
const log = pino({ level: 'error' }, pino.destination(2))

/** The baseline: 25 rows as JSON, nothing else. */
async function serveBare(): Promise<void> {
  const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL as string, max: 2 })
  const page = {
    name: 'page',
    text: `select id, consignment_number, reference_number, client_id, date_entered, type, status,
      warehouse_id, carrier_id from consignment where organisation_id = $1 and number <= $2
      order by number desc limit 25`,
  }
  const server = createServer(async ({ url = '' }, response) => {
    const { rows } = await pool.query({ ...page, values: url.slice(1).split('/') })
    const body = JSON.stringify(rows)
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) })
    response.end(body)
  })
  server.listen(0, '127.0.0.1', () => announcePort((server.address() as AddressInfo).port))
}

/** The organisation, loaded if it does not exist yet. */
async function load({ database }: Store, sealed: Buffer): Promise<LoadedOrganisation> {
  const client = await database.openConnection()
  try {
    await migrate(client)
    if ((await loadedOrganisations(client, size)).length === 0) {
      const started = performance.now()
      await loadYear(client, size)
      console.log(`loaded in ${Math.round((performance.now() - started) / 1000)} s`)
    }
    // The load cannot encrypt the secrets of its apps, and the service checks whether its key opens them.
    await client.query(`update custom_app set secret_hash = $1 where secret_hash = '\\x00'`, [sealed])
    return (await loadedOrganisations(client, size))[0] as LoadedOrganisation
  } finally {
    await client.end()
  }
}

const timed = async (url: string, headers: Record<string, string>): Promise<number> => {
  const started = performance.now()
  const response = await fetch(url, { headers })
  const text = await response.text()
  const ms = performance.now() - started
  if (!response.ok) throw new Error(`${url}: ${text}`)
  return ms
}

interface Measured extends PortalRead {
  ms: number[]
}

/** Sends every request in rounds, of which the first fills the caches, each after one to the baseline. */
async function measure(
  reads: readonly PortalRead[],
  send: (path: string) => Promise<number>,
  sendBare: () => Promise<number>,
) {
  const measured: Measured[] = reads.map(read => ({ ...read, ms: [] }))
  const bare: number[] = []
  for (let round = -1; round < Number(options.rounds); round++)
    for (const read of measured) {
      const bareMs = await sendBare()
      const ms = await send(read.path(round + 1))
      if (round < 0) continue
      bare.push(bareMs)
      read.ms.push(ms)
    }
  return { measured, bare: bare.toSorted((a, b) => a - b) }
}

/** A line for each group, and its slowest request by its best round, which is that of an idle machine. */
function report({ measured, bare }: Awaited<ReturnType<typeof measure>>): void {
  const bareP50 = percentile(bare, 0.5)
  console.log(`bare: p50 ${bareP50.toFixed(1)} ms, p95 ${percentile(bare, 0.95).toFixed(1)} ms`)
  for (const [group, reads] of Map.groupBy(measured, ({ group }) => group)) {
    const all = reads.flatMap(({ ms }) => ms).toSorted((a, b) => a - b)
    const [p50, p95] = [percentile(all, 0.5), percentile(all, 0.95)]
    const target = reads[0]?.targetMs ?? 0
    const slowest = reads.toSorted((a, b) => Math.min(...b.ms) - Math.min(...a.ms)).slice(0, 3)
    for (const { path, ms } of slowest) console.log(`  ${Math.min(...ms).toFixed(1)} ms ${path(0)}`)
    reportFinding({
      what: `${group}: p50 ${p50.toFixed(1)} ms, ${(p50 / bareP50).toFixed(1)} of bare, p95`,
      figure: `${p95.toFixed(1)} ms`,
      target: `${target} ms`,
      isMet: p95 <= target,
    })
  }
}

/** Sends one request in process, and prints the plans of its statements. */
async function explain(store: Store, organisation: LoadedOrganisation, path: string): Promise<void> {
  const { database } = store
  const explaining: Db = {
    ...database.db,
    async rows<Row>(query: Sql) {
      const started = performance.now()
      const plan = await database.db.rows<{ 'QUERY PLAN': string }>(sql`explain (analyze, buffers) ${query}`)
      for (const line of plan) console.log(line['QUERY PLAN'])
      console.log(`-- ${(performance.now() - started).toFixed(1)} ms`)
      return database.db.rows<Row>(query)
    },
  }
  const app = openServer({
    endpoints: endpointsOf({
      secretBox: await store.openSecrets(),
      outgoing: openOutgoingHttp({ allowPrivate: false }),
    }),
    database: { ...database, db: explaining },
    metrics: createMetrics(),
    log,
    authenticate: () => ({
      ...{ organisationId: organisation.organisationId, userId: organisation.userId, clientId: '' },
      ...{ connectionId: organisation.connections.steady, partnerId: null, partnerKind: null },
      scopes: new Set(scopes),
    }),
    access: accessRules,
    formats: {},
  })
  await app.ready()
  const response = await app.inject(path)
  console.log(response.statusCode, response.body.slice(0, 400))
  await app.close()
}

async function run(): Promise<void> {
  const { dataDir, remove } =
    options.keep === undefined ? await openDataFolder() : { dataDir: options.keep, remove: () => {} }
  const postgres = await openEmbeddedPostgres({
    dataDir,
    log: { info: () => {}, warn: message => log.warn(message) },
  })
  const { host, port, user, database } = postgres.connection
  const settings = {
    DATA_DIR: dataDir,
    DATABASE_URL: `postgresql://${user}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`,
    ...{ PORT: '0', HOST: '127.0.0.1', LOG_LEVEL: 'warn', RATE_LIMITS: 'off', ROLES: 'api' },
  }
  const store = await openStore(readConfig(settings), log)
  const stops: (() => Promise<void>)[] = []
  try {
    const secretBox = await store.openSecrets()
    const organisation = await load(store, secretBox.seal(Buffer.alloc(32)))
    if (options.explain !== undefined) return await explain(store, organisation, options.explain)
    const { organisationId, userId } = organisation
    const app = await store.database.atomically(tx =>
      createCustomApp(tx, secretBox, { organisationId, name: 'Reads', grantType: 2, scopes, userId }),
    )
    const service = await startRole(import.meta.filename, 'service', settings)
    stops.push(service.stop)
    const bare = await startRole(import.meta.filename, 'bare', settings)
    stops.push(bare.stop)
    const headers = { authorization: `Bearer ${await tokenFor(service.port, app)}` }
    const reads = portalReads(organisation, size).filter(({ group }) => group.includes(options.only ?? ''))
    report(
      await measure(
        reads,
        path => timed(`http://127.0.0.1:${service.port}${path}`, headers),
        () => timed(`http://127.0.0.1:${bare.port}/${organisationId}/${size}`, {}),
      ),
    )
  } finally {
    for (const stop of stops) await stop()
    await store.close()
    await postgres.stop()
    await remove()
  }
}

if (positionals[0] === 'bare') await serveBare()
else if (positionals[0] === 'service') await serveWaybill(readConfig())
else await run()
