// What a bridge makes of a printer that takes bytes on a port: one that answers, hangs, drips, closes early.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Job, Steps } from '../../bridge/src/driver.ts'
import { rawPrinter } from '../../bridge/src/raw.ts'
import { openCuttingProxy, openRawServer } from '../support/raw-server.ts'
import { until } from '../support/service-process.ts'

const times = { connectMs: 1_000, answerMs: 150, silenceMs: 400, closeMs: 200 }
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

/** Prints, and says which steps were told. */
async function printOn(port: number, change: Partial<Job> = {}, printer = zplPrinter(port)) {
  const told: string[] = []
  const steps: Steps = {
    sending: async () => void told.push('sending'),
    sent: async () => void told.push('sent'),
  }
  const outcome = await printer.print({ ...job, ...change }, steps)
  return { outcome, told }
}

const whole = `^XZ${job.content.toString('latin1')}`
const arrived = (printer: { received: string[] }) =>
  until(async () => printer.received.length > 0 && printer.received.join(' '), 'Nothing arrived.')

test('a label is sent behind the end of whatever was left open, and is printed once the printer has read it all', async () => {
  const printer = await openRawServer()
  assert.deepEqual(await printOn(printer.port), { outcome: { kind: 'printed' }, told: ['sending'] })
  assert.equal(await arrived(printer), whole)
})

test('copies of a label follow each other in one send', async () => {
  const printer = await openRawServer()
  assert.equal((await printOn(printer.port, { copies: 3 })).outcome.kind, 'printed')
  assert.equal((await arrived(printer)).split('^XA').length - 1, 3)
})

for (const [fault, said] of [
  ['outOfPaper', 'out of paper'],
  ['headOpen', 'head open'],
] as const)
  test(`to a printer that says "${said}" nothing is sent`, async () => {
    const printer = await openRawServer({ [fault]: true })
    assert.deepEqual(await printOn(printer.port), { outcome: { kind: 'refused', message: said }, told: [] })
    assert.deepEqual(await zplPrinter(printer.port).look(), { isReachable: false, reason: said })
    assert.deepEqual(printer.received, [])
  })

test('a printer that runs out of paper while it is sent leaves the label in doubt', async () => {
  const printer = await openRawServer()
  const driver = zplPrinter(printer.port)
  const steps: Steps = {
    async sending() {
      printer.behaviour.outOfPaper = true
    },
    async sent() {},
  }
  assert.deepEqual(await driver.print(job, steps), {
    kind: 'in doubt',
    message: 'The printer has all of it, and then said: out of paper',
  })
})

test('a printer that never says how it is has printed once it has closed behind the last byte, unconfirmed', async () => {
  const printer = await openRawServer({ answers: false })
  const { outcome } = await printOn(printer.port)
  assert.deepEqual(outcome, { kind: 'printed', message: 'The printer has all of it; not confirmed.' })
  assert.equal(await arrived(printer), whole)
  const silent = await openRawServer({ answers: false, closes: false })
  assert.equal((await printOn(silent.port)).outcome.kind, 'in doubt')
})

test('a printer that hangs leaves the label in doubt, however little or much it is', async () => {
  for (const copies of [1, 99]) {
    const printer = await openRawServer({ hangs: true })
    const content = copies === 1 ? job.content : Buffer.concat(Array(1_000).fill(job.content))
    const { outcome, told } = await printOn(printer.port, { content, copies })
    assert.deepEqual([outcome.kind, told], ['in doubt', ['sending']], `${copies}`)
  }
})

test('a printer that answers byte by byte is understood', async () => {
  const printer = await openRawServer({ dripMs: 1 })
  const driver = rawPrinter('127.0.0.1', printer.port, 'application/zpl', {
    ...times,
    answerMs: 2_000,
    silenceMs: 2_000,
  })
  assert.equal((await printOn(printer.port, {}, driver)).outcome.kind, 'printed')
})

test('a printer that closes early has refused the label, or leaves it in doubt once a byte of it was sent', async () => {
  const size = whole.length + 6
  for (let after = 1; after < size; after += 3) {
    const printer = await openRawServer({ closesAfter: after })
    const { outcome, told } = await printOn(printer.port)
    assert.equal(outcome.kind, told.length === 0 ? 'refused' : 'in doubt', `${after}`)
  }
})

test('a line that is cut at any byte never says printed of a part', async () => {
  const printer = await openRawServer()
  const proxy = await openCuttingProxy(printer.port)
  const seen = { refused: 0, 'in doubt': 0, printed: 0, failed: 0 }
  for (let at = 0; at <= whole.length + 8; at++) {
    for (const by of ['close', 'reset'] as const) {
      proxy.cut(at, by)
      printer.received.length = 0
      const { outcome, told } = await printOn(proxy.port)
      seen[outcome.kind]++
      if (outcome.kind === 'printed') assert.equal(await arrived(printer), whole, `${at}`)
      if (outcome.kind === 'refused') assert.deepEqual(told, [], `${at}`)
    }
  }
  assert.ok(seen.refused > 2 && seen['in doubt'] > 20 && seen.printed > 2, JSON.stringify(seen))
})

test('a printer that nobody reaches is refused in words, and takes what it understands only', async () => {
  const printer = await openRawServer()
  assert.equal((await printOn(printer.port, { contentType: 'application/pdf' })).outcome.kind, 'failed')
  printer.close()
  const { outcome, told } = await printOn(printer.port)
  assert.deepEqual([outcome.kind, told], ['refused', []])
  assert.match(String(outcome.message), /ECONNREFUSED/)
  assert.equal((await zplPrinter(printer.port).look()).isReachable, false)
})

test('copies of a PDF are asked for in the language that such printers have for it', async () => {
  const printer = await openRawServer({ answers: false })
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
