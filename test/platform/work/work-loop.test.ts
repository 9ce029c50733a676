// A work loop: wakes up or polls, is never ended by an error, and stops only between two steps.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startWorkLoop } from '../../../src/platform/work/work-loop.ts'
import { until } from '../../support/service-process.ts'

const errors: unknown[] = []
const log = { error: (about: unknown) => errors.push(about) }
const never = 3_600_000
const loops: { stop(): Promise<void> }[] = []
after(() => Promise.all(loops.map(loop => loop.stop())))

/** Starts a loop with this step. It is stopped at the latest when the file ends. */
function startLoop(step: (stopping: AbortSignal) => Promise<boolean>, pollMs = never) {
  const loop = startWorkLoop({ name: 'sample', log, pollMs, step })
  loops.push(loop)
  return loop
}

/** Lets everything happen that does not wait for a timer. */
async function manyTurns(): Promise<void> {
  for (let turn = 0; turn < 100; turn++) await new Promise(resolve => setImmediate(resolve))
}

test('a loop runs at once, continues while there is more, and then sleeps', async () => {
  let left = 5
  let runs = 0
  const loop = startLoop(async () => {
    runs++
    return --left > 0
  })
  await until(async () => left === 0, 'The loop did not do all the work.')
  await manyTurns()
  assert.equal(runs, 5)
  await loop.stop()
})

test('a loop polls without being woken', async () => {
  let runs = 0
  const loop = startLoop(async () => ++runs < 0, 5)
  await until(async () => runs >= 4, 'The loop did not poll.')
  await loop.stop()
})

test('a sleeping loop can be woken', async () => {
  let runs = 0
  const loop = startLoop(async () => ++runs < 0)
  await until(async () => runs === 1, 'The loop did not start.')
  loop.wake()
  await until(async () => runs === 2, 'The loop did not wake.')
  await loop.stop()
})

test('a wake-up during a step is not lost', async () => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  let runs = 0
  const loop = startLoop(async () => {
    runs++
    if (runs === 1) await released
    return false
  })
  loop.wake()
  loop.wake()
  release()
  await until(async () => runs === 2, 'The wake-up was lost.')
  await loop.stop()
})

test('an error does not end a loop: it is logged, and the step is tried again', async () => {
  let runs = 0
  const loop = startLoop(async () => {
    runs++
    if (runs < 3) throw new Error(`attempt ${runs}`)
    return false
  })
  await until(async () => runs === 3, 'An error ended the loop.')
  const logged = errors.filter(about => (about as { loop: string }).loop === 'sample')
  assert.equal(logged.length, 2)
  await loop.stop()
})

test('a loop that is woken repeatedly while its work fails does not spin', async () => {
  let runs = 0
  const loop = startLoop(async () => {
    runs++
    throw new Error('down')
  })
  const end = Date.now() + 150
  while (Date.now() < end) {
    loop.wake()
    await new Promise(resolve => setImmediate(resolve))
  }
  assert.ok(runs <= 3, `${runs} attempts in 150 ms`)
  await loop.stop()
})

test('stop lets the running step finish and starts no other', async () => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const order: string[] = []
  const loop = startLoop(async stopping => {
    order.push('begun')
    await released
    order.push(stopping.aborted ? 'finished, aware of the stop' : 'finished')
    return true
  })
  await until(async () => order.length === 1, 'The loop did not start.')
  const stopped = loop.stop().then(() => order.push('stopped'))
  await manyTurns()
  assert.deepEqual(order, ['begun'])
  release()
  await stopped
  assert.deepEqual(order, ['begun', 'finished, aware of the stop', 'stopped'])
})

test('stop ends a sleep', { timeout: 120_000 }, async () => {
  let hasRun = false
  const loop = startLoop(async () => {
    hasRun = true
    return false
  })
  await until(async () => hasRun, 'The loop did not start.')
  await loop.stop()
})
