// Turns of those who read at length: few at a time, everybody as often as the others, and nobody kept waiting
// by what is slow.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { limitConcurrency } from '../../../src/platform/database/limit-concurrency.ts'

/** No turn ends by its time. */
const forever = 1_000_000

/** Work that lasts until it is ended, and whether it has begun. */
function work() {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const one = {
    hasBegun: false,
    run: () => {
      one.hasBegun = true
      return promise
    },
    end: resolve,
    fail: reject,
  }
  return one
}

/** Lets everything happen that waits for nothing else. */
const settle = () => new Promise(resolve => setImmediate(resolve))

test('no more work goes on at a time than there are turns, and it begins in the order in which it came', async () => {
  for (const count of [1, 3]) {
    const runLimited = limitConcurrency(count, forever)
    const works = Array.from({ length: 6 }, work)
    const done = works.map(({ run }) => runLimited(run))
    for (let ended = 0; ended < works.length; ended++) {
      await settle()
      assert.deepEqual(
        works.map(({ hasBegun }) => hasBegun),
        works.map((_, at) => at < ended + count),
      )
      works[ended]?.end()
    }
    await Promise.all(done)
  }
})

test('two who ask again as soon as they were served are served alternately', async () => {
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

test('work that fails tells so and passes its turn on', async () => {
  const runLimited = limitConcurrency(1, forever)
  const [first, second] = [work(), work()]
  const done = [runLimited(first.run), runLimited(second.run)]
  first.fail(new Error('broken'))
  await assert.rejects(done[0] as Promise<void>, /broken/)
  second.end()
  await done[1]
})

test('work that lasts keeps nobody waiting, and passes its turn on once', async () => {
  const runLimited = limitConcurrency(1, 1)
  const slow = work()
  const done = runLimited(slow.run)
  // Its turn ends by its time, not by its end.
  await runLimited(async () => {})
  slow.end()
  await done
  let [most, now] = [0, 0]
  const counted = async () => {
    most = Math.max(most, ++now)
    await settle()
    now--
  }
  await Promise.all(Array.from({ length: 10 }, () => runLimited(counted)))
  assert.equal(most, 1)
})
