// Runs a service, a bridge and printers, and kills or disconnects them at every step. Each job is printed
// exactly once, or it is in doubt and a user decides. It is never printed twice.

import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, afterEach, test } from 'node:test'
import { Operation } from '../../bridge/src/ipp-message.ts'
import { printJobHint, submitPrintJob } from '../../src/paper/print-jobs/submit.ts'
import { sql } from '../../src/platform/database/db.ts'
import { PrintJobKind } from '../../src/vocabulary/paper.ts'
import { type InterceptedRequest, openGate } from '../support/gate.ts'
import { openIppServer } from '../support/ipp-server.ts'
import { apiCaller, newApp, temporaryDataDir } from '../support/processes.ts'
import { openRawServer } from '../support/raw-server.ts'
import { type RunningProcess, run, startServiceProcess, until } from '../support/service-process.ts'
import { createTestDatabase, openTestPools } from '../support/test-database.ts'

const folder = await temporaryDataDir()
const databaseUrl = await createTestDatabase()
const database = openTestPools(databaseUrl)
const settings = { DATABASE_URL: databaseUrl, DATA_DIR: join(folder, 'data') }
let service = await startServiceProcess(settings)
after(() => service.stop())
const app = await newApp(settings)
const api = apiCaller(() => service.baseUrl, app)
const { warehouseId } = await api.must('POST', '/v1/warehouses', {
  name: 'Auckland',
  code: 'AKL',
  timezoneId: 'Pacific/Auckland',
})
const gate = await openGate(() => service.baseUrl)
const ipp = await openIppServer()
const raw = await openRawServer()
const actor = await database.db.row<{ userId: string; connectionId: string; organisationId: string }>(sql`
  select c.user_id, c.id as connection_id, c.organisation_id from identity_connection c
  join custom_app a on a.organisation_id = c.organisation_id and a.id = c.custom_app_id
  where a.client_id = ${app.clientId}`)

const credentials = await api.must('POST', '/v1/printer-bridges', { name: 'Site PC', warehouseId })
const configuration = {
  url: gate.url,
  printerBridgeId: credentials.printerBridgeId,
  clientId: credentials.clientId,
  clientSecret: credentials.clientSecret,
  stateFolder: 'state',
  printers: [
    { name: 'Office', type: 'document', language: 'pdf', uri: ipp.uri },
    { name: 'Dock', type: 'label', language: 'zpl', dotsPerMM: 8, uri: `tcp://127.0.0.1:${raw.port}` },
    { name: 'Files', type: 'document', language: 'pdf', uri: 'folder:printed' },
  ],
}
const config = join(folder, 'bridge.json')
await writeFile(config, JSON.stringify(configuration))

let bridge: RunningProcess | undefined
const startBridge = (path = config) => run(['bridge', '--config', path])
/** Starts the bridge, and waits until its printers are online. */
async function start(): Promise<RunningProcess> {
  bridge = startBridge()
  await until(
    async () => {
      if (bridge?.child.exitCode !== null) throw new Error(`The bridge ended: ${bridge?.output()}`)
      return (await listOnline()).length === 3
    },
    () => `The bridge did not start: ${bridge?.output()}`,
  )
  return bridge
}
const listOnline = async (): Promise<string[]> => {
  const { printers } = (await api.must('GET', '/v1/printer-bridges/printer/options')) as {
    printers: { name: string; status: number }[]
  }
  return printers.filter(({ status }) => status === 1).map(({ name }) => name)
}

afterEach(async () => {
  gate.watch(() => 'on')
  await bridge?.kill()
  bridge = undefined
  await database.inOneStatement(tx =>
    tx.run(sql`update print_job set status = 5, finished_utc = now() where status < 3`),
  )
  // Makes the bridge offline without waiting for a minute.
  await database.inOneStatement(tx => tx.run(sql`update printer_bridge set last_seen_utc = null`))
  Object.assign(ipp.behaviour, { jobState: 9, beforeAnswer() {} })
  ipp.jobs.length = 0
  raw.received.length = 0
})

let printed = 0

/** Submits a job to a printer, and returns its id. */
async function print(printerName: string): Promise<string> {
  const { id } = await database.db.row<{ id: string }>(
    sql`select id from printer where name = ${printerName}`,
  )
  const isLabel = printerName === 'Dock'
  const text = `job ${++printed}`
  const { printJobId } = await database.inOneStatement(tx =>
    submitPrintJob(
      tx,
      { ...actor, clientId: app.clientId, partnerId: null, partnerKind: null, scopes: new Set() },
      { id, name: 'Printer' },
      {
        kind: PrintJobKind.TestPage,
        readScopes: 'print',
        name: text,
        contentType: isLabel ? 'application/zpl' : 'application/pdf',
        content: Buffer.from(isLabel ? `^XA^FD${text}^FS^XZ` : `%PDF ${text}`),
      },
    ),
  )
  await database.inOneStatement(tx =>
    tx.run(sql`select pg_notify('waybill_work', ${printJobHint(String(credentials.printerBridgeId))})`),
  )
  return printJobId
}

interface JobState {
  status: number
  isInDoubt: boolean
  message: string | null
  attempts: unknown[]
}
const readJob = async (printJobId: string) =>
  (await api.must('GET', `/v1/print-jobs/${printJobId}`)) as unknown as JobState
/**
 * Waits for the end of a job, without the delays after a refusal. A bridge that is killed before its journal
 * has a claim cannot return the job, which is then free when its lease of 60 s ends.
 */
const waitForEnd = (printJobId: string): Promise<JobState> =>
  until(
    async () => {
      await database.inOneStatement(tx =>
        tx.run(sql`update print_job set due_utc = now() where id = ${printJobId} and status = 1`),
      )
      const found = await readJob(printJobId)
      return found.status > 2 && found
    },
    () => `The job did not end: ${bridge?.output()}`,
    100_000,
  )
const isProgress = (
  { path, body }: InterceptedRequest,
  matches: (body: { phase: number; result?: number }) => boolean,
) => path.endsWith('/progress') && matches(body)

test('with a service, a bridge and three printers, each job is printed once', async () => {
  await start()
  const ids = [await print('Office'), await print('Dock'), await print('Files')]
  for (const id of ids) assert.equal((await waitForEnd(id)).status, 3)
  assert.equal(ipp.jobs.length, 1)
  await until(async () => raw.received.length === 1, 'The label printer received nothing.')
  assert.equal(raw.received[0], '^XZ^XA^FDjob 2^FS^XZ')
  const [name = ''] = readdirSync(join(folder, 'printed'))
  assert.equal(readFileSync(join(folder, 'printed', name), 'utf8'), '%PDF job 3')
})

/** When the bridge is killed, and the outcome of the job after it is started again. */
const kills: [string, (kill: () => Promise<'broken'>) => void, 'printed' | 'in doubt'][] = [
  [
    'after it has claimed the job, when it downloads the content',
    kill => gate.watch(async passing => (passing.path.endsWith('/content') ? kill() : 'on')),
    'printed',
  ],
  [
    'after the download, before the service receives Sending',
    kill =>
      gate.watch(async passing =>
        passing.when === 'before' && isProgress(passing, ({ phase }) => phase === 3) ? kill() : 'on',
      ),
    'printed',
  ],
  [
    'after the service has recorded Sending, before the acknowledgement arrives',
    kill =>
      gate.watch(async passing =>
        passing.when === 'after' && isProgress(passing, ({ phase }) => phase === 3) ? kill() : 'on',
      ),
    'printed',
  ],
  [
    'after the printer has received every byte, before it responds',
    kill => {
      ipp.behaviour.beforeResponse = async operation => {
        if (operation !== Operation.PrintJob) return
        await kill()
        throw new Error('the bridge was killed')
      }
    },
    'in doubt',
  ],
  [
    'while the printer prints',
    kill => {
      ipp.behaviour.jobState = 5
      ipp.behaviour.beforeResponse = async operation => {
        if (operation !== Operation.GetJobAttributes || bridge === undefined) return
        await kill()
        ipp.behaviour.jobState = 9
      }
    },
    'printed',
  ],
  [
    'after printing, before the service receives the result',
    kill =>
      gate.watch(async passing =>
        passing.when === 'before' && isProgress(passing, ({ result }) => result === 1) ? kill() : 'on',
      ),
    'printed',
  ],
  [
    'after the service has recorded the result, before the acknowledgement arrives',
    kill =>
      gate.watch(async passing =>
        passing.when === 'after' && isProgress(passing, ({ result }) => result === 1) ? kill() : 'on',
      ),
    'printed',
  ],
]
for (const [when, watch, outcome] of kills)
  test(`a bridge killed ${when}: ${outcome}`, async () => {
    await start()
    let isKilled = false
    const killed = Promise.withResolvers<void>()
    watch(async () => {
      if (isKilled) return 'broken'
      isKilled = true
      await bridge?.kill()
      bridge = undefined
      killed.resolve()
      return 'broken'
    })
    const printJobId = await print('Office')
    await killed.promise
    gate.watch(() => 'on')
    if (ipp.behaviour.jobState === 9) ipp.behaviour.beforeResponse = () => {}
    await start()
    const { status, isInDoubt, message } = await waitForEnd(printJobId)
    assert.deepEqual([status, isInDoubt], outcome === 'printed' ? [3, false] : [4, true], String(message))
    assert.equal(ipp.jobs.length, 1)
    // The job is not printed again when the next one arrives.
    const next = await print('Office')
    assert.equal((await waitForEnd(next)).status, 3)
    assert.equal(ipp.jobs.length, 2)
  })

test('a bridge killed while sending leaves the job in doubt, and continues with the next after a restart', async () => {
  await start()
  // The label printer accepts the status request and then nothing more, so that the bridge waits for it.
  raw.behaviour.hangs = true
  const printJobId = await print('Dock')
  // The journal records Sending only after the service has, and before anything is sent to the printer.
  await until(async () => journalOf(printJobId).includes('"sending"'), 'The job was not sent.')
  assert.deepEqual([(await readJob(printJobId)).status, await readPhase(printJobId)], [2, 3])
  await bridge?.kill()
  raw.behaviour.hangs = false
  await start()
  const { status, isInDoubt, message } = await waitForEnd(printJobId)
  assert.deepEqual([status, isInDoubt, message], [4, true, 'The bridge was stopped while sending it.'])
  assert.equal((await waitForEnd(await print('Dock'))).status, 3)
})
/** Returns the journal lines of a job. */
const journalOf = (printJobId: string): string =>
  readFileSync(join(folder, 'state', 'journal'), 'utf8')
    .split('\n')
    .filter(line => line.includes(printJobId))
    .join('\n')
const readPhase = async (printJobId: string) =>
  ((await api.must('GET', `/v1/print-jobs/${printJobId}`)) as { phase: number }).phase

test('a service that was killed while a job is printed receives its result after a restart', async () => {
  await start()
  ipp.behaviour.jobState = 5
  const printJobId = await print('Office')
  await until(async () => ipp.asked() > 0 && ipp.jobs.length === 1, 'The job did not reach the printer.')
  await service.kill()
  ipp.behaviour.jobState = 9
  await until(
    async () => /Office: job \d+: printed/.test(bridge?.output() ?? ''),
    'The bridge did not continue.',
  )
  service = await startServiceProcess(settings)
  assert.equal((await waitForEnd(printJobId)).status, 3)
  assert.equal((await waitForEnd(await print('Office'))).status, 3)
  assert.equal(ipp.jobs.length, 2)
})

test('a service that has lost its latest changes does not cause a job to be printed again', async () => {
  await start()
  const printJobId = await print('Office')
  assert.equal((await waitForEnd(printJobId)).status, 3)
  // Restores an earlier state, as after failover to a replica with a lag or after restoring a backup.
  await database.inOneStatement(tx =>
    tx.run(sql`
      update print_job set status = 1, phase = 1, lease_number = 0, attempts = '[]', finished_utc = null
      where id = ${printJobId}`),
  )
  assert.equal((await waitForEnd(printJobId)).status, 3)
  assert.equal(ipp.jobs.length, 1)
})

test('nothing is printed twice if every second response of the service is lost', async () => {
  await start()
  let n = 0
  gate.watch(({ path, when }) =>
    path.endsWith('/progress') && when === 'after' && ++n % 2 === 1 ? 'broken' : 'on',
  )
  const ids = []
  for (let i = 0; i < 3; i++) ids.push(await print('Office'))
  for (const id of ids) assert.equal((await waitForEnd(id)).status, 3)
  assert.equal(ipp.jobs.length, 3)
  assert.equal(new Set(ipp.jobs.map(({ name }) => name)).size, 3)
})

test('a second bridge on the same state folder exits with an explanation', async () => {
  await start()
  const second = await startBridge().ended
  assert.equal(second.code, 1)
  assert.match(second.output, /Another bridge \(process \d+\) works with .*state already\./)
})

test('two bridges with the same credentials and separate folders print each job once', async () => {
  await start()
  const otherConfig = join(folder, 'other.json')
  await writeFile(otherConfig, JSON.stringify({ ...configuration, stateFolder: 'other' }))
  const second = startBridge(otherConfig)
  try {
    await second.line(/Works for 3 printers/)
    const ids = []
    for (let i = 0; i < 6; i++) ids.push(await print(i % 2 === 0 ? 'Office' : 'Files'))
    for (const id of ids) assert.equal((await waitForEnd(id)).status, 3)
    assert.equal(ipp.jobs.length, 3)
  } finally {
    await second.kill()
  }
})

test('a stopping bridge finishes the current job and leaves the others', async () => {
  await start()
  ipp.behaviour.jobState = 5
  const [first, second] = [await print('Office'), await print('Office')]
  await until(async () => ipp.jobs.length === 1, 'The job did not reach the printer.')
  const stopping = bridge?.stop()
  ipp.behaviour.jobState = 9
  const ended = await stopping
  assert.equal(ended?.code, 0)
  assert.equal((await readJob(first)).status, 3)
  assert.equal((await readJob(second)).status, 1)
  assert.ok(!readdirSync(join(folder, 'state')).some(name => name.startsWith('running-')))
})

test('a printer becomes offline when it stops, and online when it continues', async () => {
  await start()
  Object.assign(ipp.behaviour, { state: 5, reasons: ['media-empty'] })
  await until(async () => !(await listOnline()).includes('Office'), 'The printer stayed online.')
  Object.assign(ipp.behaviour, { state: 3, reasons: ['none'] })
  await until(async () => (await listOnline()).includes('Office'), 'The printer stayed offline.')
})

test('bridge check reports whether each printer and the service work, and exits with 1 if one does not', async () => {
  const good = await run(['bridge', 'check', '--config', config]).ended
  assert.deepEqual([good.code, good.output.match(/^ok /gm)?.length], [0, 4], good.output)
  const broken = join(folder, 'broken.json')
  const printers = [{ ...configuration.printers[0], uri: 'ipp://127.0.0.1:1/x' }]
  await writeFile(broken, JSON.stringify({ ...configuration, clientSecret: 'wrong', printers }))
  const bad = await run(['bridge', 'check', '--config', broken]).ended
  assert.deepEqual([bad.code, bad.output.match(/^FAIL /gm)?.length], [1, 2], bad.output)
  assert.match(bad.output, /ECONNREFUSED/)
  const help = await run(['bridge', '--help']).ended
  assert.deepEqual([help.code, /discover/.test(help.output)], [0, true])
})
