// Webhook deliveries: how many one worker sends per second, how soon they leave, and how receivers that hang
// affect the others.
//
// The same events are sent to 1 receiver, to 100, and to 100 of which ten never respond. The baseline is a
// bare loop of POSTs of the same size.

import { fork } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { pino } from 'pino'
import { Agent } from 'undici'
import { v7 as uuidv7 } from 'uuid'
import { emitToSubject, type NewEvent, serviceOrigin } from '../src/events/emit.ts'
import { createOrganisation } from '../src/organisations/organisation.ts'
import { sql } from '../src/platform/database/db.ts'
import { migrate } from '../src/platform/database/migrate.ts'
import { openDatabase } from '../src/platform/database/open-database.ts'
import { openEmbeddedPostgres } from '../src/platform/embedded-postgres/open.ts'
import { createMetrics } from '../src/platform/metrics.ts'
import { newId } from '../src/platform/new-id.ts'
import { openOutgoingHttp } from '../src/platform/outgoing/outgoing-http.ts'
import { createSecretBox } from '../src/platform/secret-box.ts'
import { EventType } from '../src/vocabulary/events.ts'
import { startDeliveries } from '../src/webhook-subscriptions/delivery/deliver.ts'
import { openDataFolder } from './data-folder.ts'
import type { Tally } from './deliveries-receiver.ts'
import { reportFinding } from './figures.ts'

const receivers = 100
const backlog = 20_000
const perSecond = 1_000
const seconds = 10

const { dataDir: folder, remove } = await openDataFolder()
const log = { info: () => {}, warn: (message: string) => console.error(message) }
const postgres = await openEmbeddedPostgres({ dataDir: join(folder, 'data'), log })
const client = new pg.Client(postgres.connection)
await client.connect()
await migrate(client)
await client.end()
const database = openDatabase({ connection: postgres.connection, poolSize: 10 })
const secretBox = createSecretBox(randomBytes(32))

const receiverProcess = fork(fileURLToPath(new URL('deliveries-receiver.ts', import.meta.url)), [
  String(receivers),
])
const [urls] = (await once(receiverProcess, 'message')) as [string[]]
const tally = async (): Promise<Tally> => {
  receiverProcess.send('tally')
  return (await once(receiverProcess, 'message'))[0]
}

/** Creates an organisation with a subscription for each receiver. */
async function subscribe(): Promise<{ organisationId: string; subscriptionIds: string[] }> {
  return database.atomically(async tx => {
    const organisationId = await createOrganisation(tx, { name: 'Bench', prefix: 'BEN', timezone: 'UTC' })
    const [user, app, connection] = [uuidv7(), uuidv7(), uuidv7()]
    const secretHash = secretBox.seal(
      createHash('sha256').update(randomBytes(72).toString('base64url')).digest(),
    )
    await tx.run(
      sql`insert into app_user (organisation_id, id, email, full_name) values (${organisationId}, ${user},
        'bench@example.com', 'Bench')`,
    )
    await tx.run(sql`insert into custom_app (organisation_id, id, name, grant_type, client_id, secret_hash,
      scopes, created_by)
      values (${organisationId}, ${app}, 'Bench', 2, ${app}, ${secretHash}, '{consignment}', ${user})`)
    await tx.run(sql`insert into identity_connection (organisation_id, id, custom_app_id, user_id)
      values (${organisationId}, ${connection}, ${app}, ${user})`)
    const subscriptionIds = urls.map(() => uuidv7())
    await tx.run(sql`
      insert into webhook_subscription (organisation_id, id, identity_connection_id, webhook_url, event_type)
      select ${organisationId}, id, ${connection}, url, 101 from unnest(${subscriptionIds}::uuid[],
        ${urls}::text[]) as t (id, url)`)
    return { organisationId, subscriptionIds }
  })
}

const { organisationId, subscriptionIds } = await subscribe()
let raised = 0

/** Stores events for the first subscriptions in turn. */
function raiseEvents(count: number, among: number): Promise<void> {
  const events = Array.from({ length: count }, (): NewEvent => {
    const data = {
      consignmentId: uuidv7(),
      consignmentNumber: `BEN-${String(raised).padStart(6, '0')}-OUT`,
      referenceNumber: `PO ${raised}`,
      clientId: uuidv7(),
      carrierId: uuidv7(),
      type: 2,
      status: 1,
    }
    return {
      type: EventType.ConsignmentCreated,
      subjectId: subscriptionIds[raised++ % among] as string,
      data,
    }
  })
  return database.atomically(tx => emitToSubject(tx, serviceOrigin(organisationId), events))
}

const pause = (ms: number) => new Promise<void>(resolve => setTimeout(resolve, ms))

async function arrivals(wanted: number, limitMs: number): Promise<Tally> {
  const end = performance.now() + limitMs
  for (;;) {
    const now = await tally()
    if (now.arrived >= wanted || performance.now() > end) return now
    await pause(20)
  }
}

function startWorker() {
  const outgoing = openOutgoingHttp({ allowPrivate: true })
  const loop = startDeliveries(
    {
      database,
      secretBox,
      outgoing,
      log: pino({ level: 'warn' }),
      metrics: createMetrics(),
      presence: { id: newId(), deadWorkers: () => [] },
    },
    [5, 30, 120, 600, 3600],
  )
  return async () => {
    const stopped = loop.stop()
    await outgoing.close()
    await stopped
  }
}

/** Measures deliveries per second while a backlog is sent, and the delay of events that are raised evenly. */
async function measure(name: string, among: number, hanging: number): Promise<{ rate: number; p95: number }> {
  const healthy = (count: number) => (count * (among - hanging)) / among
  receiverProcess.send({ reset: hanging })
  for (let i = 0; i < backlog; i += 500) await raiseEvents(500, among)
  const began = performance.now()
  const stop = startWorker()
  await arrivals(healthy(backlog), 120_000)
  const rate = healthy(backlog) / ((performance.now() - began) / 1000)

  receiverProcess.send({ reset: hanging })
  const batch = 20
  const start = performance.now()
  for (let sent = 0; sent < perSecond * seconds; sent += batch) {
    await pause(Math.max(0, start + (sent / perSecond) * 1000 - performance.now()))
    await raiseEvents(batch, among)
  }
  const { delays, arrived } = await arrivals(healthy(perSecond * seconds), 30_000)
  await stop()
  await database.atomically(tx => tx.run(sql`delete from webhook_delivery`))
  const delay =
    `p50 ${delays.p50} ms, p95 ${delays.p95} ms, worst ${delays.worst} ms after the event ` +
    `(${arrived} arrived)`
  console.log(`${name.padEnd(40)} ${Math.round(rate)}/s; at ${perSecond}/s: ${delay}`)
  return { rate, p95: delays.p95 }
}

/** Sends POSTs of the same size in a bare loop. */
async function measureBarePosts(): Promise<number> {
  receiverProcess.send({ reset: 0 })
  const agent = new Agent({ connections: 128 })
  const body = JSON.stringify({ created: new Date().toISOString(), data: 'x'.repeat(400) })
  let left = backlog
  const post = async () => {
    while (left-- > 0) {
      const answer = await agent.request({
        origin: urls[0] as string,
        path: '/',
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      })
      await answer.body.dump()
    }
  }
  const began = performance.now()
  await Promise.all(Array.from({ length: 64 }, post))
  const rate = backlog / ((performance.now() - began) / 1000)
  await agent.close()
  console.log(`${'bare POSTs to one receiver'.padEnd(40)} ${Math.round(rate)}/s`)
  return rate
}

try {
  await measureBarePosts()
  const baseline = await measureBarePosts()
  const one = await measure('one receiver', 1, 0)
  const all = await measure('100 receivers', receivers, 0)
  const tenth = await measure('100 receivers of which 10 hang', receivers, receivers / 10)
  console.log(`one receiver against bare POSTs ${(one.rate / baseline).toFixed(2)}`)
  const share = tenth.rate / all.rate
  reportFinding({
    what: 'webhook deliveries of one worker',
    figure: `${Math.round(all.rate)}/s`,
    target: '1,000/s',
    isMet: all.rate >= 1_000,
  })
  reportFinding({
    what: '95 % of deliveries leave within',
    figure: `${all.p95} ms at ${perSecond}/s`,
    target: '1,000 ms',
    isMet: all.p95 <= 1_000,
  })
  reportFinding({
    what: 'of that rate while one receiver in ten hangs',
    figure: share.toFixed(2),
    target: '0.8',
    isMet: share >= 0.8,
  })
} finally {
  receiverProcess.kill()
  await database.close()
  await postgres.stop()
  await remove()
}
