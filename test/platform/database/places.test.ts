// Places for reads at length: few, given in turn, and not to one organisation alone.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { NotNow } from '../../../src/platform/database/errors.ts'
import { openPlaces, type Place } from '../../../src/platform/database/places.ts'
import { unavailabilityOf } from '../../../src/platform/http/unavailability.ts'

const { signal } = new AbortController()

test('an owner gets a second place only when no other waits', async () => {
  const places = openPlaces(2)
  const order: string[] = []
  const take = async (owner: string, name: string) => {
    const place = await places.take(owner, signal)
    order.push(name)
    return place
  }
  const first = await take('a', 'a1')
  const second = await take('a', 'a2')
  const waiting = [take('a', 'a3'), take('b', 'b1'), take('c', 'c1')]
  assert.equal(places.waiting, 3)
  first.leave()
  for (const next of [1, 2, 0]) (await waiting[next])?.leave()
  assert.deepEqual(order, ['a1', 'a2', 'b1', 'c1', 'a3'])
  // Giving back twice gives nothing twice.
  second.leave()
  second.leave()
  const [one, two] = [await places.take('d', signal), await places.take('d', signal)]
  assert.equal(places.waiting, 0)
  const third = places.take('d', signal)
  assert.equal(places.waiting, 1)
  one.leave()
  ;(await third).leave()
  two.leave()
})

/** A read of three pieces, of which the place has given one to its reader. */
async function begun(place: Place) {
  const pieces = place.watched(
    (async function* () {
      yield* [1, 2, 3]
    })(),
  )
  await pieces.next()
  return pieces
}

const isLost = ({ signal: { reason } }: Place) => reason instanceof NotNow

test('of two slow readers of an owner the slower loses its place, and only to another who has none', async () => {
  const places = openPlaces(2, { slowMs: 1, patienceMs: 600 })
  const [slower, faster] = [await places.take('a', signal), await places.take('a', signal)]
  await begun(slower)
  await pause(20)
  await begun(faster)
  await pause(20)
  await assert.rejects(places.take('a', signal), NotNow)
  assert.deepEqual([slower, faster].map(isLost), [false, false])
  const other = await places.take('b', signal)
  assert.deepEqual([slower, faster].map(isLost), [true, false])
  // Each has one now.
  await assert.rejects(places.take('c', signal), NotNow)
  for (const place of [slower, faster, other]) place.leave()
  assert.equal((await places.take('c', signal)).signal.aborted, false)
})

test('a reader keeps its place as long as it is the report that takes the time', async () => {
  const places = openPlaces(2, { slowMs: 60_000, quietMs: 50, patienceMs: 600 })
  const [one, two] = [await places.take('a', signal), await places.take('a', signal)]
  const pieces = await begun(one)
  await pieces.next()
  await pieces.next()
  await pieces.next()
  await assert.rejects(places.take('b', signal), NotNow)
  // One who takes nothing loses it, whoever waits.
  await begun(two)
  await places.take('a', signal)
  assert.deepEqual([one, two].map(isLost), [false, true])
})

test('who finds no place in time is told to come back, and who leaves waits no longer', async () => {
  const places = openPlaces(1, { patienceMs: 20 })
  const place = await places.take('a', signal)
  const error = await places.take('b', signal).catch((reason: unknown) => reason)
  assert.ok(error instanceof NotNow)
  const refusal = unavailabilityOf(error)
  assert.deepEqual([refusal?.status, refusal?.retryAfterSeconds], [503, 10])
  const left = new AbortController()
  const waiting = places.take('b', left.signal)
  left.abort(new Error('gone'))
  await assert.rejects(waiting, /gone/)
  await assert.rejects(places.take('b', left.signal), /gone/)
  assert.equal(places.waiting, 0)
  place.leave()
  ;(await places.take('b', signal)).leave()
})
