// How large request bodies of one organisation affect another: the p99 of the other organisation's GET
// /v1/identity while four connections import files of 14 MB, compared with the p99 without them. Target: at
// most three times. Also prints the memory of the service before, during and after, and its longest event
// loop turns. The large bodies are sent by another process, so that sending them does not delay the
// measurement.
//
//     node bench/large-bodies.ts [--seconds 8] [--rounds 3]

import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import process from 'node:process'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { pino } from 'pino'
import { createCustomApp } from '../src/custom-apps/create-app.ts'
import { createOrganisation } from '../src/organisations/organisation.ts'
import { readConfig } from '../src/process/config.ts'
import { openStore, type Store } from '../src/process/store.ts'
import { openDataFolder } from './data-folder.ts'
import { median, reportFinding } from './figures.ts'
import { type LoadResult, load, post, request } from './load.ts'
import { serveWaybill, startRole, tokenFor } from './role.ts'

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { seconds: { type: 'string', default: '8' }, rounds: { type: 'string', default: '3' } },
})
const seconds = Number(options.seconds)
const largeConnections = 4
const fileBytes = 10 * 1_048_576
const log = pino({ level: 'error' }, pino.destination(2))

/** Creates an organisation with an app that may import. */
async function createImportApp({ database, openSecrets }: Store, name: string) {
  const secretBox = await openSecrets()
  return database.atomically(async tx => {
    const prefix = name.slice(0, 3).toUpperCase()
    const organisationId = await createOrganisation(tx, { name, prefix, timezone: 'Pacific/Auckland' })
    return createCustomApp(tx, secretBox, {
      organisationId,
      name: 'Load',
      grantType: 2,
      scopes: ['consignment'],
    })
  })
}

/** An import with a file. It waits for its client code and is never processed. */
const largeBody = (): string =>
  JSON.stringify({
    consignmentType: 2,
    clientCode: 'KAURI',
    warehouseCode: 'AKL',
    products: [{ productCode: 'P1', items: [{ quantity: 1 }] }],
    notes: [
      {
        note: 'Photographs',
        attachments: [
          {
            fileName: 'photographs.txt',
            contentType: 'text/plain',
            content: Buffer.alloc(fileBytes, 'Photographs of the pallets. ').toString('base64'),
          },
        ],
      },
    ],
  })

/** A process that prepares its large bodies, so that only sending them is measured. */
async function openSender(port: number, token: string): Promise<{ send(): Promise<LoadResult> }> {
  const sender = fork(import.meta.filename, ['sender'])
  sender.send({ port, token, seconds })
  await once(sender, 'message')
  return {
    async send() {
      sender.send('go')
      const [result] = await once(sender, 'message')
      return result as LoadResult
    },
  }
}

/** Runs the process that sends large bodies. */
async function serveSending(): Promise<void> {
  const [{ port, token, seconds }] = await once(process, 'message')
  const body = post('/v1/consignment-imports', largeBody(), { Authorization: `Bearer ${token}` })
  process.send?.('ready')
  await once(process, 'message')
  process.send?.(await load(port, largeConnections, seconds, () => body))
  process.disconnect()
}

/**
 * Prints how much processor time the longest turns of the service's main thread took since the last SIGUSR2,
 * which triggers it. During such a turn the service serves nobody. Unlike waiting times, this does not
 * depend on other load.
 */
function printLongestTurns(): void {
  let last = process.threadCpuUsage()
  let turns: number[] = []
  setInterval(() => {
    const now = process.threadCpuUsage()
    turns.push((now.user + now.system - last.user - last.system) / 1_000)
    last = now
  }, 1)
  process.on('SIGUSR2', () => {
    const longest = turns.toSorted((a, b) => b - a).slice(0, 3)
    turns = []
    console.error(`  longest turns of the main thread, ms: ${longest.map(ms => ms.toFixed(1)).join(', ')}`)
  })
}

/** The resident memory of a process in MiB. */
async function residentOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? Number.NaN) / 1024
}

/** Measures the p99 of GET /v1/identity over eight connections. */
async function p99(port: number, token: string): Promise<number> {
  const identityRequest = request('GET', '/v1/identity', undefined, { Authorization: `Bearer ${token}` })
  return (await load(port, 8, seconds, () => identityRequest)).p99
}

async function bench(store: Store, settings: Record<string, string>): Promise<void> {
  const apps = [await createImportApp(store, 'Quiet'), await createImportApp(store, 'Large')] as const
  const waybill = await startRole(import.meta.filename, 'waybill', settings)
  const tokens = await Promise.all(apps.map(app => tokenFor(waybill.port, app)))
  const [quiet = '', large = ''] = tokens
  await p99(waybill.port, quiet)
  const before = await residentOf(waybill.pid)
  const ratios: number[] = []
  for (let round = 0; round < Number(options.rounds); round++) {
    process.kill(waybill.pid, 'SIGUSR2')
    const sender = await openSender(waybill.port, large)
    const alone = await p99(waybill.port, quiet)
    process.kill(waybill.pid, 'SIGUSR2')
    const sending = sender.send()
    const beside = await p99(waybill.port, quiet)
    const { statuses, perSecond } = await sending
    process.kill(waybill.pid, 'SIGUSR2')
    ratios.push(beside / alone)
    const memory = `${(await residentOf(waybill.pid)).toFixed(0)} MiB`
    console.log(
      `p99 ${alone.toFixed(1)} ms alone, ${beside.toFixed(1)} ms beside ${perSecond.toFixed(1)} large ` +
        `bodies a second ${JSON.stringify(statuses)}, ${memory}`,
    )
  }
  await pause(20_000)
  const after = await residentOf(waybill.pid)
  const ratio = median(ratios)
  reportFinding({
    what: "p99 of others beside one organisation's large bodies, of the p99 without",
    figure: ratio.toFixed(1),
    target: '3',
    isMet: ratio <= 3,
  })
  reportFinding({
    what: 'memory 20 s after large bodies, over that before, MiB',
    figure: `${(after - before).toFixed(0)} (${before.toFixed(0)} before)`,
    target: '50',
    isMet: after - before <= 50,
  })
  await waybill.stop()
}

if (positionals[0] === 'sender') await serveSending()
else if (positionals[0] === 'waybill') {
  printLongestTurns()
  await serveWaybill({ ...readConfig(), rateLimits: false, roles: { api: true, worker: false } })
} else {
  const { dataDir, remove } = await openDataFolder()
  const settings = { DATA_DIR: dataDir, PORT: '0', HOST: '127.0.0.1', LOG_LEVEL: 'warn', DATABASE_URL: '' }
  const store = await openStore(readConfig(settings), log)
  try {
    await bench(store, settings)
  } finally {
    await store.close()
    await remove()
  }
}
