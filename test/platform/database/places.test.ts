// Places for reads at length: few, given in turn, and not to one organisation alone.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NotNow } from '../../../src/platform/database/errors.ts'
import { openPlaces } from '../../../src/platform/database/places.ts'
import { unavailabilityOf } from '../../../src/platform/http/unavailability.ts'

const { signal } = new AbortController()

test('an owner gets a second place only when no other waits', async () => {
  const places = openPlaces(2)
  const order: string[] = []
  const take = async (owner: string, name: string) => {
    const leave = await places.take(owner, signal)
    order.push(name)
    return leave
  }
  const first = await take('a', 'a1')
  const second = await take('a', 'a2')
  const waiting = [take('a', 'a3'), take('b', 'b1'), take('c', 'c1')]
  assert.equal(places.waiting, 3)
  first()
  ;(await waiting[1])?.()
  ;(await waiting[2])?.()
  ;(await waiting[0])?.()
  assert.deepEqual(order, ['a1', 'a2', 'b1', 'c1', 'a3'])
  // Giving back twice gives nothing twice.
  second()
  second()
  const [one, two] = [await places.take('d', signal), await places.take('d', signal)]
  assert.equal(places.waiting, 0)
  const third = places.take('d', signal)
  assert.equal(places.waiting, 1)
  one()
  ;(await third)()
  two()
})

test('who finds no place in time is told to come back, and who leaves waits no longer', async () => {
  const places = openPlaces(1, 20)
  const leave = await places.take('a', signal)
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
  leave()
  ;(await places.take('b', signal))()
})
