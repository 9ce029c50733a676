// Which rows of stock an entry of a command selects, under a lock that covers only some of them.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readSelectedStock } from '../../../src/stock/commands/stock-selector.ts'
import { openStock } from '../../support/given-stock.ts'

const { admin, database, made, products, stored, warehouseId } = await openStock()

test('a description selects among the stock that is locked, not what came after the lock was asked for', async () => {
  const apples = await stored(3, { batch: 'SEL' })
  const entries = [{ stock: { partnerProductId: products.APPLE, batch: 'SEL' } }]
  const here = { covers: (target: { warehouseId: string }) => target.warehouseId === warehouseId }
  const select = (lock: typeof here) =>
    readSelectedStock(database.db, admin.actor.organisationId, lock, entries)
  const [before] = await select(here)
  assert.ok(before !== undefined && 'id' in before)
  assert.equal(before.id, apples)

  const elsewhere = await made('/v1/warehouses', { name: 'Elsewhere', code: 'ELS', timezoneId: 'UTC' })
  const place = await made(`/v1/warehouses/${elsewhere}/locations`, { name: 'E-01', type: 1 })
  await stored(3, { batch: 'SEL', warehouseId: elsewhere, warehouseLocationId: place })
  assert.deepEqual(await select(here), [before])
  const [problem] = await select({ covers: () => true })
  assert.ok(Array.isArray(problem))
  assert.equal(problem[1], 'ambiguous')
  assert.deepEqual(await select({ covers: () => false }), [
    ['nothing on hand is like the stock that is described', 'not_here'],
  ])
})
