// Rows 1 and 2 of the benchmarks: imports accepted, and imports processed, each against a bare baseline in
// the same run.
//
//     node bench/imports.ts [accept|process]

import Fastify from 'fastify'
import pg from 'pg'
import { pino } from 'pino'
import { v7 as uuidv7 } from 'uuid'
import { processDueImports } from '../src/consignment-imports/process-imports.ts'
import { createCustomApp } from '../src/organisations/create-app.ts'
import { createOrganisation } from '../src/organisations/organisation.ts'
import { sql } from '../src/platform/database/db.ts'
import { openEmbeddedPostgres } from '../src/platform/embedded-postgres/open.ts'
import { openMetrics } from '../src/platform/metrics.ts'
import { openOutgoingHttp } from '../src/platform/outgoing/outgoing-http.ts'
import type { WorkerContext } from '../src/platform/work/worker-context.ts'
import { type Config, readConfig } from '../src/process/config.ts'
import { openStore, type Store } from '../src/process/store.ts'
import { openDataFolder } from './data-folder.ts'
import { found, median } from './figures.ts'
import { load, post } from './load.ts'
import { insertPlainly } from './plain-inserts.ts'
import { serveWaybill, startRole, tellPort, tokenFor } from './role.ts'

const log = pino({ level: 'warn' }, pino.destination(2))
const [role = 'all'] = process.argv.slice(2)
const connections = 32
const seconds = 4
const rounds = 4

/** A request of five lines, as a shop system sends it. */
const importBody = (n: number) => ({
  consignmentType: 2,
  clientCode: 'KAURI',
  referenceNumber: `SO-${100_000 + n}`,
  externalId: `shop-${n}`,
  carrierCode: 'SWF',
  warehouseCode: 'AKL',
  expectedDispatchDateTime: '2026-11-23T09:00:00Z',
  destinationAddress: {
    name: 'Hemi Walker',
    streetAddress: `${1 + (n % 200)} Ponsonby Road`,
    suburb: 'Ponsonby',
    city: 'Auckland',
    postCode: '1011',
    country: 'New Zealand',
    phone: '+64 21 555 0100',
  },
  deliveryInstructions: 'Leave at the side door if nobody is home.',
  serviceTypeCodes: ['EXP'],
  products: Array.from({ length: 5 }, (_, i) => ({
    productCode: `P${String(1 + ((n * 5 + i * 7) % 60)).padStart(3, '0')}`,
    goodsDescription: 'Apples, Royal Gala, tray of 24',
    batch: `B-${n % 50}`,
    expiryDate: '2027-03-01T00:00:00Z',
    items: [{ quantity: 1 + ((n + i) % 12) }],
  })),
})

/** An organisation with what the requests name, and an app that may import. */
async function prepare({ database, openSecrets }: Store, n: number) {
  const secretBox = await openSecrets()
  return database.atomically(async tx => {
    const organisationId = await createOrganisation(tx, {
      name: `Bench ${n}`,
      prefix: 'BEN',
      timezone: 'Pacific/Auckland',
    })
    const [clientId, carrierId, warehouseId, serviceTypeId] = [uuidv7(), uuidv7(), uuidv7(), uuidv7()]
    await tx.run(sql`insert into partner (organisation_id, id, name, code, relationship) values
      (${organisationId}, ${clientId}, 'Kauri Foods', 'KAURI', 1), (${organisationId}, ${carrierId}, 'Swift',
        'SWF', 2)`)
    await tx.run(sql`insert into warehouse (organisation_id, id, name, code, timezone_id, address_id)
      values (${organisationId}, ${warehouseId}, 'Auckland', 'AKL', 'Pacific/Auckland', ${warehouseId})`)
    await tx.run(
      sql`insert into service_type (organisation_id, id, code, name) values (${organisationId},
        ${serviceTypeId}, 'EXP', 'Express')`,
    )
    const products = Array.from({ length: 60 }, (_, i) => ({
      id: uuidv7(),
      code: `P${String(i + 1).padStart(3, '0')}`,
    }))
    await tx.run(sql`insert into product (organisation_id, partner_id, id, code, name, weight_kg, volume_m3)
      select ${organisationId}, ${clientId}, p.id, p.code, 'Product ' || p.code, 1.25, 0.004
      from json_to_recordset(${JSON.stringify(products)}) as p (id uuid, code text)`)
    const app = await createCustomApp(tx, secretBox, {
      organisationId,
      name: 'Shop',
      grantType: 2,
      scopes: ['consignment'],
    })
    const actor = await tx.row<{ connectionId: string; userId: string }>(sql`
      select id as connection_id, user_id from identity_connection where organisation_id = ${organisationId}
        and custom_app_id = ${app.customAppId}`)
    return { organisationId, clientId, carrierId, warehouseId, serviceTypeId, products, app, ...actor }
  })
}

/** The baseline of row 1: parse, insert under a prepared statement, answer. */
async function serveBare({ dataDir, poolSize }: Config): Promise<void> {
  const postgres = await openEmbeddedPostgres({ dataDir, log: { info: () => {}, warn: console.error } })
  const pool = new pg.Pool({ ...postgres.connection, max: poolSize })
  const app = Fastify({ bodyLimit: 40 * 1_048_576 })
  const insert = {
    name: 'bare',
    text: 'insert into bare_import (organisation_id, id, request) values ($1, $2, $3)',
  }
  app.post('/imports', async (request, reply) => {
    const id = uuidv7()
    await pool.query({
      ...insert,
      values: ['019a9d3e-7c7b-7d55-a1c5-0123456789ab', id, JSON.stringify(request.body)],
    })
    return reply.code(202).send({ consignmentId: id })
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  tellPort((app.server.address() as { port: number }).port)
}

const figure = (value: number) => Math.round(value).toLocaleString('en-GB').padStart(7)

async function benchAccepting(store: Store, settings: Record<string, string>): Promise<void> {
  // So many that none comes near its 3,000 requests a minute.
  const apps: Awaited<ReturnType<typeof prepare>>[] = []
  for (let n = 0; n < 100; n++) apps.push(await prepare(store, n))
  await store.database.atomically(tx =>
    tx.run(sql`create table bare_import (organisation_id uuid, id uuid, request json not null,
      received_utc timestamptz not null default now(),
      primary key (organisation_id, id))`),
  )
  const start = (as: string) => startRole(import.meta.filename, as, settings)
  const [waybill, bare] = await Promise.all([start('waybill'), start('bare')])
  const tokens = await Promise.all(apps.map(({ app }) => tokenFor(waybill.port, app)))
  const bodies = Array.from({ length: 1_000 }, (_, n) => JSON.stringify(importBody(n)))
  const ours = bodies.map((body, n) =>
    post('/v1/consignment-imports', body, { Authorization: `Bearer ${tokens[n % tokens.length]}` }),
  )
  const theirs = bodies.map(body => post('/imports', body))
  console.log(`a request of five lines has ${bodies[0]?.length} bytes`)
  let [n, m] = [0, 0]
  const runOurs = (s: number) => load(waybill.port, connections, s, () => ours[n++ % ours.length] as Buffer)
  const runBare = (s: number) => load(bare.port, connections, s, () => theirs[m++ % theirs.length] as Buffer)
  await runOurs(2)
  await runBare(2)
  const results: { ours: number; bare: number }[] = []
  for (let round = 0; round < rounds; round++) {
    const a = await runBare(seconds)
    const b = await runOurs(seconds)
    results.push({ ours: b.perSecond, bare: a.perSecond })
    const line =
      `accepted ${figure(b.perSecond)}/s (p50 ${b.p50.toFixed(1)} ms, p95 ${b.p95.toFixed(1)} ` +
      `ms), bare ${figure(a.perSecond)}/s`
    console.log(`${line}, ratio ${(b.perSecond / a.perSecond).toFixed(2)} ${JSON.stringify(b.statuses)}`)
  }
  const ratio = median(results.map(r => r.ours / r.bare))
  const what = `imports accepted over ${connections} connections, of a bare route with one insert`
  found({
    what,
    figure: `${ratio.toFixed(2)}, ${figure(median(results.map(r => r.ours))).trim()}/s`,
    target: '0.8',
    isMet: ratio >= 0.8,
  })
  await waybill.stop()
  await bare.stop()
}

async function benchProcessing(store: Store): Promise<void> {
  const count = Number(process.env.IMPORTS ?? 5_000)
  const { database } = store
  const secretBox = await store.openSecrets()
  const outgoing = openOutgoingHttp({ allowPrivate: false })
  const context: WorkerContext = { database, secretBox, outgoing, log, metrics: openMetrics() }
  const results: number[] = []
  // The first round fills the tables, so that the others see plans for tables that are not empty.
  for (let round = 0; round <= rounds; round++) {
    const [mine, plain] = [await prepare(store, 1_000 + 2 * round), await prepare(store, 1_001 + 2 * round)]
    const rows = Array.from({ length: round === 0 ? 200 : count }, (_, n) => ({
      id: uuidv7(),
      request: importBody(n),
    }))
    await database.atomically(tx =>
      tx.run(sql`insert into consignment_import (organisation_id, id, identity_connection_id, user_id,
        request_id, request)
        select ${mine.organisationId}, r.id, ${mine.connectionId}, ${mine.userId}, r.id::text, r.request
        from json_to_recordset(${JSON.stringify(rows)}) as r (id uuid, request json)`),
    )
    const requests = rows.map(({ request }) => request)
    const plainSeconds = await insertPlainly(database, plain, requests)
    const [started, cpu] = [performance.now(), process.cpuUsage()]
    while (await processDueImports(context)) {}
    const elapsed = (performance.now() - started) / 1000
    const used = process.cpuUsage(cpu)
    const { n } = await database.db.row<{ n: number }>(
      sql`select count(*) as n from consignment where organisation_id = ${mine.organisationId}`,
    )
    await database.inOneStatement(tx => tx.run(sql`analyze`))
    if (round === 0) continue
    if (n !== count) throw new Error(`${n} of ${count} imports became consignments.`)
    results.push(plainSeconds / elapsed)
    const line =
      `processed ${figure(count / elapsed)}/s, plain inserts ${figure(count / plainSeconds)}/s, ` +
      `ratio ${(plainSeconds / elapsed).toFixed(2)}`
    console.log(`${line} (JavaScript ${((100 * used.user) / 1e6 / elapsed).toFixed(0)} % of the time)`)
  }
  const ratio = median(results)
  found({
    what: 'imports processed, of plain inserts in batches of 100',
    figure: ratio.toFixed(2),
    target: '0.5',
    isMet: ratio >= 0.5,
  })
  await outgoing.close()
}

if (role === 'bare') await serveBare(readConfig())
else if (role === 'waybill') await serveWaybill({ ...readConfig(), roles: { api: true, worker: false } })
else {
  const { dataDir, remove } = await openDataFolder()
  const settings = { DATA_DIR: dataDir, PORT: '0', HOST: '127.0.0.1', LOG_LEVEL: 'warn', DATABASE_URL: '' }
  const config = readConfig(settings)
  const store = await openStore(config, log)
  try {
    if (role !== 'process') await benchAccepting(store, settings)
    if (role !== 'accept') await benchProcessing(store)
  } finally {
    await store.close()
    await remove()
  }
}
