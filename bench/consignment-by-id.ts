// GET of a consignment by id, compared with a bare node:http route that sends `select *` by key over the same
// driver, as a prepared statement. Both run on the same database, in turns. Besides the rates, it prints the
// processor time of a request in the service, the database and the load generator, which depends less on
// other load.
//
//     node bench/consignment-by-id.ts

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import pg from 'pg'
import { pino } from 'pino'
import { v7 as uuidv7 } from 'uuid'
import { processDueImports } from '../src/consignment-imports/process-imports.ts'
import { sql } from '../src/platform/database/db.ts'
import { openEmbeddedPostgres } from '../src/platform/embedded-postgres/open.ts'
import { createMetrics } from '../src/platform/metrics.ts'
import { newId } from '../src/platform/new-id.ts'
import { openOutgoingHttp } from '../src/platform/outgoing/outgoing-http.ts'
import { type Config, readConfig } from '../src/process/config.ts'
import { openStore, type Store } from '../src/process/store.ts'
import { openDataFolder } from './data-folder.ts'
import { median, reportFinding } from './figures.ts'
import { importBody, prepareOrganisation } from './import-requests.ts'
import { load, request } from './load.ts'
import { openProcessorTime } from './processor-time.ts'
import { announcePort, type Role, serveWaybill, startRole, tokenFor } from './role.ts'

const log = pino({ level: 'warn' }, pino.destination(2))
const [role = 'all'] = process.argv.slice(2)
const connections = 32
const seconds = Number(process.env.SECONDS ?? 2)
const rounds = Number(process.env.ROUNDS ?? 7)
const organisations = 100
const consignmentsPerOrganisation = 3

/** The baseline: the row as JSON, nothing else. */
async function serveBare({ dataDir, poolSize }: Config): Promise<void> {
  const postgres = await openEmbeddedPostgres({ dataDir, log: { info: () => {}, warn: console.error } })
  const pool = new pg.Pool({ ...postgres.connection, max: poolSize })
  const byKey = { name: 'by-key', text: 'select * from consignment where organisation_id = $1 and id = $2' }
  const server = createServer(async ({ url = '' }, response) => {
    const { rows } = await pool.query({ ...byKey, values: url.slice(1).split('/') })
    const body = JSON.stringify(rows[0])
    response.writeHead(200, {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
    })
    response.end(body)
  })
  server.listen(0, '127.0.0.1', () => announcePort((server.address() as AddressInfo).port))
}

/** A consignment and a token that may read it. */
interface Readable {
  app: Awaited<ReturnType<typeof prepareOrganisation>>['app']
  organisationId: string
  id: string
}

/**
 * Creates imported consignments of five lines, or empty ones, in so many organisations that none reaches its
 * rate limit.
 */
async function consignmentsOf(store: Store, lines: number, from: number): Promise<Readable[]> {
  const { database } = store
  const outgoing = openOutgoingHttp({ allowPrivate: false })
  const all: Readable[] = []
  for (let n = 0; n < organisations; n++) {
    const { app, organisationId, connectionId, userId } = await prepareOrganisation(store, from + n)
    const rows = Array.from({ length: consignmentsPerOrganisation }, (_, i) => {
      const { serviceTypeCodes, products, ...head } = importBody(i)
      return {
        id: uuidv7(),
        request: { ...head, ...(lines > 0 ? { serviceTypeCodes } : {}), products: products.slice(0, lines) },
      }
    })
    await database.inOneStatement(tx =>
      tx.run(sql`insert into consignment_import (organisation_id, id, identity_connection_id, user_id,
        request_id, request)
        select ${organisationId}, r.id, ${connectionId}, ${userId}, r.id::text, r.request
        from json_to_recordset(${JSON.stringify(rows)}) as r (id uuid, request json)`),
    )
    for (const { id } of rows) all.push({ app, organisationId, id })
  }
  const context = {
    database,
    secretBox: await store.openSecrets(),
    outgoing,
    log,
    metrics: createMetrics(),
    presence: { id: newId(), deadWorkers: () => [] },
  }
  while (await processDueImports(context)) {}
  await outgoing.close()
  await database.inOneStatement(tx => tx.run(sql`analyze`))
  return all
}

const figure = (value: number) => Math.round(value).toLocaleString('en-GB')

/** The two services, and the readings of their processor time. */
interface ComparedService {
  waybill: Role
  bare: Role
  usedBy: Awaited<ReturnType<typeof openProcessorTime>>
}

/** The processor time of one request in microseconds. */
interface Cost {
  service: number
  database: number
  generator: number
}

const all = ({ service, database, generator }: Cost) => service + database + generator
const describeCost = (cost: Cost) =>
  `${figure(all(cost))} µs (${figure(cost.service)} service, ${figure(cost.database)} database)`

/** Sends requests to the two services in turns, and prints the ratios. */
async function compare(
  what: string,
  { waybill, bare, usedBy }: ComparedService,
  readable: Readable[],
): Promise<void> {
  const tokens = new Map<string, string>()
  for (const { app } of readable)
    if (!tokens.has(app.clientId)) tokens.set(app.clientId, await tokenFor(waybill.port, app))
  // Consecutive consignments belong to different organisations.
  const shuffled = readable.toSorted((a, b) => (a.id.slice(-8) < b.id.slice(-8) ? -1 : 1))
  const requests = shuffled.map(({ app, id }) =>
    request('GET', `/v1/consignments/${id}`, undefined, {
      Authorization: `Bearer ${tokens.get(app.clientId)}`,
    }),
  )
  const plain = shuffled.map(({ organisationId, id }) =>
    request('GET', `/${organisationId}/${id}`, undefined),
  )
  async function run({ port, pid }: Role, requests: Buffer[], forSeconds: number) {
    let n = 0
    const [before, own] = [await usedBy(pid), process.cpuUsage()]
    const result = await load(port, connections, forSeconds, () => requests[n++ % requests.length] as Buffer)
    const [after, { user, system }] = [await usedBy(pid), process.cpuUsage(own)]
    const cost = {
      service: ((after.service - before.service) * 1000) / result.answers,
      database: ((after.database - before.database) * 1000) / result.answers,
      generator: (user + system) / result.answers,
    }
    return { ...result, cost }
  }
  await run(waybill, requests, 2)
  await run(bare, plain, 1)
  const [ratios, costs]: [number[], number[]] = [[], []]
  for (let round = 0; round < rounds; round++) {
    const b = await run(bare, plain, seconds)
    const a = await run(waybill, requests, seconds)
    ratios.push(a.perSecond / b.perSecond)
    costs.push(all(a.cost) / all(b.cost))
    console.log(
      `${what}: ${figure(a.perSecond)}/s, bare ${figure(b.perSecond)}/s, ` +
        `ratio ${(a.perSecond / b.perSecond).toFixed(2)} ${JSON.stringify(a.statuses)}; ` +
        `a request ${describeCost(a.cost)}, bare ${describeCost(b.cost)}`,
    )
  }
  const ratio = median(ratios)
  reportFinding({
    what: `GET of a consignment ${what}, of bare select * by key`,
    figure: `${ratio.toFixed(2)}, ${median(costs).toFixed(2)} times its processor time`,
    target: '0.4',
    isMet: ratio >= 0.4,
  })
}

if (role === 'bare') await serveBare(readConfig())
else if (role === 'waybill') await serveWaybill({ ...readConfig(), roles: { api: true, worker: false } })
else {
  const { dataDir, remove } = await openDataFolder()
  const settings = { DATA_DIR: dataDir, PORT: '0', HOST: '127.0.0.1', LOG_LEVEL: 'warn', DATABASE_URL: '' }
  const store = await openStore(readConfig(settings), log)
  try {
    const withLines = await consignmentsOf(store, 5, 0)
    const withoutLines = await consignmentsOf(store, 0, organisations)
    const start = (as: string) => startRole(import.meta.filename, as, settings)
    const [waybill, bare] = await Promise.all([start('waybill'), start('bare')])
    const compared = { waybill, bare, usedBy: await openProcessorTime(store.database.db) }
    await compare('of five lines', compared, withLines)
    await compare('without lines', compared, withoutLines)
    await waybill.stop()
    await bare.stop()
  } finally {
    await store.close()
    await remove()
  }
}
