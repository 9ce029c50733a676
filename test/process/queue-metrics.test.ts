import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../src/platform/database/db.ts'
import { createMetrics } from '../../src/platform/metrics.ts'
import { measureQueues } from '../../src/process/queue-metrics.ts'
import { figuresOf } from '../support/figures.ts'
import { openDeliveries } from '../support/given-deliveries.ts'

const { world, subscribe, raise } = await openDeliveries()
const { database } = world
const metrics = createMetrics()
measureQueues({ database, metrics })

const figures = (name: string, label = 'queue') => figuresOf(metrics, name, label)

test('deliveries to a failing receiver, deliveries waiting for the worker and held deliveries are measured separately', async () => {
  const [, failing] = [await subscribe('http://127.0.0.1:1/'), await subscribe('http://127.0.0.1:1/')]
  await raise(3)
  await database.atomically(async tx => {
    await tx.run(
      sql`update webhook_delivery set due_utc = now() - case webhook_subscription_id when ${failing}
        then interval '1 day' else '1 hour' end`,
    )
    await tx.run(sql`update webhook_delivery set attempt_count = 1, due_utc = now() + interval '1 hour'
      where id = (select min(id::text)::uuid from webhook_delivery
        where webhook_subscription_id = ${failing})`)
  })
  assert.deepEqual(await figures('queue_depth'), {
    imports: 0,
    deliveries: 3,
    'deliveries-to-failing': 3,
    'deliveries-held': 0,
    'print-jobs': 0,
  })
  const ages = await figures('queue_age_seconds')
  const hours = Object.entries(ages).map(([of, seconds]) => [of, Math.floor(seconds / 3600)])
  assert.deepEqual(Object.fromEntries(hours), {
    imports: 0,
    deliveries: 1,
    'deliveries-to-failing': 24,
    'deliveries-held': 0,
    'print-jobs': 0,
  })
  assert.deepEqual(await figures('webhook_subscriptions', 'status'), { active: 2, failed: 0, held: 0 })

  await database.atomically(tx => tx.run(sql`update custom_app set disabled_utc = now()`))
  assert.deepEqual(await figures('queue_depth'), {
    imports: 0,
    deliveries: 0,
    'deliveries-to-failing': 0,
    'deliveries-held': 6,
    'print-jobs': 0,
  })
  assert.deepEqual(await figures('webhook_subscriptions', 'status'), { active: 0, failed: 0, held: 2 })
  const { 'deliveries-held': held, ...others } = await figures('queue_age_seconds')
  assert.deepEqual(others, { imports: 0, deliveries: 0, 'deliveries-to-failing': 0, 'print-jobs': 0 })
  assert.equal(Math.floor((held ?? 0) / 3600), 24)
})
