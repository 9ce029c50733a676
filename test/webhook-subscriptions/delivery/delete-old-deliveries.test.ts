import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../../src/platform/database/db.ts'
import { deleteOldDeliveries } from '../../../src/webhook-subscriptions/delivery/delete-old-deliveries.ts'
import { openDeliveries } from '../../support/given-deliveries.ts'

const { world, subscribe, raise } = await openDeliveries()
const { database } = world

test('finished and held deliveries are deleted after 30 days; waiting deliveries and events are kept', async () => {
  const [active, failed] = [await subscribe('http://127.0.0.1:1/'), await subscribe('http://127.0.0.1:1/')]
  await raise(6)
  await database.atomically(async tx => {
    await tx.run(sql`update webhook_subscription set status = 2 where id = ${failed}`)
    await tx.run(sql`
      update webhook_delivery d set id = uuid_at(now() - (29 + n % 2 * 2) * interval '1 day'),
        status = 1 + n / 2
      from (select id, row_number() over (partition by webhook_subscription_id order by id) - 1 as n
        from webhook_delivery) numbered
      where d.id = numbered.id`)
  })
  assert.equal(await deleteOldDeliveries(database), 5)
  assert.equal(await deleteOldDeliveries(database), 0)
  const left = await database.db.rows(sql`
    select webhook_subscription_id = ${active} as is_active, status, id < uuid_at(now() - interval '30 days')
      as is_old
    from webhook_delivery order by 1, 2, 3`)
  assert.deepEqual(left, [
    { isActive: false, status: 1, isOld: false },
    { isActive: false, status: 2, isOld: false },
    { isActive: false, status: 3, isOld: false },
    { isActive: true, status: 1, isOld: false },
    { isActive: true, status: 1, isOld: true },
    { isActive: true, status: 2, isOld: false },
    { isActive: true, status: 3, isOld: false },
  ])
  assert.equal((await database.db.row<{ count: number }>(sql`select count(*) from event`)).count, 6)
})

test('deliveries held for a disabled app are deleted after 30 days, too', async () => {
  const id = await subscribe('http://127.0.0.1:1/', { eventType: 102 })
  await raise(1, { type: 102 })
  await database.atomically(async tx => {
    await tx.run(
      sql`update webhook_delivery set id = uuid_at(now() - interval '31 days')
        where webhook_subscription_id = ${id}`,
    )
    await tx.run(sql`update custom_app set disabled_utc = now()`)
  })
  assert.equal(await deleteOldDeliveries(database), 2, 'including the old one of the previous test')
})
