// GET of a consignment by its id against a bare node:http route that sends `select *` by key over the same
// driver, prepared. Both run at the same time on the same database, in turns.
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
import { openMetrics } from '../src/platform/metrics.ts'
import { newId } from '../src/platform/new-id.ts'
import { openOutgoingHttp } from '../src/platform/outgoing/outgoing-http.ts'
import { type Config, readConfig } from '../src/process/config.ts'
import { openStore, type Store } from '../src/process/store.ts'
import { openDataFolder } from './data-folder.ts'
import { median, reportFinding } from './figures.ts'
import { importBody, prepareOrganisation } from './import-requests.ts'
import { load, request } from './load.ts'
import { announcePort, serveWaybill, startRole, tokenFor } from './role.ts'

const log = pino({ level: 'warn' }, pino.destination(2))
const [role = 'all'] = process.argv.slice(2)
const connections = 32
const seconds = Number(process.env.SECONDS ?? 2)
const rounds = Number(process.env.ROUNDS ?? 7)
const organisations = 25
const ofEach = 12

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

/** A consignment and who may read it. */
interface Readable {
  app: Awaited<ReturnType<typeof prepareOrganisation>>['app']
  organisationId: string
  id: string
}

/** Imported consignments of five lines, or ones that hold nothing, of so many organisations that none
 * reaches its limit. */
async function consignmentsOf(store: Store, lines: number, from: number): Promise<Readable[]> {
  const { database } = store
  const outgoing = openOutgoingHttp({ allowPrivate: false })
  const all: Readable[] = []
  for (let n = 0; n < organisations; n++) {
    const { app, organisationId, connectionId, userId } = await prepareOrganisation(store, from + n)
    const rows = Array.from({ length: ofEach }, (_, i) => {
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
    metrics: openMetrics(),
    presence: { id: newId(), silentWorkers: () => [] },
  }
  while (await processDueImports(context)) {}
  await outgoing.close()
  await database.inOneStatement(tx => tx.run(sql`analyze`))
  return all
}

const figure = (value: number) => Math.round(value).toLocaleString('en-GB')

/** Asks one port and then the other, again and again, and tells the ratio. */
async function compare(what: string, ports: [number, number], readable: Readable[]): Promise<void> {
  const [ours, bare] = ports
  const tokens = new Map<string, string>()
  for (const { app } of readable)
    if (!tokens.has(app.clientId)) tokens.set(app.clientId, await tokenFor(ours, app))
  // Neighbours belong to different organisations.
  const shuffled = readable.toSorted((a, b) => (a.id.slice(-8) < b.id.slice(-8) ? -1 : 1))
  const asked = shuffled.map(({ app, id }) =>
    request('GET', `/v1/consignments/${id}`, undefined, {
      Authorization: `Bearer ${tokens.get(app.clientId)}`,
    }),
  )
  const plain = shuffled.map(({ organisationId, id }) =>
    request('GET', `/${organisationId}/${id}`, undefined),
  )
  let [n, m] = [0, 0]
  const runOurs = (s: number) => load(ours, connections, s, () => asked[n++ % asked.length] as Buffer)
  const runBare = (s: number) => load(bare, connections, s, () => plain[m++ % plain.length] as Buffer)
  await runOurs(2)
  await runBare(1)
  const ratios: number[] = []
  for (let round = 0; round < rounds; round++) {
    const a = await runBare(seconds)
    const b = await runOurs(seconds)
    ratios.push(b.perSecond / a.perSecond)
    const statuses = JSON.stringify(b.statuses)
    console.log(
      `${what}: ${figure(b.perSecond)}/s, bare ${figure(a.perSecond)}/s, ` +
        `ratio ${(b.perSecond / a.perSecond).toFixed(2)} ${statuses}`,
    )
  }
  const ratio = median(ratios)
  reportFinding({
    what: `GET of a consignment ${what}, of bare select * by key`,
    figure: ratio.toFixed(2),
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
    const ports: [number, number] = [waybill.port, bare.port]
    await compare('of five lines', ports, withLines)
    await compare('without lines', ports, withoutLines)
    await waybill.stop()
    await bare.stop()
  } finally {
    await store.close()
    await remove()
  }
}
