// Rows 1 and 2 of the benchmarks: imports accepted and imports processed, each compared with a bare baseline
// in the same run.
//
//     node bench/imports.ts [accept|process]

import Fastify from 'fastify'
import pg from 'pg'
import { pino } from 'pino'
import { v7 as uuidv7 } from 'uuid'
import { processDueImports } from '../src/consignment-imports/process-imports.ts'
import { sql } from '../src/platform/database/db.ts'
import { openEmbeddedPostgres } from '../src/platform/embedded-postgres/open.ts'
import { createMetrics } from '../src/platform/metrics.ts'
import { newId } from '../src/platform/new-id.ts'
import { openOutgoingHttp } from '../src/platform/outgoing/outgoing-http.ts'
import type { WorkerContext } from '../src/platform/work/worker-context.ts'
import { type Config, readConfig } from '../src/process/config.ts'
import { openStore, type Store } from '../src/process/store.ts'
import { openDataFolder } from './data-folder.ts'
import { median, reportFinding } from './figures.ts'
import { importBody, prepareOrganisation } from './import-requests.ts'
import { load, post } from './load.ts'
import { insertPlainly } from './plain-inserts.ts'
import { announcePort, serveWaybill, startRole, tokenFor } from './role.ts'

const log = pino({ level: 'warn' }, pino.destination(2))
const [role = 'all'] = process.argv.slice(2)
const connections = 32
// Many short rounds in turns, because the speed of a shared machine changes within seconds.
const seconds = 2
const rounds = 9
const processingRounds = 4
// V8 needs about ten thousand requests to compile the code, and more for the service than for the bare route.
const warmUpSeconds = 8

/** The baseline of row 1: parse, insert with a prepared statement, respond. */
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
  announcePort((app.server.address() as { port: number }).port)
}

const figure = (value: number) => Math.round(value).toLocaleString('en-GB').padStart(7)

async function benchAccepting(store: Store, settings: Record<string, string>): Promise<void> {
  // So many organisations that none comes near its limit of 3,000 requests per minute.
  const apps: Awaited<ReturnType<typeof prepareOrganisation>>[] = []
  for (let n = 0; n < 250; n++) apps.push(await prepareOrganisation(store, n))
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
  await runOurs(warmUpSeconds)
  await runBare(warmUpSeconds)
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
  reportFinding({
    what,
    figure: `${ratio.toFixed(2)}, ${figure(median(results.map(r => r.ours))).trim()}/s`,
    target: '1.0',
    isMet: ratio >= 1,
  })
  await waybill.stop()
  await bare.stop()
}

async function benchProcessing(store: Store): Promise<void> {
  const count = Number(process.env.IMPORTS ?? 5_000)
  const { database } = store
  const secretBox = await store.openSecrets()
  const outgoing = openOutgoingHttp({ allowPrivate: false })
  const context: WorkerContext = {
    database,
    secretBox,
    outgoing,
    log,
    metrics: createMetrics(),
    presence: { id: newId(), deadWorkers: () => [] },
  }
  const results: number[] = []
  // The first round fills the tables, so that the others get plans for tables that are not empty.
  for (let round = 0; round <= processingRounds; round++) {
    const [mine, plain] = [
      await prepareOrganisation(store, 1_000 + 2 * round),
      await prepareOrganisation(store, 1_001 + 2 * round),
    ]
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
  reportFinding({
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
