import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../src/platform/database/db.ts'
import { startRecurrences } from '../../src/webhook-subscriptions/recurrence.ts'
import { contextIn, openDeliveries } from '../support/given-deliveries.ts'
import { until } from '../support/service-process.ts'

const { world, subscribe, deliveries, path } = await openDeliveries()
const { admin, database } = world

test('a subscription to recurrences gets one event an hour, however many processes run', async () => {
  const ids = [
    await subscribe('http://127.0.0.1:1/', { eventType: 1 }),
    await subscribe('http://127.0.0.1:1/', { eventType: 1 }),
  ]
  const failed = await subscribe('http://127.0.0.1:1/', { eventType: 1 })
  const fresh = await subscribe('http://127.0.0.1:1/', { eventType: 1 })
  const lastHour = (id: string) => sql`
    update webhook_subscription set recurred_utc = recurred_utc - interval '1 hour',
      status = ${id === failed ? 2 : 1} where id = ${id}`
  await database.atomically(async tx => {
    for (const id of [...ids, failed]) await tx.run(lastHour(id))
  })
  const loops = [startRecurrences(contextIn(world)), startRecurrences(contextIn(world))]
  await until(
    async () => (await Promise.all(ids.map(deliveries))).every(({ length }) => length > 0),
    'There was no recurrence.',
  )
  for (const loop of loops) loop.wake()
  for (const loop of loops) await loop.stop()
  for (const id of ids)
    assert.deepEqual(
      (await deliveries(id)).map(({ type }) => type),
      ['system.cron-recurrence'],
    )
  assert.equal((await deliveries(failed)).length, 0)
  assert.equal((await deliveries(fresh)).length, 0, 'its first event comes at the next hour')

  const range = {
    fromUtc: new Date(Date.now() - 60_000).toISOString(),
    toUtc: new Date(Date.now() + 60_000).toISOString(),
  }
  assert.deepEqual(
    (await admin.post(`${path(ids[0] as string)}/replay`, range)).body,
    { deliveries: 1 },
    'its own recurrence, not that of another subscription',
  )
})
