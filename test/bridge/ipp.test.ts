// The IPP driver with every state, every fault and every interruption of a printer.

import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import {
  type DeliveryOutcome,
  type DeliverySteps,
  type Job,
  LeaseLostError,
} from '../../bridge/src/driver.ts'
import { ippPrinter } from '../../bridge/src/ipp.ts'
import { decode, encode, Operation } from '../../bridge/src/ipp-message.ts'
import { type IppBehaviour, openIppServer } from '../support/ipp-server.ts'
import { openCuttingProxy } from '../support/raw-server.ts'
import { until } from '../support/service-process.ts'

const times = { responseTimeoutMs: 2_000, pollMs: 5, stallTimeoutMs: 400 }
const job: Job = {
  printJobId: '0197e1c6-5a5e-7c1e-9d3a-000000000001',
  leaseNumber: 1,
  name: 'Picking list – Ōtaki',
  contentType: 'application/pdf',
  content: Buffer.from(`%PDF-1.7 ${'x'.repeat(500)}`),
  copies: 1,
  orientation: null,
  media: null,
}

/** Prints. Returns the outcome and the recorded steps. */
async function printOn(uri: string, change: Partial<Job> = {}) {
  const recorded: string[] = []
  const steps: DeliverySteps = {
    beginSending: async () => void recorded.push('sending'),
    finishSending: async reference => void recorded.push(`sent ${reference}`),
  }
  const outcome = await ippPrinter(uri, times).print({ ...job, ...change }, steps)
  return { outcome, recorded }
}

test('a job is sent completely with its attributes, and is printed once the printer reports it', async () => {
  const printer = await openIppServer({ jobState: 5 })
  const printing = printOn(printer.uri, { copies: 3, media: 'iso_a4_210x297mm' })
  await until(async () => printer.asked() > 2, 'The bridge did not ask what became of the job.')
  printer.behaviour.jobState = 9
  assert.deepEqual(await printing, { outcome: { kind: 'printed' }, recorded: ['sending', 'sent 1'] })
  const [received] = printer.jobs
  assert.equal(printer.jobs.length, 1)
  assert.deepEqual(received?.document, job.content)
  assert.equal(received?.name, `${job.name} ${job.printJobId}`)
  const attributes = Object.fromEntries(received?.attributes ?? [])
  assert.deepEqual(
    [
      attributes.copies,
      attributes.media,
      attributes['print-scaling'],
      attributes['document-format'],
      attributes['ipp-attribute-fidelity'],
    ],
    [[3], ['iso_a4_210x297mm'], ['none'], ['application/pdf'], [true]],
  )
})

const refusals: [string, Partial<IppBehaviour>, Partial<Job>, DeliveryOutcome][] = [
  [
    'has stopped',
    { state: 5, reasons: ['media-empty-error'] },
    {},
    { kind: 'refused', message: 'It has stopped: media-empty-error.' },
  ],
  [
    'takes no jobs',
    { isAccepting: false },
    {},
    { kind: 'refused', message: 'It is not accepting jobs: nothing.' },
  ],
  [
    'does not know the format',
    { formats: ['image/urf'] },
    {},
    { kind: 'failed', message: 'The printer does not accept application/pdf.' },
  ],
  [
    'lacks the medium',
    {},
    { media: 'na_letter_8.5x11in' },
    { kind: 'failed', message: 'The printer has no na_letter_8.5x11in.' },
  ],
  [
    'does not support that many copies',
    {},
    { copies: 100 },
    { kind: 'failed', message: 'The printer cannot make 100 copies.' },
  ],
  [
    'refuses to validate the job',
    { refuses: new Map([[Operation.ValidateJob, 0x040b]]) },
    {},
    { kind: 'failed', message: 'The printer would not accept it: 0x040b.' },
  ],
  [
    'is busy when the job is validated',
    { refuses: new Map([[Operation.ValidateJob, 0x0507]]) },
    {},
    { kind: 'refused', message: 'The printer would not accept it: 0x0507.' },
  ],
]
for (const [title, behaviour, change, outcome] of refusals)
  test(`nothing is sent to a printer that ${title}`, async () => {
    const printer = await openIppServer(behaviour)
    assert.deepEqual(await printOn(printer.uri, change), { outcome, recorded: [] })
    assert.equal(printer.jobs.length, 0)
  })

test('an error response to a job means refused or failed', async () => {
  for (const [status, kind] of [
    [0x0506, 'refused'],
    [0x040a, 'failed'],
  ] as const) {
    const printer = await openIppServer({ refuses: new Map([[Operation.PrintJob, status]]) })
    const { outcome, recorded } = await printOn(printer.uri)
    assert.deepEqual([outcome.kind, recorded], [kind, ['sending']])
    assert.equal(printer.jobs.length, 0)
  }
})

for (const [state, kind, message] of [
  [7, 'failed', 'It was cancelled at the printer: job-canceled-by-user.'],
  [8, 'failed', 'The printer aborted it: job-canceled-by-user.'],
] as const)
  test(`a job that ends in state ${state} has ${kind}`, async () => {
    const printer = await openIppServer({ jobState: state, jobReasons: ['job-canceled-by-user'] })
    assert.deepEqual((await printOn(printer.uri)).outcome, { kind, message })
  })

test('a job that no longer changes is in doubt, and one that makes progress is waited for', async () => {
  const printer = await openIppServer({ jobState: 6, jobReasons: ['printer-stopped'] })
  const { outcome } = await printOn(printer.uri)
  assert.equal(outcome.kind, 'in doubt')
  assert.match(String(outcome.message), /the printer says printer-stopped/)

  const slow = await openIppServer({ jobState: 5 })
  const began = performance.now()
  slow.behaviour.beforeResponse = () => {
    slow.behaviour.jobReasons = [`page-${slow.asked()}`]
    if (performance.now() - began > 3 * times.stallTimeoutMs) slow.behaviour.jobState = 9
  }
  assert.equal((await printOn(slow.uri)).outcome.kind, 'printed')
})

test('a job is in doubt if the printer has forgotten it or becomes unreachable', async () => {
  const forgetful = await openIppServer({ refuses: new Map([[Operation.GetJobAttributes, 0x0406]]) })
  assert.equal((await printOn(forgetful.uri)).outcome.kind, 'in doubt')
  const printer = await openIppServer({ jobState: 5 })
  const printing = printOn(printer.uri)
  await until(async () => printer.asked() > 0, 'The bridge did not ask what became of the job.')
  printer.close()
  assert.equal((await printing).outcome.kind, 'in doubt')
  assert.equal((await printOn(printer.uri)).outcome.kind, 'refused')
})

test('a job is in doubt if the response to the document is missing or incomplete', async () => {
  const hanging = await openIppServer({
    beforeResponse: operation => (operation === Operation.PrintJob ? new Promise(() => {}) : undefined),
  })
  assert.deepEqual([(await printOn(hanging.uri)).outcome.kind, hanging.jobs.length], ['in doubt', 1])
  const breaking = await openIppServer({
    beforeResponse(operation) {
      if (operation === Operation.PrintJob) throw new Error('broken')
    },
  })
  assert.deepEqual([(await printOn(breaking.uri)).outcome.kind, breaking.jobs.length], ['in doubt', 1])
})

test('a connection cut at any byte never leads to a partly sent job being reported as printed', async () => {
  const printer = await openIppServer()
  const proxy = await openCuttingProxy(printer.port)
  const counts = { refused: 0, 'in doubt': 0, printed: 0, failed: 0 }
  const outcomes = new Map<string, DeliveryOutcome['kind']>()
  for (let at = 0; at < 1_400; at += 41) {
    for (const by of ['close', 'reset'] as const) {
      proxy.cut(at, by)
      const printJobId = `${at} ${by}`
      const { outcome, recorded } = await printOn(`ipp://127.0.0.1:${proxy.port}/ipp/print`, { printJobId })
      counts[outcome.kind]++
      outcomes.set(`${job.name} ${printJobId}`, outcome.kind)
      if (outcome.kind === 'refused') assert.deepEqual(recorded, [], printJobId)
    }
  }
  for (const [name, kind] of outcomes) {
    const received = printer.jobs.filter(printerJob => printerJob.name === name)
    assert.ok(received.length <= 1, name)
    if (kind === 'printed') assert.deepEqual([received.length, received[0]?.isWhole], [1, true], name)
    if (kind === 'refused') assert.equal(received.length, 0, name)
  }
  assert.ok(counts.refused > 5 && counts['in doubt'] > 5 && counts.printed > 0, JSON.stringify(counts))
  assert.equal(counts.failed, 0)
})

test('nothing is sent if the bridge has lost its lease', async () => {
  const printer = await openIppServer()
  const steps: DeliverySteps = {
    async beginSending() {
      throw new LeaseLostError()
    },
    async finishSending() {},
  }
  await assert.rejects(ippPrinter(printer.uri, times).print(job, steps), LeaseLostError)
  assert.equal(printer.jobs.length, 0)
})

test('after a restart, the outcome of a job is found by its id at the printer', async () => {
  const printer = await openIppServer()
  const driver = ippPrinter(printer.uri, times)
  assert.deepEqual(await driver.findOutcome('1'), { kind: 'printed' })
  printer.behaviour.refuses.set(Operation.GetJobAttributes, 0x0406)
  assert.equal((await driver.findOutcome('1')).kind, 'in doubt')
})

test('a printer is probed without sending a job', async () => {
  const printer = await openIppServer()
  const driver = ippPrinter(printer.uri, times)
  assert.deepEqual(await driver.probe(), { isReachable: true })
  Object.assign(printer.behaviour, { state: 5, reasons: ['cover-open', 'toner-low'] })
  assert.deepEqual(await driver.probe(), {
    isReachable: false,
    reason: 'It has stopped: cover-open, toner-low.',
  })
  printer.close()
  const state = await driver.probe()
  assert.ok(!state.isReachable && /ECONNREFUSED/.test(state.reason), JSON.stringify(state))
  assert.equal(printer.jobs.length, 0)
})

test('a response that is not IPP or is incomplete is rejected with a message', () => {
  const request = encode(Operation.GetJobs, 7, [['printer-uri', 'uri', 'ipp://x/']])
  assert.equal(decode(request).groups[0]?.attributes.get('printer-uri')?.[0], 'ipp://x/')
  for (let length = 0; length < request.length; length++)
    assert.throws(() => decode(request.subarray(0, length)), /not IPP|cut off/)
})

const hasIppEvePrinter = (() => {
  try {
    execFileSync('which', ['ippeveprinter'])
    return true
  } catch {
    return false
  }
})()

test('ippeveprinter prints what it is sent', {
  skip: !hasIppEvePrinter && 'it is not installed',
}, async context => {
  const folder = mkdtempSync(join(tmpdir(), 'ippeveprinter-'))
  const port = 20_000 + (process.pid % 10_000)
  const child = spawn(
    'ippeveprinter',
    ['-p', String(port), '-d', folder, '-k', '-f', 'application/pdf', 'Test'],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  )
  after(() => {
    child.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  })
  let output = ''
  let hasEnded = false
  child.stderr.setEncoding('utf8').on('data', text => {
    output += text
  })
  child.once('close', () => {
    hasEnded = true
  })
  const driver = ippPrinter(`ipp://127.0.0.1:${port}/ipp/print`, { pollMs: 50 })
  await until(async () => hasEnded || (await driver.probe()).isReachable, 'ippeveprinter did not start.')
  // It announces itself by DNS-SD and does not start without a running Avahi daemon.
  if (hasEnded && output.includes('DNS-SD')) return context.skip('no Avahi daemon runs')
  assert.ok(!hasEnded, `ippeveprinter ended: ${output}`)
  const steps: DeliverySteps = { async beginSending() {}, async finishSending() {} }
  assert.deepEqual(await driver.print(job, steps), { kind: 'printed' })
  assert.equal(readdirSync(folder).filter(name => name.endsWith('.pdf')).length, 1)
})
