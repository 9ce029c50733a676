// Slots for long reads: few, granted in order, and never all to one organisation while others wait.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TemporarilyUnavailable } from '../../../src/platform/database/errors.ts'
import {
  createReadSlots,
  defaultReadSlotTimes,
  type ReadSlot,
} from '../../../src/platform/database/read-slots.ts'
import { unavailabilityOf } from '../../../src/platform/http/unavailability.ts'

const { signal } = new AbortController()

test('an owner gets a second slot only while no other owner waits', async () => {
  const slots = createReadSlots(2)
  const order: string[] = []
  const take = async (owner: string, name: string) => {
    const slot = await slots.take(owner, signal)
    order.push(name)
    return slot
  }
  const first = await take('a', 'a1')
  const second = await take('a', 'a2')
  const waiting = [take('a', 'a3'), take('b', 'b1'), take('c', 'c1')]
  assert.equal(slots.waiting, 3)
  first.release()
  for (const next of [1, 2, 0]) (await waiting[next])?.release()
  assert.deepEqual(order, ['a1', 'a2', 'b1', 'c1', 'a3'])
  // Releasing a slot twice frees only one.
  second.release()
  second.release()
  const [one, two] = [await slots.take('d', signal), await slots.take('d', signal)]
  assert.equal(slots.waiting, 0)
  const third = slots.take('d', signal)
  assert.equal(slots.waiting, 1)
  one.release()
  ;(await third).release()
  two.release()
})

/** Begins a read of three pieces, of which the reader takes one. */
async function begin(slot: ReadSlot) {
  const pieces = slot.timeReader(
    (async function* () {
      yield* [1, 2, 3]
    })(),
  )
  await pieces.next()
  return pieces
}

const isRevoked = ({ signal: { reason } }: ReadSlot) => reason instanceof TemporarilyUnavailable

test('of two slow readers of an owner the slower loses its slot, and only to an owner that has none', async () => {
  let now = 0
  const slots = createReadSlots(2, { maxStalledMs: 20, maxWaitMs: 600 }, () => now)
  const [slower, faster] = [await slots.take('a', signal), await slots.take('a', signal)]
  await begin(slower)
  now += 20
  await begin(faster)
  now += 20
  await assert.rejects(slots.take('a', signal), TemporarilyUnavailable)
  assert.deepEqual([slower, faster].map(isRevoked), [false, false])
  const other = await slots.take('b', signal)
  assert.deepEqual([slower, faster].map(isRevoked), [true, false])
  // Each owner has one now.
  await assert.rejects(slots.take('c', signal), TemporarilyUnavailable)
  for (const slot of [slower, faster, other]) slot.release()
  assert.equal((await slots.take('c', signal)).signal.aborted, false)
})

test('whoever begins to wait when two readers of one owner stall gets the slot of one of them', async () => {
  const { maxWaitMs, maxStalledMs } = defaultReadSlotTimes
  const slots = createReadSlots(2, { maxWaitMs: maxWaitMs / 10, maxStalledMs: maxStalledMs / 10 })
  const stalled = [await slots.take('a', signal), await slots.take('a', signal)]
  const waiting = slots.take('b', signal)
  for (const slot of stalled) await begin(slot)
  const slot = await waiting
  assert.equal(stalled.filter(isRevoked).length, 1)
  for (const held of [...stalled, slot]) held.release()
})

test('a reader keeps its slot while the report itself is what takes the time', async () => {
  const slots = createReadSlots(2, { maxStalledMs: 60_000, maxIdleMs: 50, maxWaitMs: 600 })
  const [one, two] = [await slots.take('a', signal), await slots.take('a', signal)]
  const pieces = await begin(one)
  await pieces.next()
  await pieces.next()
  await pieces.next()
  await assert.rejects(slots.take('b', signal), TemporarilyUnavailable)
  // A reader that takes no data loses its slot, even to its own owner.
  await begin(two)
  await slots.take('a', signal)
  assert.deepEqual([one, two].map(isRevoked), [false, true])
})

test('a caller that gets no slot in time is asked to retry, and one that leaves stops waiting', async () => {
  const slots = createReadSlots(1, { maxWaitMs: 20 })
  const slot = await slots.take('a', signal)
  const error = await slots.take('b', signal).catch((reason: unknown) => reason)
  assert.ok(error instanceof TemporarilyUnavailable)
  const refusal = unavailabilityOf(error)
  assert.deepEqual([refusal?.status, refusal?.retryAfterSeconds], [503, 10])
  const left = new AbortController()
  const waiting = slots.take('b', left.signal)
  left.abort(new Error('gone'))
  await assert.rejects(waiting, /gone/)
  await assert.rejects(slots.take('b', left.signal), /gone/)
  assert.equal(slots.waiting, 0)
  slot.release()
  ;(await slots.take('b', signal)).release()
})
