// A load on stock while the service and its database are killed repeatedly. At the end everything is sent
// again and compared with the ledger.

import pg from 'pg'
import { openEmbeddedPostgres } from '../../src/platform/embedded-postgres/open.ts'
import { apiCaller, newApp } from './processes.ts'
import { killDatabase, type RunningProcess, run, startServiceProcess } from './service-process.ts'
import { findEffectFaults, openStockLoad, type SentOperation } from './stock-load.ts'

export interface TortureOptions {
  dataDir: string
  workers: number
  /** called before every operation; true ends the load */
  isOver(operations: number, kills: { service: number; database: number }): boolean
  /** average milliseconds between two kills, which alternate between service and database */
  killEvery: number
  log?(line: string): void
}

export interface TortureResult {
  operations: number
  served: number
  refused: number
  kills: { service: number; database: number }
  differences: unknown[]
  faults: string[]
  /** responses that mention a deadlock, and deadlocks that the database has counted since its last reset */
  deadlocksShown: number
  deadlocksInDatabase: number
  failures: Record<string, number>
  unavailable: number
  unanswered: number
}

const pause = (ms: number) => new Promise(resolve => setTimeout(resolve, ms))

/** Runs a service with its own data folder under load, and kills it repeatedly. */
export async function tortureStock({ dataDir, workers, isOver, killEvery, log = () => {} }: TortureOptions) {
  const settings = { DATA_DIR: dataDir, RATE_LIMITS: 'off' }
  let service: RunningProcess & { baseUrl: string } = await startServiceProcess(settings)
  try {
    const api = apiCaller(() => service.baseUrl, await newApp(settings))
    const load = await openStockLoad(api)
    const all: SentOperation[] = []
    const moves: (number | null)[] = []
    const kills = { service: 0, database: 0 }
    let isEnding = false
    const worker = async () => {
      while (!isOver(all.length, kills)) {
        const sent: SentOperation = { operation: load.operation(), answers: [] }
        all.push(sent)
        await load.send(sent)
        if (Math.random() < 0.05) moves.push(await load.move())
        // Without a response, wait for the service to restart.
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
        log(`${all.length} operations, ${kills.service} and ${kills.database} kills`)
      }
    })()
    await Promise.all(Array.from({ length: workers }, worker))
    isEnding = true
    await killing
    await resendAll(all, load.send)
    return { ...summarise(all, moves), kills, ...(await verify(settings, all)) } satisfies TortureResult
  } finally {
    await service.stop()
  }
}

/** Sends every operation again until it gets a response other than 503. */
async function resendAll(
  all: readonly SentOperation[],
  send: (sent: SentOperation) => Promise<void>,
): Promise<void> {
  const queue = all.values()
  const worker = async () => {
    for (const sent of queue)
      for (let tries = 0; tries < 600; tries++) {
        await send(sent)
        const status = sent.answers.at(-1)?.status
        if (status !== undefined && status !== 503) break
        await pause(100)
      }
  }
  await Promise.all(Array.from({ length: 8 }, worker))
}

function summarise(all: readonly SentOperation[], moves: readonly (number | null)[]) {
  const answers = all.flatMap(sent => sent.answers)
  const statuses = [...answers.map(answer => answer?.status ?? null), ...moves]
  const failures: Record<string, number> = {}
  for (const status of statuses)
    if (status !== null && status >= 500 && status !== 503) failures[status] = (failures[status] ?? 0) + 1
  const lastStatuses = all.map(sent => sent.answers.at(-1)?.status ?? 0)
  return {
    operations: all.length,
    served: lastStatuses.filter(status => status >= 200 && status < 300).length,
    refused: lastStatuses.filter(status => status >= 400 && status < 500).length,
    deadlocksShown: answers.filter(answer => /deadlock/i.test(JSON.stringify(answer))).length,
    failures,
    unavailable: statuses.filter(status => status === 503).length,
    unanswered: statuses.filter(status => status === null).length,
  }
}

/** Verifies the ledger and the effects of all operations, and reads the deadlock count. */
async function verify(settings: { DATA_DIR: string }, all: readonly SentOperation[]) {
  const checked = await run(['check-stock', '--json'], settings).ended
  const { differences } = JSON.parse(checked.output) as { differences: unknown[] }
  const log = { info: () => {}, warn: () => {} }
  const postgres = await openEmbeddedPostgres({ dataDir: settings.DATA_DIR, log })
  const client = new pg.Client(postgres.connection)
  await client.connect()
  const { rows } = await client.query<{ deadlocks: number }>(
    'select sum(deadlocks)::int as deadlocks from pg_stat_database',
  )
  const faults = await findEffectFaults(client, all)
  await client.end()
  await postgres.stop()
  return { differences, faults, deadlocksInDatabase: rows[0]?.deadlocks ?? 0 }
}
