// The event feed: how far readers are behind at 1,000 events per second, what it costs imports, and how much
// disk space an event takes.
//
//     node bench/feed.ts [lag|imports|storage]
//
// Imports are compared by the processor time of service and database, which does not depend on other work on
// the machine.

import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { pino } from 'pino'
import { v7 as uuidv7 } from 'uuid'
import { createWaybill } from '../client/src/waybill.ts'
import { processDueImports } from '../src/consignment-imports/process-imports.ts'
import { emit, serviceOrigin } from '../src/events/emit.ts'
import { numberEvents } from '../src/events/feed/number-events.ts'
import { sql } from '../src/platform/database/db.ts'
import { createMetrics } from '../src/platform/metrics.ts'
import { newId } from '../src/platform/new-id.ts'
import { openOutgoingHttp } from '../src/platform/outgoing/outgoing-http.ts'
import { readConfig } from '../src/process/config.ts'
import { openStore, type Store } from '../src/process/store.ts'
import { EventType } from '../src/vocabulary/events.ts'
import { openDataFolder } from './data-folder.ts'
import { percentile, reportFinding } from './figures.ts'
import { importBody, prepareOrganisation } from './import-requests.ts'
import { serveWaybill, startRole, tokenFor } from './role.ts'

const log = pino({ level: 'warn' }, pino.destination(2))
const [role = 'all'] = process.argv.slice(2)

const perSecond = 1_000
const perTransaction = 10
const writers = 8
const seconds = Number(process.env.SECONDS ?? 15)

const newEvent = (subjectId: string = uuidv7()) => ({
  type: EventType.ConsignmentCreated,
  subjectId,
  data: {
    consignmentId: subjectId,
    consignmentNumber: 'BEN-000001-OUT',
    referenceNumber: 'PO 1',
    clientId: uuidv7(),
    carrierId: uuidv7(),
    type: 2,
    status: 1,
  },
  clientId: uuidv7(),
  carrierId: uuidv7(),
})

/**
 * Raises events at an even rate, as far as the machine allows, in another process than the one that serves
 * the readers. Returns when each was committed, and the rate.
 */
async function raiseEvents({ database }: Store, organisationId: string) {
  const committed = new Map<string, number>()
  const started = performance.now()
  let next = 0
  async function write(): Promise<void> {
    while (next < perSecond * seconds) {
      const due = started + (next * 1000) / perSecond
      next += perTransaction
      if (due > performance.now()) await pause(due - performance.now())
      const events = Array.from({ length: perTransaction }, () => newEvent())
      await database.atomically(tx => emit(tx, serviceOrigin(organisationId), events))
      for (const { subjectId } of events) committed.set(subjectId, performance.now())
    }
  }
  await Promise.all(Array.from({ length: writers }, write))
  return { committed, rate: (1000 * committed.size) / (performance.now() - started) }
}

/** An event of the feed. */
interface FeedEvent {
  sequence: number
  data: { consignmentId: string }
}

/** Records when the event about each subject arrived, and checks that none arrived twice or out of order. */
function openRecorder() {
  const arrived = new Map<string, number>()
  let last = 0
  return {
    arrived,
    note({ sequence, data }: FeedEvent) {
      if (sequence !== last + 1) throw new Error(`${sequence} came behind ${last}.`)
      last = sequence
      arrived.set(data.consignmentId, performance.now())
    },
  }
}

/** Notes the events of a stream until it ends. */
async function noteEvents(stream: Response, recorder: ReturnType<typeof openRecorder>): Promise<void> {
  let rest = ''
  for await (const piece of stream.body ?? []) {
    const lines = (rest + Buffer.from(piece).toString()).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) if (line.startsWith('data: ')) recorder.note(JSON.parse(line.slice(6)))
  }
}

async function benchLag(store: Store, settings: Record<string, string>): Promise<void> {
  const { app, organisationId } = await prepareOrganisation(store, 1)
  const service = await startRole(import.meta.filename, 'waybill', settings)
  const baseUrl = `http://localhost:${service.port}`
  const stop = new AbortController()
  const [streamed, polled] = [openRecorder(), openRecorder()]
  const headers = {
    authorization: `Bearer ${await tokenFor(service.port, app)}`,
    accept: 'text/event-stream',
  }
  const stream = await fetch(`${baseUrl}/v1/events`, { headers, signal: stop.signal })
  const streaming = noteEvents(stream, streamed).catch(() => {})
  const waybill = createWaybill({ baseUrl, ...app })
  const polling = (async () => {
    for await (const event of waybill.follow({ signal: stop.signal })) polled.note(event as FeedEvent)
  })()
  const before = processorSeconds(service.pid)
  let isOver = false
  const bare: number[] = []
  const probing = (async () => {
    while (!isOver) {
      const sentAt = performance.now()
      await pause(20)
      await store.database.db.row(sql`select 1 as one`)
      bare.push(performance.now() - sentAt)
    }
  })()
  const { committed, rate } = await raiseEvents(store, organisationId)
  isOver = true
  await probing
  while (polled.arrived.size < committed.size || streamed.arrived.size < committed.size) await pause(50)
  const used = processorSeconds(service.pid) - before
  stop.abort()
  await Promise.all([streaming, polling])
  await service.stop()
  for (const [how, { arrived }] of Object.entries({ stream: streamed, 'long poll': polled })) {
    const lags = [...committed]
      .map(([id, at]) => (arrived.get(id) ?? Infinity) - at)
      .toSorted((a, b) => a - b)
    const [p50, p95, p99] = [0.5, 0.95, 0.99].map(share => percentile(lags, share).toFixed(1))
    reportFinding({
      what:
        `a reader by ${how} is behind at ${rate.toFixed(0)} events a second of another process, p50, ` +
        'p95, p99',
      figure: `${p50}, ${p95}, ${p99} ms`,
      target: 'p95 50 ms',
      isMet: Number(p95) <= 50,
    })
  }
  const sorted = bare.toSorted((a, b) => a - b)
  const [p50, p95] = [0.5, 0.95].map(share => percentile(sorted, share).toFixed(1))
  console.log(`a pause of 20 ms and a bare select took ${p50} ms, p95 ${p95} ms, on the same machine`)
  console.log(`processor time of the service: ${((100 * used) / seconds).toFixed(0)} % of one`)
}

/** The processor time that a process has used, in seconds. */
function processorSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) / 100
}

/**
 * The processor time of each database connection; their processes are children of the one that the data
 * folder names.
 */
function connectionSeconds(dataDir: string): Map<number, number> {
  const postmaster = readFileSync(`${dataDir}/postgresql/data/postmaster.pid`, 'utf8').split('\n')[0]
  const used = new Map<number, number>()
  for (const pid of readdirSync('/proc').filter(name => /^\d+$/.test(name))) {
    try {
      const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
      const title = readFileSync(`/proc/${pid}/cmdline`, 'utf8')
      if (fields[1] === postmaster && title.includes('[local]'))
        used.set(Number(pid), processorSeconds(Number(pid)))
    } catch {
      // The process has ended.
    }
  }
  return used
}

/**
 * Returns a function that tells the processor time in seconds that this process and the connections have used
 * since.
 */
function startClock(dataDir: string): () => number {
  const [own, before] = [process.cpuUsage(), connectionSeconds(dataDir)]
  return () => {
    const { user, system } = process.cpuUsage(own)
    const after = connectionSeconds(dataDir)
    const ofDatabase = [...after].reduce((sum, [pid, used]) => sum + used - (before.get(pid) ?? 0), 0)
    return (user + system) / 1e6 + ofDatabase
  }
}

async function benchImports(store: Store, dataDir: string): Promise<void> {
  const count = Number(process.env.IMPORTS ?? 2_000)
  const { database } = store
  const outgoing = openOutgoingHttp({ allowPrivate: false })
  const context = {
    database,
    secretBox: await store.openSecrets(),
    outgoing,
    log,
    metrics: createMetrics(),
    presence: { id: newId(), deadWorkers: () => [] },
  }
  await database.inOneStatement(tx =>
    tx.run(sql`create function leave_out() returns trigger language plpgsql as 'begin return null; end'`),
  )
  const results = { with: [] as number[], without: [] as number[] }
  for (let round = 0; round <= 12; round++) {
    const kind = round % 2 === 0 ? 'with' : 'without'
    const mine = await prepareOrganisation(store, 1_000 + round)
    const rows = Array.from({ length: count }, (_, n) => ({ id: uuidv7(), request: importBody(n) }))
    await database.atomically(tx =>
      tx.run(sql`insert into consignment_import (organisation_id, id, identity_connection_id, user_id,
        request_id, request)
        select ${mine.organisationId}, r.id, ${mine.connectionId}, ${mine.userId}, r.id::text, r.request
        from json_to_recordset(${JSON.stringify(rows)}) as r (id uuid, request json)`),
    )
    if (kind === 'without')
      await database.inOneStatement(tx =>
        tx.run(sql`create trigger leave_out before insert on event_feed_waiting for each row
          execute function leave_out()`),
      )
    await database.inOneStatement(tx => tx.run(sql`checkpoint`))
    const clock = startClock(dataDir)
    // Events are numbered as often as for waiting readers, at 2,000 imports per second: after every hundred.
    while (await processDueImports(context)) if (kind === 'with') await numberEvents(database)
    if (kind === 'with') while (await numberEvents(database)) {}
    const used = clock()
    if (kind === 'without')
      await database.inOneStatement(tx => tx.run(sql`drop trigger leave_out on event_feed_waiting`))
    if (round > 1) results[kind].push((1e6 * used) / count)
    console.log(`${kind} the feed: ${((1e6 * used) / count).toFixed(0)} µs of processors an import`)
  }
  // The minimum of the rounds, because anything else that happens on the machine only adds to it.
  const ratio = Math.min(...results.with) / Math.min(...results.without)
  reportFinding({
    what: 'processor time of an import with the feed, of that without',
    figure: ratio.toFixed(3),
    target: '1.05',
    isMet: ratio <= 1.05,
  })
  await outgoing.close()
}

async function benchStorage(store: Store): Promise<void> {
  const { database } = store
  const { organisationId } = await prepareOrganisation(store, 1)
  const count = 100_000
  for (let n = 0; n < count; n += 1_000)
    await database.atomically(tx =>
      emit(
        tx,
        serviceOrigin(organisationId),
        Array.from({ length: 1_000 }, () => newEvent()),
      ),
    )
  while (await numberEvents(database)) {}
  const sizes = await database.db.rows<{ name: string; bytes: number }>(sql`
    select relname as name, pg_total_relation_size(oid) as bytes from pg_class
    where relname in ('event', 'event_feed_entry', 'event_feed_waiting')`)
  for (const { name, bytes } of sizes) console.log(`${name}: ${(bytes / count).toFixed(0)} bytes an event`)
}

if (role === 'waybill') await serveWaybill(readConfig())
else {
  const { dataDir, remove } = await openDataFolder()
  const settings = { DATA_DIR: dataDir, PORT: '0', HOST: '127.0.0.1', LOG_LEVEL: 'warn', DATABASE_URL: '' }
  const store = await openStore(readConfig({ ...settings, RATE_LIMITS: 'off' }), log)
  try {
    if (role === 'all' || role === 'lag') await benchLag(store, { ...settings, RATE_LIMITS: 'off' })
    if (role === 'all' || role === 'imports') await benchImports(store, dataDir)
    if (role === 'all' || role === 'storage') await benchStorage(store)
  } finally {
    await store.close()
    await remove()
  }
}
