import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FairSlots } from '../../../src/platform/work/fair-slots.ts'

const busy = new Error('busy')
const open = (given: { maxWaiting?: number; maxWaitMs?: number } = {}) =>
  new FairSlots({ count: 1, maxWaiting: 10, maxWaitMs: 60_000, ...given }, () => busy)

/** Occupies the slot until `release` is called. */
function occupy(slots: FairSlots) {
  const { promise, resolve: release } = Promise.withResolvers<void>()
  return { done: slots.use('a', undefined, () => promise), release }
}

test('a freed slot goes to the first that waits, and no newcomer can take it as well', async () => {
  const slots = open()
  const first = occupy(slots)
  const order: number[] = []
  let running = 0
  const enter = (n: number) =>
    slots.use('b', undefined, async () => {
      assert.equal(++running, 1)
      order.push(n)
      await new Promise(setImmediate)
      running--
    })
  const others = [enter(0)]
  first.release()
  // The newcomers come at all moments of the change from the first to the waiting one.
  for (let n = 1; n < 10; n++) {
    others.push(enter(n))
    await undefined
  }
  await Promise.all(others)
  assert.deepEqual(
    order,
    order.map((_, n) => n),
  )
})

test('who waits for too long, or is one too many, is refused, and takes no slot later', async () => {
  for (const limits of [{ maxWaitMs: 1 }, { maxWaiting: 0 }]) {
    const slots = open(limits)
    const first = occupy(slots)
    await assert.rejects(
      slots.use('b', undefined, () => assert.fail('It was refused.')),
      busy,
    )
    first.release()
    await first.done
    assert.equal(await slots.use('b', undefined, async () => 'works'), 'works')
  }
})

test('who leaves while waiting takes no slot', async () => {
  const slots = open()
  const [first, client] = [occupy(slots), new AbortController()]
  const waiting = slots.use('b', client.signal, () => assert.fail('The client has left.'))
  client.abort(new Error('gone'))
  await assert.rejects(waiting, /gone/)
  await assert.rejects(
    slots.use('b', client.signal, () => assert.fail('The client has left.')),
    /gone/,
  )
  first.release()
  await first.done
  assert.equal(await slots.use('c', undefined, async () => 'works'), 'works')
})
