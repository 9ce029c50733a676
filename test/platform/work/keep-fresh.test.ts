import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keepFresh } from '../../../src/platform/work/keep-fresh.ts'

const noise: unknown[] = []
const log = { warn: (...args: unknown[]) => void noise.push(args) }

test('keepFresh throws if the first load fails', async () => {
  const load = () => Promise.reject(new Error('The database is away.'))
  await assert.rejects(keepFresh({ name: 'It', intervalMs: 10, log, load }), /away/)
})

test('a copy is refreshed repeatedly, despite failures, until it is closed', async () => {
  let reads = 0
  let enough = () => {}
  const readTenTimes = new Promise<void>(resolve => {
    enough = resolve
  })
  const copy = await keepFresh({
    name: 'It',
    intervalMs: 1,
    log,
    async load() {
      reads++
      if (reads === 10) enough()
      if (reads > 1 && reads % 2 === 0) throw new Error('an outage')
    },
  })
  const alive = setInterval(() => {}, 1_000)
  await readTenTimes
  clearInterval(alive)
  copy.close()
  const before = reads
  await copy.refresh()
  assert.equal(reads, before)
  assert.ok(noise.length >= 4)
})

test('calls during a read share one read that begins after it', async () => {
  const begun: (() => void)[] = []
  let first = true
  const copy = await keepFresh({
    name: 'It',
    intervalMs: 60_000,
    log,
    load: () => (first ? Promise.resolve() : new Promise<void>(resolve => begun.push(resolve))),
  })
  first = false
  const running = copy.refresh()
  const later = [copy.refresh(), copy.refresh(), copy.refresh()]
  assert.equal(begun.length, 1)
  begun[0]?.()
  await running
  await Promise.resolve()
  assert.equal(begun.length, 2)
  begun[1]?.()
  await Promise.all(later)
  assert.equal(begun.length, 2)
  copy.close()
})
