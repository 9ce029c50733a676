// A separate file, because it waits for the full time that a receiver has. Spec 6.5.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startDeliveries } from '../../../src/webhook-subscriptions/delivery/deliver.ts'
import { contextIn, openDeliveries } from '../../support/given-deliveries.ts'
import { hang, openReceiver } from '../../support/receiver.ts'
import { until } from '../../support/service-process.ts'

test('a receiver has 30 seconds: a response after 26 is accepted, and without one the attempt fails', async () => {
  const { world, path, subscribe, deliveries } = await openDeliveries()
  const [slow, silent] = [await openReceiver(), await openReceiver()]
  slow.behave(() => response => setTimeout(() => response.writeHead(204).end(), 26_000))
  silent.behave(() => hang)
  const ids = [await subscribe(slow.url), await subscribe(silent.url)] as const
  const loop = startDeliveries(contextIn(world), [60, 60, 60, 60, 60])
  after(() => loop.stop())
  for (const id of ids) await world.admin.put(`${path(id)}/test`)
  const attemptOf = (id: string) =>
    until(async () => (await deliveries(id))[0]?.attempts[0], 'No attempt was recorded.')
  const [taken, failed] = [await attemptOf(ids[0]), await attemptOf(ids[1])]
  assert.deepEqual([taken.statusCode, taken.error], [204, null])
  assert.equal(failed.error, 'No complete answer came within 30 seconds.')
  // A timer may fire a millisecond before its time.
  assert.ok(failed.durationMs >= 29_990, String(failed.durationMs))
})
