// The time from POST …/print to the first byte at a printer: twenty printers behind one bridge, ten labels
// per second. The service and the bridge are separate processes, as in a warehouse.
//
//     npm run bench -- printing

import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { json, run, startServiceProcess, until } from '../test/support/service-process.ts'
import { openDataFolder } from './data-folder.ts'
import { percentile, reportFinding } from './figures.ts'
import { usedBy } from './processor-time.ts'

const printerCount = 20
const everyMs = 100
const labels = 300

/** A printer that reports it is ready, and records when the first byte of a job arrives. */
async function openPrinter() {
  // On a busy machine, a job may still be under way when the next one for the same printer starts.
  const waiting: (() => void)[] = []
  const well =
    '\x02030,0,0,1245,000,0,0,0,000,0,0,0\x03\r\n' +
    '\x02000,0,0,0,0,2,6,0,00000000,1,000\x03\r\n\x021234,0\x03\r\n'
  const server = createServer({ allowHalfOpen: true }, socket => {
    let hasBegun = false
    socket.on('error', () => {})
    socket.on('data', chunk => {
      const text = chunk.toString('latin1')
      if (text.includes('~HS')) socket.write(well)
      if (hasBegun || text.replaceAll('~HS', '') === '') return
      hasBegun = true
      waiting.shift()?.()
    })
    socket.on('end', () => socket.end())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    port,
    close: () => server.close(),
    /** Waits for the first byte of the next job. */
    firstByte: () => new Promise<void>(resolve => waiting.push(resolve)),
  }
}

const { dataDir, remove } = await openDataFolder()
const settings = { DATA_DIR: dataDir, RATE_LIMITS: 'off' }
const service = await startServiceProcess(settings)
const printers = await Promise.all(Array.from({ length: printerCount }, openPrinter))
let bridge: ReturnType<typeof run> | undefined
try {
  const organisation = ['--name', 'Bench', '--prefix', 'BEN', '--timezone', 'Pacific/Auckland']
  const { organisationId } = await json<{ organisationId: string }>(
    ['organisation', 'create', ...organisation],
    settings,
  )
  const app = ['--organisation', organisationId, '--name', 'Bench', '--grant', 'client_credentials']
  const { clientId, clientSecret } = await json<{ clientId: string; clientSecret: string }>(
    ['app', 'create', ...app, '--scopes', 'organisation warehouse print'],
    settings,
  )
  const form = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret }
  const granted = await fetch(`${service.baseUrl}/connect/token`, {
    method: 'POST',
    body: new URLSearchParams(form),
  })
  const { access_token: token } = (await granted.json()) as { access_token: string }
  const call = async <T>(method: string, path: string, body?: object): Promise<T> => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const sent = body === undefined ? { method, headers } : { method, headers, body: JSON.stringify(body) }
    const answer = await fetch(`${service.baseUrl}${path}`, sent)
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${await answer.text()}`)
    return (await answer.json()) as T
  }
  const warehouse = { name: 'Auckland', code: 'AKL', timezoneId: 'Pacific/Auckland' }
  const { warehouseId } = await call<{ warehouseId: string }>('POST', '/v1/warehouses', warehouse)
  const place = `/v1/warehouses/${warehouseId}/locations`
  const { warehouseLocationId } = await call<{ warehouseLocationId: string }>('POST', place, {
    name: 'A-01-1',
    type: 1,
  })
  const made = await call<object>('POST', '/v1/printer-bridges', { name: 'Site PC', warehouseId })
  const config = join(dataDir, 'bridge.json')
  const entries = printers.map(({ port }, i) => ({
    ...{ name: `Dock ${i}`, type: 'label', language: 'zpl', dotsPerMM: 8, uri: `tcp://127.0.0.1:${port}` },
  }))
  await writeFile(
    config,
    JSON.stringify({ url: service.baseUrl, ...made, stateFolder: 'bridge', printers: entries }),
  )
  bridge = run(['bridge', '--config', config], settings)
  const online = await until(
    async () => {
      const options = await call<{ printers: { id: string; name: string; status: number }[] }>(
        'GET',
        '/v1/printer-bridges/printer/options',
      )
      const found = options.printers.filter(({ status }) => status === 1)
      return found.length === printerCount ? found : undefined
    },
    () => `The printers did not come: ${bridge?.output()}`,
  )
  const idOf = new Map(online.map(({ id, name }) => [name, id]))
  const times: number[] = []
  const print = async (nth: number) => {
    const at = nth % printerCount
    const byte = printers[at]?.firstByte()
    const began = performance.now()
    await call('POST', `${place}/${warehouseLocationId}/label/print`, {
      printOption: { printerId: idOf.get(`Dock ${at}`) },
    })
    await byte
    times.push(performance.now() - began)
  }
  // The first jobs load what is loaded on demand.
  for (let n = 0; n < printerCount; n++) await print(n)
  times.length = 0
  const pids = [service.child.pid, bridge.child.pid] as [number, number]
  const before = await Promise.all(pids.map(usedBy))
  const all: Promise<void>[] = []
  for (let n = 0; n < labels; n++) {
    all.push(print(n))
    await pause(everyMs)
  }
  await Promise.all(all)
  times.sort((a, b) => a - b)
  const used = (await Promise.all(pids.map(usedBy))).map((ms, i) => (ms - (before[i] ?? 0)) / labels)
  const [serviceSource, byBridge] = used.map(ms => `${ms.toFixed(1)} ms`)
  console.log(
    `a label takes ${serviceSource} of the service and ${byBridge} of the bridge; ` +
      `load ${loadavg()[0]?.toFixed(1)}`,
  )
  for (const [share, target] of [
    [0.5, 150],
    [0.99, 500],
  ] as const) {
    const ms = percentile(times, share)
    reportFinding({
      what: `POST …/print to the first byte at a printer, p${share * 100}`,
      ...{ figure: `${ms.toFixed(0)} ms`, target: `${target} ms`, isMet: ms <= target },
    })
  }
} finally {
  await bridge?.stop()
  await service.stop()
  for (const { close } of printers) close()
  await remove()
}
