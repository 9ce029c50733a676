// Descriptions, quantities and serials in commands. Spec 2.12, 2.14.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../../src/platform/database/db.ts'
import {
  emptyDescription,
  findOrCreateAttributes,
  localDay,
  resolveAttributes,
  resolveDescription,
} from '../../../src/stock/commands/goods-description.ts'
import { repeatedSerials, serialFaults, toItems } from '../../../src/stock/commands/quantities.ts'
import { findProducts, missingFieldFaults } from '../../../src/stock/commands/stock-products.ts'
import { of, openStock } from '../../support/given-stock.ts'

const world = await openStock()
const { admin, database, clientId, products, made } = world
const { organisationId } = admin.actor
const none = { byName: new Map(), byId: new Set<string>() }
const faults = () => {
  const found: string[] = []
  return { found, refuse: (fault: string) => void found.push(fault) }
}
const productOf = async (id: string) => {
  const product = (await findProducts(database.db, organisationId, [id])).get(id)
  assert.ok(product)
  return product
}

test('an omitted field stays, null clears it, and of a time only the day is used', () => {
  const before = { ...emptyDescription, batch: 'B7', expiryDate: '2026-05-01', sellByDate: '2026-04-01' }
  const input = { expiryDate: null, bestBeforeDate: '2026-03-01T23:30:00Z', packagingDate: '2026-02-28' }
  const { refuse } = faults()
  const zone = { timezoneId: 'Pacific/Auckland', attributeIds: none }
  assert.deepEqual(resolveDescription(input, before, zone, refuse), {
    ...before,
    expiryDate: null,
    bestBeforeDate: '2026-03-01',
    packagingDate: '2026-02-28',
  })
  assert.equal(resolveDescription({ batch: ' ' }, before, zone, refuse).batch, null)
  const instant = { productionDate: '2026-02-28T20:00:00-05:00' }
  assert.equal(resolveDescription(instant, before, zone, refuse).productionDate, '2026-03-01')
})

test('the day of an instant is the day in the time zone of the warehouse', () => {
  assert.equal(localDay('Pacific/Auckland', '2026-03-01T12:00:00.000Z'), '2026-03-02')
  assert.equal(localDay('UTC', '2026-03-01T12:00:00.000Z'), '2026-03-01')
})

test('attributes are found by name or id, created if they are new, and sorted by id', async () => {
  const colour = await made('/v1/product-attributes', { name: 'Colour' })
  const given = [
    { name: 'grade', description: 'A' },
    { productAttributeId: colour, description: 'red' },
    { description: 'of nothing' },
  ]
  const ids = await database.atomically(tx =>
    findOrCreateAttributes(tx, organisationId, [given, null, given]),
  )
  const again = await database.atomically(tx =>
    findOrCreateAttributes(tx, organisationId, [[{ name: 'GRADE' }]]),
  )
  const grade = ids.byName.get('grade') as string
  assert.equal(again.byName.get('grade'), grade)
  const { found, refuse } = faults()
  assert.deepEqual(
    resolveAttributes(given, ids, refuse),
    [
      { productAttributeId: colour, description: 'red' },
      { productAttributeId: grade, description: 'A' },
    ].toSorted((a, b) => (a.productAttributeId < b.productAttributeId ? -1 : 1)),
  )
  assert.deepEqual(found, [])
  resolveAttributes(
    [{ name: 'Grade' }, { name: 'grade ' }, { productAttributeId: organisationId }],
    ids,
    refuse,
  )
  assert.deepEqual(found, [
    'the attribute grade is listed twice',
    `there is no product attribute with the id ${organisationId}`,
  ])
  const names = await database.db.rows(sql`
    select name from product_attribute where organisation_id = ${organisationId} order by name`)
  assert.deepEqual(names, [{ name: 'Colour' }, { name: 'grade' }])
})

test('a product needs the fields that it or, by default, its client requires', async () => {
  const [loose, batched] = [await productOf(products.APPLE), await world.product('CIDER', { batchUsage: 3 })]
  assert.deepEqual(missingFieldFaults(loose, emptyDescription), [])
  await admin.put(`/v1/partners/${clientId}`, { productExpiryUsage: 3 })
  assert.deepEqual(missingFieldFaults(await productOf(batched), emptyDescription), [
    ['the product CIDER needs a batch', 'required'],
    ['the product CIDER needs an expiry date', 'required'],
  ])
  await admin.put(`/v1/partners/${clientId}`, { productExpiryUsage: 2 })
})

test('a quantity in a unit is converted to items exactly, or refused', async () => {
  const [carton, third] = [
    await made('/v1/unit-types', { name: 'Carton' }),
    await made('/v1/unit-types', { name: 'Third' }),
  ]
  const id = await world.product('PLUM', {
    unitConversions: [
      { inputMetricType: 3, inputUnitTypeId: carton, outputMetricType: 1, conversionRate: 12 },
      { inputMetricType: 3, inputUnitTypeId: third, outputMetricType: 1, conversionRate: 0.333333 },
    ],
  })
  const plum = await productOf(id)
  const { found, refuse } = faults()
  assert.equal(toItems(plum, { quantity: 2.5, unitTypeId: carton }, refuse), of(30))
  assert.equal(toItems(plum, { quantity: 2.5 }, refuse), of(2.5))
  assert.equal(toItems(plum, { quantity: 10_000, unitTypeId: third }, refuse), of(3333.33))
  assert.deepEqual(found, [])
  assert.equal(toItems(plum, { quantity: 1, unitTypeId: third }, refuse), undefined)
  assert.equal(toItems(plum, { quantity: 1, unitTypeId: id }, refuse), undefined)
  assert.equal(toItems(plum, { quantity: 99_999_999_999, unitTypeId: carton }, refuse), undefined)
  assert.deepEqual(found, [
    '1 of this unit of PLUM is not a number of items with at most 4 decimal places',
    `the unit ${id} is none of the product PLUM`,
    '99999999999 of this unit of PLUM is more than can be held',
  ])
})

test('a product with full capture needs one serial for each item, and other products take none', async () => {
  const [apple, scale, radio] = [
    await productOf(products.APPLE),
    await productOf(products.SCALE),
    await productOf(products.RADIO),
  ]
  assert.deepEqual(serialFaults(scale, of(2), ['1', '2']), [])
  assert.deepEqual(serialFaults(scale, of(2), ['1']), [
    ['2 SCALE need 2 serials; 1 was scanned', 'serial_required'],
  ])
  assert.deepEqual(serialFaults(scale, of(1.5), ['1']), [
    ['1.5 SCALE need 1.5 serials; 1 was scanned', 'serial_required'],
  ])
  assert.deepEqual(serialFaults(scale, of(2), [], { mayOmit: true }), [])
  assert.deepEqual(serialFaults(apple, of(1), []), [])
  assert.deepEqual(serialFaults(apple, of(1), ['1']), [['APPLE has no serials', 'serial_not_taken']])
  assert.deepEqual(serialFaults(radio, of(1), []), [])
  assert.deepEqual(serialFaults(radio, of(1), ['1']), [
    ['serials of RADIO are scanned when it is picked', 'serial_not_taken'],
  ])
  assert.deepEqual(
    repeatedSerials([
      { productId: 'a', serials: ['1', '2'] },
      { productId: 'b', serials: ['1'] },
      { productId: 'a', serials: ['2'] },
    ]),
    [{ entry: 2, serial: '2' }],
  )
})
