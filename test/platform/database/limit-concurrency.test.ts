// The limit on concurrent long reads: few at a time, all equally often, and no call blocked by slow work.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { limitConcurrency } from '../../../src/platform/database/limit-concurrency.ts'

/** A time limit that no turn reaches. */
const forever = 1_000_000

/** Work that lasts until it is ended, and knows whether it has begun. */
function openWork() {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const piece = {
    hasBegun: false,
    run: () => {
      piece.hasBegun = true
      return promise
    },
    end: resolve,
    fail: reject,
  }
  return piece
}

/** Lets everything run that is ready to run. */
const settle = () => new Promise(resolve => setImmediate(resolve))

test('no more work runs at a time than the limit allows, and it starts in the order of the calls', async () => {
  for (const count of [1, 3]) {
    const runLimited = limitConcurrency(count, forever)
    const works = Array.from({ length: 6 }, openWork)
    const done = works.map(({ run }) => runLimited(run))
    for (let ended = 0; ended < works.length; ended++) {
      await settle()
      assert.deepEqual(
        works.map(({ hasBegun }) => hasBegun),
        works.map((_, index) => index < ended + count),
      )
      works[ended]?.end()
    }
    await Promise.all(done)
  }
})

test('two callers that call again as soon as they are served are served alternately', async () => {
  const runLimited = limitConcurrency(1, forever)
  const served: string[] = []
  const reader = async (name: string) => {
    for (let n = 0; n < 5; n++)
      await runLimited(async () => {
        served.push(name)
        await settle()
      })
  }
  await Promise.all(['A', 'B'].map(reader))
  assert.equal(served.join(''), 'ABABABABAB')
})

test('work that fails rejects its call and passes its turn on', async () => {
  const runLimited = limitConcurrency(1, forever)
  const [first, second] = [openWork(), openWork()]
  const done = [runLimited(first.run), runLimited(second.run)]
  first.fail(new Error('broken'))
  await assert.rejects(done[0] as Promise<void>, /broken/)
  second.end()
  await done[1]
})

test('long work does not block others after its turn is over, and passes its turn on only once', async t => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const runLimited = limitConcurrency(1)
  const slow = openWork()
  const done = runLimited(slow.run)
  const next = runLimited(async () => {})
  // Its turn ends because of the time limit, before the work ends.
  t.mock.timers.runAll()
  await next
  slow.end()
  await done
  let [max, running] = [0, 0]
  const counted = async () => {
    max = Math.max(max, ++running)
    await settle()
    running--
  }
  await Promise.all(Array.from({ length: 10 }, () => runLimited(counted)))
  assert.equal(max, 1)
})
