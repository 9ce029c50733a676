// What a bridge makes of a printer that speaks IPP: every state, every fault, every cut.

import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { type Job, JobLost, type Outcome, type Steps } from '../../bridge/src/driver.ts'
import { ippPrinter } from '../../bridge/src/ipp.ts'
import { decode, encode, Operation } from '../../bridge/src/ipp-message.ts'
import { type IppBehaviour, openIppServer } from '../support/ipp-server.ts'
import { openCuttingProxy } from '../support/raw-server.ts'
import { until } from '../support/service-process.ts'

const times = { answerMs: 2_000, pollMs: 5, silenceMs: 400 }
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

/** Prints, and says which steps were told. */
async function printOn(uri: string, change: Partial<Job> = {}) {
  const told: string[] = []
  const steps: Steps = {
    sending: async () => void told.push('sending'),
    sent: async reference => void told.push(`sent ${reference}`),
  }
  const outcome = await ippPrinter(uri, times).print({ ...job, ...change }, steps)
  return { outcome, told }
}

test('a job is sent whole with what was asked of it, and is printed once the printer says so', async () => {
  const printer = await openIppServer({ jobState: 5 })
  const printing = printOn(printer.uri, { copies: 3, media: 'iso_a4_210x297mm' })
  await until(async () => printer.asked() > 2, 'The bridge did not ask what became of the job.')
  printer.behaviour.jobState = 9
  assert.deepEqual(await printing, { outcome: { kind: 'printed' }, told: ['sending', 'sent 1'] })
  const [given] = printer.jobs
  assert.equal(printer.jobs.length, 1)
  assert.deepEqual(given?.document, job.content)
  assert.equal(given?.name, `${job.name} ${job.printJobId}`)
  const asked = Object.fromEntries(given?.attributes ?? [])
  assert.deepEqual(
    [
      asked.copies,
      asked.media,
      asked['print-scaling'],
      asked['document-format'],
      asked['ipp-attribute-fidelity'],
    ],
    [[3], ['iso_a4_210x297mm'], ['none'], ['application/pdf'], [true]],
  )
})

const before: [string, Partial<IppBehaviour>, Partial<Job>, Outcome][] = [
  [
    'has stopped',
    { state: 5, reasons: ['media-empty-error'] },
    {},
    { kind: 'refused', message: 'It has stopped: media-empty-error.' },
  ],
  ['takes no jobs', { isAccepting: false }, {}, { kind: 'refused', message: 'It takes no jobs: nothing.' }],
  [
    'does not know the format',
    { formats: ['image/urf'] },
    {},
    { kind: 'failed', message: 'The printer does not take application/pdf.' },
  ],
  [
    'lacks the medium',
    {},
    { media: 'na_letter_8.5x11in' },
    { kind: 'failed', message: 'The printer has no na_letter_8.5x11in.' },
  ],
  [
    'cannot make so many copies',
    {},
    { copies: 100 },
    { kind: 'failed', message: 'The printer makes no 100 copies.' },
  ],
  [
    'refuses it when it is asked whether it would take it',
    { refuses: new Map([[Operation.ValidateJob, 0x040b]]) },
    {},
    { kind: 'failed', message: 'The printer would not take it: 0x040b.' },
  ],
  [
    'is busy when it is asked',
    { refuses: new Map([[Operation.ValidateJob, 0x0507]]) },
    {},
    { kind: 'refused', message: 'The printer would not take it: 0x0507.' },
  ],
]
for (const [how, behaviour, change, outcome] of before)
  test(`to a printer that ${how} nothing is sent`, async () => {
    const printer = await openIppServer(behaviour)
    assert.deepEqual(await printOn(printer.uri, change), { outcome, told: [] })
    assert.equal(printer.jobs.length, 0)
  })

test('a printer that makes no job of what it was sent has refused it, for now or for good', async () => {
  for (const [status, kind] of [
    [0x0506, 'refused'],
    [0x040a, 'failed'],
  ] as const) {
    const printer = await openIppServer({ refuses: new Map([[Operation.PrintJob, status]]) })
    const { outcome, told } = await printOn(printer.uri)
    assert.deepEqual([outcome.kind, told], [kind, ['sending']])
    assert.equal(printer.jobs.length, 0)
  }
})

for (const [state, kind, message] of [
  [7, 'failed', 'It was cancelled at the printer: job-canceled-by-user.'],
  [8, 'failed', 'The printer gave it up: job-canceled-by-user.'],
] as const)
  test(`a job that ends in state ${state} has ${kind}`, async () => {
    const printer = await openIppServer({ jobState: state, jobReasons: ['job-canceled-by-user'] })
    assert.deepEqual((await printOn(printer.uri)).outcome, { kind, message })
  })

test('a job about which nothing changes any more is in doubt, and one that goes on is waited for', async () => {
  const printer = await openIppServer({ jobState: 6, jobReasons: ['printer-stopped'] })
  const { outcome } = await printOn(printer.uri)
  assert.equal(outcome.kind, 'in doubt')
  assert.match(String(outcome.message), /the printer says printer-stopped/)

  const slow = await openIppServer({ jobState: 5 })
  const began = performance.now()
  slow.behaviour.beforeAnswer = () => {
    slow.behaviour.jobReasons = [`page-${slow.asked()}`]
    if (performance.now() - began > 3 * times.silenceMs) slow.behaviour.jobState = 9
  }
  assert.equal((await printOn(slow.uri)).outcome.kind, 'printed')
})

test('a printer that has forgotten the job, or is gone for good while it prints, leaves it in doubt', async () => {
  const forgetful = await openIppServer({ refuses: new Map([[Operation.GetJobAttributes, 0x0406]]) })
  assert.equal((await printOn(forgetful.uri)).outcome.kind, 'in doubt')
  const printer = await openIppServer({ jobState: 5 })
  const printing = printOn(printer.uri)
  await until(async () => printer.asked() > 0, 'The bridge did not ask what became of the job.')
  printer.close()
  assert.equal((await printing).outcome.kind, 'in doubt')
  assert.equal((await printOn(printer.uri)).outcome.kind, 'refused')
})

test('an answer that does not come or breaks off after the document leaves it in doubt, however much was printed', async () => {
  const hanging = await openIppServer({
    beforeAnswer: operation => (operation === Operation.PrintJob ? new Promise(() => {}) : undefined),
  })
  assert.deepEqual([(await printOn(hanging.uri)).outcome.kind, hanging.jobs.length], ['in doubt', 1])
  const breaking = await openIppServer({
    beforeAnswer(operation) {
      if (operation === Operation.PrintJob) throw new Error('broken')
    },
  })
  assert.deepEqual([(await printOn(breaking.uri)).outcome.kind, breaking.jobs.length], ['in doubt', 1])
})

test('a line that is cut at any byte leaves a job unsent, in doubt or printed, and never says printed of a part', async () => {
  const printer = await openIppServer()
  const proxy = await openCuttingProxy(printer.port)
  const seen = { refused: 0, 'in doubt': 0, printed: 0, failed: 0 }
  const outcomes = new Map<string, Outcome['kind']>()
  for (let at = 0; at < 1_400; at += 41) {
    for (const by of ['close', 'reset'] as const) {
      proxy.cut(at, by)
      const printJobId = `${at} ${by}`
      const { outcome, told } = await printOn(`ipp://127.0.0.1:${proxy.port}/ipp/print`, { printJobId })
      seen[outcome.kind]++
      outcomes.set(`${job.name} ${printJobId}`, outcome.kind)
      if (outcome.kind === 'refused') assert.deepEqual(told, [], printJobId)
    }
  }
  for (const [name, kind] of outcomes) {
    const given = printer.jobs.filter(each => each.name === name)
    assert.ok(given.length <= 1, name)
    if (kind === 'printed') assert.deepEqual([given.length, given[0]?.isWhole], [1, true], name)
    if (kind === 'refused') assert.equal(given.length, 0, name)
  }
  assert.ok(seen.refused > 5 && seen['in doubt'] > 5 && seen.printed > 0, JSON.stringify(seen))
  assert.equal(seen.failed, 0)
})

test('where the service says that a job is not the bridge’s any more, nothing is sent', async () => {
  const printer = await openIppServer()
  const steps: Steps = {
    async sending() {
      throw new JobLost()
    },
    async sent() {},
  }
  await assert.rejects(ippPrinter(printer.uri, times).print(job, steps), JobLost)
  assert.equal(printer.jobs.length, 0)
})

test('a bridge that was ended asks the printer what became of a job, by its number', async () => {
  const printer = await openIppServer()
  const driver = ippPrinter(printer.uri, times)
  assert.deepEqual(await driver.recall('1'), { kind: 'printed' })
  printer.behaviour.refuses.set(Operation.GetJobAttributes, 0x0406)
  assert.equal((await driver.recall('1')).kind, 'in doubt')
})

test('a printer is looked at without being sent anything', async () => {
  const printer = await openIppServer()
  const driver = ippPrinter(printer.uri, times)
  assert.deepEqual(await driver.look(), { isReachable: true })
  Object.assign(printer.behaviour, { state: 5, reasons: ['cover-open', 'toner-low'] })
  assert.deepEqual(await driver.look(), {
    isReachable: false,
    reason: 'It has stopped: cover-open, toner-low.',
  })
  printer.close()
  const look = await driver.look()
  assert.ok(!look.isReachable && /ECONNREFUSED/.test(look.reason), JSON.stringify(look))
  assert.equal(printer.jobs.length, 0)
})

test('an answer that is no IPP, is cut off or has no end is refused in words', () => {
  const request = encode(Operation.GetJobs, 7, [['printer-uri', 'uri', 'ipp://x/']])
  assert.equal(decode(request).groups[0]?.attributes.get('printer-uri')?.[0], 'ipp://x/')
  for (let length = 0; length < request.length; length++)
    assert.throws(() => decode(request.subarray(0, length)), /no IPP|cut off/)
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
  let said = ''
  let hasEnded = false
  child.stderr.setEncoding('utf8').on('data', text => {
    said += text
  })
  child.once('close', () => {
    hasEnded = true
  })
  const driver = ippPrinter(`ipp://127.0.0.1:${port}/ipp/print`, { pollMs: 50 })
  await until(async () => hasEnded || (await driver.look()).isReachable, 'ippeveprinter did not start.')
  // It announces itself by DNS-SD and does not start where no Avahi daemon runs.
  if (hasEnded && said.includes('DNS-SD')) return context.skip('no Avahi daemon runs')
  assert.ok(!hasEnded, `ippeveprinter ended: ${said}`)
  const steps: Steps = { async sending() {}, async sent() {} }
  assert.deepEqual(await driver.print(job, steps), { kind: 'printed' })
  assert.equal(readdirSync(folder).filter(name => name.endsWith('.pdf')).length, 1)
})
