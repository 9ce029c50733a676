// A work loop: woken or polling, never ended by an error, stopped only between two steps.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startWorkLoop } from '../../../src/platform/work/work-loop.ts'
import { until } from '../../support/service-process.ts'

const errors: unknown[] = []
const log = { error: (about: unknown) => errors.push(about) }
const never = 3_600_000
const loops: { stop(): Promise<void> }[] = []
after(() => Promise.all(loops.map(loop => loop.stop())))

/** Starts a loop with this step, stopped when the file ends at the latest. */
function loopOf(step: (stopping: AbortSignal) => Promise<boolean>, pollMs = never) {
  const loop = startWorkLoop({ name: 'sample', log, pollMs, step })
  loops.push(loop)
  return loop
}

test('a loop looks at once, goes on while there is more, and then rests', async () => {
  let left = 5
  let looks = 0
  const loop = loopOf(async () => {
    looks++
    return --left > 0
  })
  await until(async () => left === 0, 'The loop did not do all there was.')
  await new Promise(resolve => setTimeout(resolve, 30))
  assert.equal(looks, 5)
  await loop.stop()
})

test('a loop polls without being woken', async () => {
  let looks = 0
  const loop = loopOf(async () => ++looks < 0, 5)
  await until(async () => looks >= 4, 'The loop did not poll.')
  await loop.stop()
})

test('a loop that rests is woken', async () => {
  let looks = 0
  const loop = loopOf(async () => ++looks < 0)
  await until(async () => looks === 1, 'The loop did not start.')
  loop.wake()
  await until(async () => looks === 2, 'The loop did not wake.')
  await loop.stop()
})

test('a wake during a step is not lost', async () => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  let looks = 0
  const loop = loopOf(async () => {
    looks++
    if (looks === 1) await released
    return false
  })
  loop.wake()
  loop.wake()
  release()
  await until(async () => looks === 2, 'The loop slept through the wake.')
  await loop.stop()
})

test('an error does not end a loop: it is logged, and the next attempt comes by itself', async () => {
  let looks = 0
  const loop = loopOf(async () => {
    looks++
    if (looks < 3) throw new Error(`attempt ${looks}`)
    return false
  })
  await until(async () => looks === 3, 'The loop ended by an error.')
  const told = errors.filter(about => (about as { loop: string }).loop === 'sample')
  assert.equal(told.length, 2)
  await loop.stop()
})

test('a loop that is woken again and again while its work fails does not spin', async () => {
  let looks = 0
  const loop = loopOf(async () => {
    looks++
    throw new Error('down')
  })
  const end = Date.now() + 150
  while (Date.now() < end) {
    loop.wake()
    await new Promise(resolve => setImmediate(resolve))
  }
  assert.ok(looks <= 3, `${looks} attempts in 150 ms`)
  await loop.stop()
})

test('stop lets the step under way finish and claims no more', async () => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const seen: string[] = []
  const loop = loopOf(async stopping => {
    seen.push('begun')
    await released
    seen.push(stopping.aborted ? 'finished, knowing' : 'finished')
    return true
  })
  await until(async () => seen.length === 1, 'The loop did not start.')
  const stopped = loop.stop().then(() => seen.push('stopped'))
  await new Promise(resolve => setTimeout(resolve, 10))
  assert.deepEqual(seen, ['begun'])
  release()
  await stopped
  assert.deepEqual(seen, ['begun', 'finished, knowing', 'stopped'])
})

test('stop ends a rest', { timeout: 10_000 }, async () => {
  const loop = loopOf(async () => false)
  await new Promise(resolve => setTimeout(resolve, 5))
  await loop.stop()
})
