// A load on stock while the service and its database are killed again and again: sent by many, everything
// sent again at the end, and then held against the ledger.

import pg from 'pg'
import { openEmbeddedPostgres } from '../../src/platform/embedded-postgres/open.ts'
import { apiCaller, newApp } from './processes.ts'
import { killDatabase, type RunningProcess, run, startServiceProcess } from './service-process.ts'
import { effectFaults, openStockLoad, type Sent } from './stock-load.ts'

/** How much, and until when. */
export interface Torture {
  dataDir: string
  workers: number
  /** asked before every operation */
  isOver(operations: number, kills: { service: number; database: number }): boolean
  /** milliseconds between two kills, at least; the kinds take turns */
  killEvery: number
  tell?(line: string): void
}

/** What came of it. */
export interface Figures {
  operations: number
  served: number
  refused: number
  kills: { service: number; database: number }
  differences: unknown[]
  faults: string[]
  /** answers that name a deadlock, and what the database counted since its statistics were last lost */
  deadlocksShown: number
  deadlocksInDatabase: number
  failures: Record<string, number>
  unavailable: number
  unanswered: number
}

const pause = (ms: number) => new Promise(resolve => setTimeout(resolve, ms))

/** Runs a service on a data folder of its own, and torments it. */
export async function tortureStock({ dataDir, workers, isOver, killEvery, tell = () => {} }: Torture) {
  const settings = { DATA_DIR: dataDir, RATE_LIMITS: 'off' }
  let service: RunningProcess & { baseUrl: string } = await startServiceProcess(settings)
  try {
    const api = apiCaller(() => service.baseUrl, await newApp(settings))
    const load = await openStockLoad(api)
    const all: Sent[] = []
    const moves: (number | null)[] = []
    const kills = { service: 0, database: 0 }
    let isEnding = false
    const worker = async () => {
      while (!isOver(all.length, kills)) {
        const sent: Sent = { operation: load.operation(), answers: [] }
        all.push(sent)
        await load.send(sent)
        if (Math.random() < 0.05) moves.push(await load.move())
        // Whoever gets no answer waits until there is somebody to ask.
        if (sent.answers.at(-1) === null) await pause(100)
      }
    }
    const killing = (async () => {
      while (!isEnding) {
        await pause(killEvery * (0.5 + Math.random()))
        if (isEnding) return
        if (kills.service <= kills.database) {
          await service.kill()
          service = await startServiceProcess(settings)
          kills.service++
        } else {
          killDatabase(dataDir)
          kills.database++
        }
        tell(`${all.length} operations, ${kills.service} and ${kills.database} kills`)
      }
    })()
    await Promise.all(Array.from({ length: workers }, worker))
    isEnding = true
    await killing
    await sendAgain(all, load.send)
    return { ...figuresOf(all, moves), kills, ...(await proof(settings, all)) } satisfies Figures
  } finally {
    await service.stop()
  }
}

/** Sends every operation once more, until it is answered. */
async function sendAgain(all: readonly Sent[], send: (sent: Sent) => Promise<void>): Promise<void> {
  const left = all.values()
  const worker = async () => {
    for (const sent of left)
      for (let tries = 0; tries < 600; tries++) {
        await send(sent)
        const status = sent.answers.at(-1)?.status
        if (status !== undefined && status !== 503) break
        await pause(100)
      }
  }
  await Promise.all(Array.from({ length: 8 }, worker))
}

function figuresOf(all: readonly Sent[], moves: readonly (number | null)[]) {
  const answers = all.flatMap(({ answers: given }) => given)
  const statuses = [...answers.map(answer => answer?.status ?? null), ...moves]
  const failures: Record<string, number> = {}
  for (const status of statuses)
    if (status !== null && status >= 500 && status !== 503) failures[status] = (failures[status] ?? 0) + 1
  const last = all.map(({ answers: given }) => given.at(-1)?.status ?? 0)
  return {
    operations: all.length,
    served: last.filter(status => status >= 200 && status < 300).length,
    refused: last.filter(status => status >= 400 && status < 500).length,
    deadlocksShown: answers.filter(answer => /deadlock/i.test(JSON.stringify(answer))).length,
    failures,
    unavailable: statuses.filter(status => status === 503).length,
    unanswered: statuses.filter(status => status === null).length,
  }
}

/** What the ledger, the operations and the database say of it all. */
async function proof(settings: { DATA_DIR: string }, all: readonly Sent[]) {
  const checked = await run(['check-stock', '--json'], settings).ended
  const { differences } = JSON.parse(checked.output) as { differences: unknown[] }
  const log = { info: () => {}, warn: () => {} }
  const postgres = await openEmbeddedPostgres({ dataDir: settings.DATA_DIR, log })
  const client = new pg.Client(postgres.connection)
  await client.connect()
  const { rows } = await client.query<{ deadlocks: number }>(
    'select sum(deadlocks)::int as deadlocks from pg_stat_database',
  )
  const faults = await effectFaults(client, all)
  await client.end()
  await postgres.stop()
  return { differences, faults, deadlocksInDatabase: rows[0]?.deadlocks ?? 0 }
}
