// A world for which every report has rows: stock of two clients in Auckland and Perth, moved around daylight
// saving changes, consignments of every kind, counts, holds, pick faces, charges and schedules.

import assert from 'node:assert/strict'
import { raw, type Sql, sql } from '../../src/platform/database/db.ts'
import { goods, openInwards, serialGoods } from './given-inwards.ts'
import type { Caller } from './harness.ts'

/** Opens the world and creates all its data. */
export async function openReports() {
  const world = await openInwards()
  const { admin, database, clientId, carrierId, warehouseId, products, locations, made, stored } = world
  const { organisationId } = admin.actor
  const done = async (method: 'post' | 'put', path: string, body: object = {}, by: Caller = admin) => {
    const answer = await by[method](path, body)
    assert.ok(answer.status < 300, `${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
    return answer.body
  }

  // A second client, carrier and warehouse, and a zone with pickfaces.
  const otherClientId = await made('/v1/partners', { name: 'Rimu Nuts', code: 'RIMU', relationship: 1 })
  const otherCarrierId = await made('/v1/partners', { name: 'Fast', code: 'FST', relationship: 2 })
  await done('put', `/v1/partners/${clientId}`, {
    ...{ freightWarningType: 2, freightWarningThreshold: 20, productExpiryCriticalThresholdDays: 30 },
  })
  const nutId = await made(`/v1/partners/${otherClientId}/products`, {
    code: 'NUT',
    name: 'Nuts',
    weightKG: 1.5,
  })
  const perthId = await made('/v1/warehouses', { name: 'Perth', code: 'PER', timezoneId: 'Australia/Perth' })
  const perthLocation = await made(`/v1/warehouses/${perthId}/locations`, {
    name: 'P-01',
    type: 1,
    walkingOrder: 1,
  })
  const zoneId = await made(`/v1/warehouses/${warehouseId}/zones`, { name: 'Cold' })
  const inZone = { warehouseZoneId: zoneId }
  const face = (name: string, more: object) =>
    world.location(name, 1, { ...inZone, isPickface: true, ...more })
  const faces = {
    apples: await face('F-01', {
      partnerProductId: products.APPLE,
      minQuantity: 10,
      targetQuantity: 50,
      walkingOrder: 10,
    }),
    pears: await face('F-02', { partnerProductId: products.PEAR, minQuantity: 5, walkingOrder: 11 }),
    none: await face('F-03', { walkingOrder: 12 }),
    full: await face('F-04', {
      partnerProductId: products.APPLE,
      minQuantity: 1,
      targetQuantity: 5,
      walkingOrder: 13,
    }),
  }

  // Goods by adjustment, some of them long ago, around both changes of daylight saving in Auckland.
  const perth = { warehouseId: perthId, warehouseLocationId: perthLocation }
  const nuts = { partnerId: otherClientId, productId: nutId }
  await stored(
    100,
    { batch: 'A1', expiryDate: '2046-12-01', receivedDate: '2026-04-04' },
    { occurredUtc: '2026-04-04T10:59:00.000Z', weightKG: 25, volumeM3: 0.05 },
  )
  await stored(
    7.25,
    { batch: 'A2', receivedDate: '2026-04-05' },
    { occurredUtc: '2026-04-04T13:30:00.000Z', weightKG: 1.8125 },
  )
  await stored(3.5, { batch: 'A2', receivedDate: '2026-04-06' }, { occurredUtc: '2026-04-05T12:00:00.000Z' })
  await stored(
    11,
    { ...nuts, receivedDate: '2026-09-26' },
    { occurredUtc: '2026-09-26T11:59:59.000Z', weightKG: 16.5 },
  )
  await stored(
    13,
    { ...nuts, ...perth, receivedDate: '2026-09-27' },
    { occurredUtc: '2026-09-26T16:30:00.000Z' },
  )
  await stored(40, { ...perth, receivedDate: '2026-10-01', expiryDate: '2047-05-01' }, { weightKG: 10 })
  await stored(60, {
    productId: products.PEAR,
    warehouseLocationId: locations.B1,
    receivedDate: '2026-08-01',
  })
  await stored(2, { productId: products.PEAR, warehouseLocationId: locations.Q1, receivedDate: '2026-08-02' })
  await stored(3, { warehouseLocationId: faces.apples, receivedDate: '2026-10-10' })
  await stored(1, { productId: products.PEAR, warehouseLocationId: faces.full, receivedDate: '2026-10-11' })
  await stored(9, { warehouseLocationId: faces.none, receivedDate: '2026-10-12', expiryDate: '2026-10-20' })
  const gone = await stored(5, { batch: 'GONE', receivedDate: '2026-01-05' })
  await done('post', '/v1/inventory/adjust', {
    reason: 'Broken',
    adjustments: [{ warehouseProductId: gone, quantity: -5 }],
  })

  // Consignments that come in: in part and in full, over and short, with serials, damaged, on a unit.
  const inwards = await world.announce(
    [
      goods('APPLE', 20, { batch: 'IN1', expiryDate: '2046-12-24' }),
      goods('PEAR', 8),
      serialGoods('SCALE', ['S1', 'S2', 'S3']),
    ],
    {
      referenceNumber: '=cmd|calc',
      containerNumber: 'CONT1',
      expectedArrivalDateTime: '2026-11-10T09:00:00Z',
      carrierCode: 'SWF',
    },
  )
  const lines = await world.linesOf(inwards)
  await world.received(inwards, {
    receipts: [
      {
        consignmentProductId: lines[0],
        quantity: 15,
        logisticUnit: { referenceNumber: 'PALLET', isNew: true },
        toLocationName: 'A-01',
      },
      { consignmentProductId: lines[0], quantity: 2, hold: { kind: 2, reason: 'Dented' } },
      { consignmentProductId: lines[1], quantity: 10 },
      { consignmentProductId: lines[2], serials: ['S1', 'S2', 'S3'] },
    ],
  })
  assert.equal((await world.move(inwards, 0)).status, 200)
  const expected = await world.announce([goods('APPLE', 30), goods('PEAR', 4)], {
    ...{ expectedArrivalDateTime: '2026-11-30T09:00:00Z', referenceNumber: 'Later, "soon"' },
  })
  const expectedLines = await world.linesOf(expected)
  await world.received(expected, { receipts: [{ consignmentProductId: expectedLines[0], quantity: 12 }] })
  await world.announce([goods('APPLE', 1)], { expectedArrivalDateTime: '2026-11-01T09:00:00Z' }, null)

  // Consignments that go out: dispatched, picked in part, short, and one that is void.
  const outwardsFacts = {
    ...{ consignmentType: 2, carrierCode: 'SWF', expectedDispatchDateTime: '2026-11-12T16:00:00Z' },
    destinationAddress: { name: 'Corner Shop', city: 'Nelson', state: 'NSN' },
  }
  const dispatched = await world.announce(
    [goods('APPLE', 25), serialGoods('SCALE', ['S1'])],
    outwardsFacts,
    2,
  )
  assert.equal((await world.move(dispatched, 3)).status, 200)
  assert.equal((await world.move(dispatched, 7)).status, 200)
  const short = await world.announce([goods('PEAR', 500)], outwardsFacts, 2)
  const voided = await world.announce([goods('PEAR', 1)], outwardsFacts, null)
  await done('put', `/v1/consignments/${voided}/void`)

  // Work, material, tracking and a proof of delivery.
  const consumableTypeId = await made('/v1/consumable-types', { name: 'Pallet wrap' })
  const taskTypeId = (await admin.get('/v1/task-types')).body.taskTypes[0].id
  await done('put', `/v1/consignments/${dispatched}/consumables`, {
    consumables: [{ consumableTypeId, value: 2.5 }],
  })
  await done('put', `/v1/consignments/${short}/tasks`, { tasks: [{ taskTypeId, value: 1 }] })
  await done('post', `/v1/consignments/${dispatched}/tracking`, {
    trackingNumber: '+6421',
    carrierName: 'Swift',
  })
  await done('post', `/v1/consignments/${dispatched}/pods`, {
    eventUtc: '2026-11-15T02:00:00Z',
    signatoryName: 'Kim',
  })

  // Held stock, and counts: one approved, one blind and open.
  const [pears] = await database.db.rows<{ id: string }>(sql`
    select id from warehouse_product where organisation_id = ${organisationId} and not is_depleted
      and product_id = ${products.PEAR} and inventory_hold_id is null and warehouse_location_id = ${locations.B1}`)
  const counted = await done('post', '/v1/stock-counts', { warehouseId, partnerProductIds: [products.SCALE] })
  const countPath = `/v1/stock-counts/${counted.stockCountId}`
  for (const line of (await admin.get(`${countPath}/lines`)).body.stockCountLines)
    await done('post', `${countPath}/lines/count`, {
      counts: [{ stockCountLineId: line.stockCountLineId, serials: ['S2'] }],
    })
  await done('put', `${countPath}/status`, { status: 3 })
  await done('post', `${countPath}/approve`, { reason: 'Lost' })
  await done('post', '/v1/stock-counts', { warehouseId: perthId, isBlind: true })

  // Money: charges, some closed and on schedules, one excluded.
  const taxRateId = await made('/v1/tax-rates', { name: 'GST', percent: 15 })
  const revenueAccountId = await made('/v1/revenue-accounts', { code: '200', name: 'Freight' })
  const costCentreId = await made('/v1/cost-centres', { code: 'N', name: 'North' })
  const charge = (id: string, kind: string, more: object) =>
    done('post', `/v1/consignments/${id}/charges/${kind}/adhoc`, {
      ...{ chargeApplication: 1, metricValue: 3, taxRateId, ...more },
    })
  await charge(dispatched, 'client-freight', {
    chargeRateExclTax: 33.335,
    revenueAccountId,
    costCentreId,
    particulars: '-1+1',
  })
  await charge(dispatched, 'carrier-freight', { chargeRateExclTax: 28 })
  await charge(dispatched, 'client-activity', { chargeRateExclTax: 4.1, chargeMinExclTax: 20 })
  await charge(short, 'client-freight', { chargeRateExclTax: 10 })
  await charge(inwards, 'client-activity', { chargeRateExclTax: 7 })
  for (const status of [0, 6]) assert.equal((await world.move(dispatched, status)).status, 200)
  // The transactions are of today, whatever day that is.
  const schedule = { date: '2026-11-30', transactionsUpTo: '2999-12-31' }
  const { partnerScheduleId } = await done('post', '/v1/schedules', {
    ...{ partnerId: clientId, ...schedule, referenceNumber: 'NOV' },
  })
  await done('post', '/v1/schedules', { partnerId: carrierId, ...schedule })
  await done('put', `/v1/consignments/${inwards}/status`, { status: 6 })
  const transaction = (await admin.get(`/v1/schedules/${partnerScheduleId}`)).body.transactions[0]
  assert.ok(transaction)

  return {
    ...world,
    ...{ otherClientId, otherCarrierId, nutId, perthId, perthLocation, zoneId, faces, done },
    ...{
      inwards,
      expected,
      dispatched,
      short,
      voided,
      consumableTypeId,
      taskTypeId,
      costCentreId,
      revenueAccountId,
    },
    ...{
      heldRow: pears?.id as string,
      stockCountId: counted.stockCountId as string,
      partnerScheduleId: partnerScheduleId as string,
    },
    /** The rows of a report. */
    rowsOf: async (name: string, body: object = {}, by: Caller = admin): Promise<Row[]> => {
      const answer = await by.post(`/v1/reports/${name}`, body)
      assert.equal(answer.status, 200, `${name} ${JSON.stringify(body)}: ${JSON.stringify(answer.body)}`)
      return answer.body
    },
    /** All rows of a table. */
    table: (name: string): Promise<Row[]> =>
      database.db
        .rows<{ row: Row }>(tableOf(name, organisationId))
        .then(found => found.map(({ row }) => row)),
  }
}

const tableOf = (name: string, organisationId: string): Sql =>
  sql`select to_jsonb(t) as row from ${raw(name)} t where organisation_id = ${organisationId}`

/** A row of a table or of a report. */
// biome-ignore lint/suspicious/noExplicitAny: the tests name the fields they expect
export type Row = Record<string, any>
