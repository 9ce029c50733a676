// The raw driver with printers that respond, hang, respond byte by byte or close early.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DeliverySteps, Job } from '../../bridge/src/driver.ts'
import { rawPrinter } from '../../bridge/src/raw.ts'
import { openCuttingProxy, openRawServer } from '../support/raw-server.ts'
import { until } from '../support/service-process.ts'

// Longer than a busy machine stalls.
const times = {
  connectTimeoutMs: 30_000,
  responseTimeoutMs: 1_000,
  stallTimeoutMs: 2_000,
  closeTimeoutMs: 1_000,
}
const label = '^XA^FO20,20^A0N,40,40^FDŌtaki^FS^XZ'
const job: Job = {
  printJobId: '0197e1c6-5a5e-7c1e-9d3a-000000000001',
  leaseNumber: 1,
  name: 'Label',
  contentType: 'application/zpl',
  content: Buffer.from(label, 'latin1'),
  copies: 1,
  orientation: null,
  media: null,
}
const zplPrinter = (port: number) => rawPrinter('127.0.0.1', port, 'application/zpl', times)

/** Prints. Returns the outcome and the recorded steps. */
async function printOn(port: number, change: Partial<Job> = {}, printer = zplPrinter(port)) {
  const recorded: string[] = []
  const steps: DeliverySteps = {
    beginSending: async () => void recorded.push('sending'),
    finishSending: async () => void recorded.push('sent'),
  }
  const outcome = await printer.print({ ...job, ...change }, steps)
  return { outcome, recorded }
}

const whole = `^XZ${job.content.toString('latin1')}`
const arrived = (printer: { received: string[] }) =>
  until(async () => printer.received.length > 0 && printer.received.join(' '), 'Nothing arrived.')

test('a job first ends a label left open, and is printed once the printer has read everything', async () => {
  const printer = await openRawServer()
  assert.deepEqual(await printOn(printer.port), { outcome: { kind: 'printed' }, recorded: ['sending'] })
  assert.equal(await arrived(printer), whole)
})

test('copies of a label are sent in one job', async () => {
  const printer = await openRawServer()
  assert.equal((await printOn(printer.port, { copies: 3 })).outcome.kind, 'printed')
  assert.equal((await arrived(printer)).split('^XA').length - 1, 3)
})

for (const [fault, reason] of [
  ['outOfPaper', 'out of paper'],
  ['headOpen', 'head open'],
] as const)
  test(`nothing is sent to a printer that reports "${reason}"`, async () => {
    const printer = await openRawServer({ [fault]: true })
    assert.deepEqual(await printOn(printer.port), {
      outcome: { kind: 'refused', message: reason },
      recorded: [],
    })
    assert.deepEqual(await zplPrinter(printer.port).probe(), { isReachable: false, reason })
    assert.deepEqual(printer.received, [])
  })

test('a label is in doubt if the printer runs out of paper during sending', async () => {
  const printer = await openRawServer()
  const driver = zplPrinter(printer.port)
  const steps: DeliverySteps = {
    async beginSending() {
      printer.behaviour.outOfPaper = true
    },
    async finishSending() {},
  }
  assert.deepEqual(await driver.print(job, steps), {
    kind: 'in doubt',
    message: 'The printer has all of it, and then reported: out of paper',
  })
})

test('without a status, a label is printed but unconfirmed once the printer closes after the last byte', async () => {
  const printer = await openRawServer({ responds: false })
  const { outcome } = await printOn(printer.port)
  assert.deepEqual(outcome, { kind: 'printed', message: 'The printer has all of it; not confirmed.' })
  assert.equal(await arrived(printer), whole)
  const silent = await openRawServer({ responds: false, closes: false })
  assert.equal((await printOn(silent.port)).outcome.kind, 'in doubt')
})

test('a label of any length is in doubt if the printer hangs', async () => {
  for (const copies of [1, 99]) {
    const printer = await openRawServer({ hangs: true })
    const content = copies === 1 ? job.content : Buffer.concat(Array(1_000).fill(job.content))
    const { outcome, recorded } = await printOn(printer.port, { content, copies })
    assert.deepEqual([outcome.kind, recorded], ['in doubt', ['sending']], `${copies}`)
  }
})

test('a status that arrives byte by byte is understood', async () => {
  const printer = await openRawServer({ dripMs: 1 })
  const driver = rawPrinter('127.0.0.1', printer.port, 'application/zpl', {
    ...times,
    responseTimeoutMs: 30_000,
    stallTimeoutMs: 30_000,
  })
  assert.equal((await printOn(printer.port, {}, driver)).outcome.kind, 'printed')
})

test('a label is refused if the printer closes before sending, and in doubt if it closes afterwards', async () => {
  const size = whole.length + 6
  for (let after = 1; after < size; after += 3) {
    const printer = await openRawServer({ closesAfter: after })
    const { outcome, recorded } = await printOn(printer.port)
    assert.equal(outcome.kind, recorded.length === 0 ? 'refused' : 'in doubt', `${after}`)
  }
})

test('a connection cut at any byte never leads to a partly sent label being reported as printed', async () => {
  const printer = await openRawServer()
  const proxy = await openCuttingProxy(printer.port)
  const counts = { refused: 0, 'in doubt': 0, printed: 0, failed: 0 }
  for (let at = 0; at <= whole.length + 8; at++) {
    for (const by of ['close', 'reset'] as const) {
      proxy.cut(at, by)
      printer.received.length = 0
      const { outcome, recorded } = await printOn(proxy.port)
      counts[outcome.kind]++
      if (outcome.kind === 'printed') assert.equal(await arrived(printer), whole, `${at}`)
      if (outcome.kind === 'refused') assert.deepEqual(recorded, [], `${at}`)
    }
  }
  assert.ok(counts.refused > 2 && counts['in doubt'] > 20 && counts.printed > 2, JSON.stringify(counts))
})

test('a job is refused with a message if the printer is unreachable, and fails with the wrong content type', async () => {
  const printer = await openRawServer()
  assert.equal((await printOn(printer.port, { contentType: 'application/pdf' })).outcome.kind, 'failed')
  printer.close()
  const { outcome, recorded } = await printOn(printer.port)
  assert.deepEqual([outcome.kind, recorded], ['refused', []])
  assert.match(String(outcome.message), /ECONNREFUSED/)
  assert.equal((await zplPrinter(printer.port).probe()).isReachable, false)
})

test('copies of a PDF are requested by PJL', async () => {
  const printer = await openRawServer({ responds: false })
  const driver = rawPrinter('127.0.0.1', printer.port, 'application/pdf', times)
  await printOn(
    printer.port,
    { contentType: 'application/pdf', content: Buffer.from('%PDF'), copies: 2 },
    driver,
  )
  assert.equal(
    await arrived(printer),
    '\x1b%-12345X@PJL SET COPIES=2\r\n@PJL ENTER LANGUAGE=PDF\r\n%PDF\x1b%-12345X',
  )
})
