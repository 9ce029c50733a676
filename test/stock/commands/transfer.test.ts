// Transfers of stock within a warehouse. Spec 2.14.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../../src/platform/database/db.ts'
import { newId } from '../../../src/platform/new-id.ts'
import { allocateRow } from '../../support/given-allocations.ts'
import { openStock } from '../../support/given-stock.ts'

const world = await openStock()
const { admin, database, products, locations, stored, row, location, made, clientId } = world
const { organisationId } = admin.actor

const transfer = (...transfers: object[]) => admin.post('/v1/inventory/transfer', { transfers })
const moved = async (...transfers: object[]) => {
  const { status, body } = await transfer(...transfers)
  assert.equal(status, 200, JSON.stringify(body))
  return body
}
const refused = async (...transfers: object[]): Promise<string[]> => {
  const { status, body } = await transfer(...transfers)
  assert.equal(status, 400, JSON.stringify(body))
  return body.ErrorMessages
}
/** The locations, units and quantities of the rows of a batch or a product. */
const placesOf = (where: string, id: string) =>
  database.db.rows<{ name: string; unit: string | null; quantity: number }>(sql`
    select l.name, u.logistic_unit_number as unit, p.on_hand_quantity as quantity from warehouse_product p
    join warehouse_location l on l.id = p.warehouse_location_id
    left join logistic_unit u on u.id = p.logistic_unit_id
    where not is_depleted and ${where === 'batch' ? sql`p.batch = ${id}` : sql`p.product_id = ${id}::uuid`}
    order by l.name, p.on_hand_quantity`)

test('a part of a row moves to another location and joins the same stock there', async () => {
  const from = await stored(40, { batch: 'PART' })
  const there = await stored(1, { batch: 'PART', warehouseLocationId: locations.A2 })
  const { transfers, movementId } = await moved({
    warehouseProductId: from,
    quantity: 15.5,
    toLocationName: 'a-02',
  })
  assert.deepEqual(transfers, [
    {
      quantity: 15.5,
      warehouseLocationId: locations.A2,
      logisticUnitId: null,
      warehouseProductIds: [there],
    },
  ])
  assert.equal((await row(from)).onHandQuantity, 24.5)
  assert.equal((await row(there)).onHandQuantity, 16.5)
  const lines = await database.db.rows(sql`select type, quantity from inventory_transaction
    where movement_id = ${movementId} order by quantity`)
  assert.deepEqual(lines, [
    { type: 2, quantity: -15.5 },
    { type: 2, quantity: 15.5 },
  ])
})

test('a whole row moves with its allocations, and a part of it only if it is not allocated', async () => {
  const from = await stored(40, { batch: 'PROMISED' })
  const { consignmentNumber } = await allocateRow(world, from, 28)
  assert.deepEqual(await refused({ warehouseProductId: from, quantity: 13, toLocationName: 'A-02' }), [
    `transfers[0]: only 12 of 40 are free in A-01; 28 are allocated to ${consignmentNumber}.`,
  ])
  assert.deepEqual(await refused({ warehouseProductId: from, quantity: 41, toLocationName: 'A-02' }), [
    'transfers[0]: only 40 are in A-01, not 41.',
  ])
  const { transfers } = await moved({ warehouseProductId: from, toLocationName: 'A-02' })
  const to = await row(transfers[0].warehouseProductIds[0])
  assert.deepEqual([to.onHandQuantity, to.allocatedQuantity], [40, 28])
  assert.deepEqual((await row(from)).allocatedQuantity, 0)
  const rest = await moved({
    ...{ stock: { partnerProductId: products.APPLE, batch: 'PROMISED' } },
    quantity: 12,
    toLocationName: 'B-01',
  })
  assert.equal(rest.transfers[0].quantity, 12)
})

test('stock that one entry takes is gone for the entries after it', async () => {
  const from = await stored(10, { batch: 'TWICE' })
  const entry = { warehouseProductId: from, quantity: 6, toLocationName: 'A-02' }
  assert.deepEqual(await refused(entry, { ...entry, toLocationName: 'B-01' }), [
    'transfers[1]: only 4 are in A-01, not 6.',
  ])
  await moved(entry, { ...entry, toLocationName: 'B-01', quantity: 4 })
  assert.deepEqual(await placesOf('batch', 'TWICE'), [
    { name: 'A-02', unit: null, quantity: 6 },
    { name: 'B-01', unit: null, quantity: 4 },
  ])
})

test('a new unit is created where the goods are, and an empty unit moves to its goods', async () => {
  const from = await stored(10, { batch: 'PALLET' })
  const { transfers } = await moved({
    warehouseProductId: from,
    quantity: 4,
    toLogisticUnit: { isNew: true, referenceNumber: 'P-1' },
  })
  const unit = transfers[0].logisticUnitId
  assert.deepEqual(await placesOf('batch', 'PALLET'), [
    { name: 'A-01', unit: 'LU-000001', quantity: 4 },
    { name: 'A-01', unit: null, quantity: 6 },
  ])
  assert.deepEqual(
    await refused({
      warehouseProductId: from,
      toLocationName: 'B-01',
      toLogisticUnit: { referenceNumber: 'p-1' },
    }),
    ['transfers[0]: the logistic unit LU-000001 stands elsewhere with goods on it.'],
  )
  await moved({ warehouseProductId: transfers[0].warehouseProductIds[0], toLocationName: 'A-02' })
  await moved({
    warehouseProductId: from,
    quantity: 1,
    toLocationName: 'B-01',
    toLogisticUnit: { logisticUnitId: unit },
  })
  assert.deepEqual(await placesOf('batch', 'PALLET'), [
    { name: 'A-01', unit: null, quantity: 5 },
    { name: 'A-02', unit: null, quantity: 4 },
    { name: 'B-01', unit: 'LU-000001', quantity: 1 },
  ])
})

test('a whole unit moves with everything on it, including allocations and holds', async () => {
  const first = await stored(3, { batch: 'WHOLE' })
  const { transfers } = await moved({ warehouseProductId: first, toLogisticUnit: { isNew: true } })
  const logisticUnitId = transfers[0].logisticUnitId
  const pears = await stored(5, { productId: products.PEAR, logisticUnitId, batch: 'WHOLE' })
  await allocateRow(world, pears, 2)
  await moved({ logisticUnitId, toLocationName: 'B-01' })
  assert.deepEqual(
    (await placesOf('batch', 'WHOLE')).map(({ name, quantity }) => [name, quantity]),
    [
      ['B-01', 3],
      ['B-01', 5],
    ],
  )
  assert.match(
    (await refused({ logisticUnitId, toLocationName: 'B-01' }))[0] ?? '',
    /is in B-01 like that already\.$/,
  )
  assert.match(
    (await refused({ logisticUnitId, toLocationName: 'Q-01' }))[0] ?? '',
    /^transfers\[0\]: 2 of PEAR are allocated to TST-\d+-OUT, and Q-01 is a location of quarantine\.$/,
  )
  assert.deepEqual(await refused({ logisticUnitId: organisationId, toLocationName: 'B-01' }), [
    `transfers[0]: there is no logistic unit ${organisationId}.`,
  ])
})

test('a part of a row needs its serials, and a whole row moves with all of them', async () => {
  const newSerials = ['S1', 'S2', 'S3'].map(serial => ({ serial }))
  const from = await stored(3, { productId: products.SCALE }, { newSerials })
  const [s3] = await database.db.rows<{ id: string }>(
    sql`select id from warehouse_product_item where serial = 'S3'`,
  )
  const { consignmentNumber } = await allocateRow(world, from, 1, { itemId: s3?.id as string })
  const part = (more: object) => ({ warehouseProductId: from, quantity: 1, toLocationName: 'A-02', ...more })
  assert.deepEqual(await refused(part({})), ['transfers[0]: 1 SCALE need 1 serial; 0 were scanned.'])
  assert.deepEqual(await refused(part({ serials: ['S9'] })), [
    'transfers[0]: the serial S9 of SCALE is not in that stock.',
  ])
  assert.deepEqual(await refused(part({ serials: ['S3'] })), [
    `transfers[0]: the serial S3 is allocated to ${consignmentNumber}.`,
  ])
  await moved(part({ serials: ['S1'] }))
  await moved(part({ quantity: null }))
  assert.deepEqual(await placesOf('product', products.SCALE), [{ name: 'A-02', unit: null, quantity: 3 }])
})

test('a serial moves once and not if it is allocated by name; picked stock stays picked', async () => {
  const itemId = newId()
  const newSerials = [{ serial: 'T1', id: itemId }, { serial: 'T2' }, { serial: 'T3' }]
  const scales = await stored(3, { productId: products.SCALE, batch: 'ONCE' }, { newSerials })
  const { consignmentNumber } = await allocateRow(world, scales, 1, { itemId })
  const part = (serial: string) => ({
    ...{ warehouseProductId: scales, quantity: 1, serials: [serial], toLocationName: 'A-02' },
  })
  assert.deepEqual(await refused(part('T1')), [
    `transfers[0]: the serial T1 is allocated to ${consignmentNumber}.`,
  ])
  assert.deepEqual(await refused(part('T2'), part('T2')), [
    'transfers[1]: the serial T2 of SCALE is not in that stock.',
  ])
  const apples = await stored(2, { batch: 'PICKED' })
  const { consignmentProductId } = await allocateRow(world, apples, 2, { isPicked: true })
  await moved({ warehouseProductId: apples, toLocationName: 'A-02' })
  const line = await database.db.row(sql`select picked_quantity as picked, allocated_quantity as allocated
    from consignment_product where id = ${consignmentProductId}`)
  assert.deepEqual(line, { picked: 2, allocated: 0 })
})

test('a description must match exactly one row, and the refusal lists the candidates', async () => {
  await stored(1, { batch: 'SAME', receivedDate: '2026-01-05' })
  await stored(2, { batch: 'SAME', receivedDate: '2026-01-06', expiryDate: '2027-01-31' })
  const stock = { partnerProductId: products.APPLE, batch: 'SAME', locationName: 'A-01' }
  const [message] = await refused({ stock, toLocationName: 'A-02' })
  assert.match(
    message ?? '',
    /^transfers\[0\]: stock may be any of 2 rows, so say which: .*1 of APPLE in A-01, batch SAME, received 2026-01-05.*expires 2027-01-31/,
  )
  assert.deepEqual(
    await refused({ stock: { ...stock, logisticUnit: { referenceNumber: 'NONE' } }, toLocationName: 'A-02' }),
    ['transfers[0]: nothing on hand is like the stock that is described.'],
  )
  await moved({
    stock: { ...stock, expiryDate: null, logisticUnit: null, attributes: [] },
    toLocationName: 'A-02',
  })
  await moved({ stock: { ...stock, expiryDate: '2027-01-31T00:00:00Z' }, toLocationName: 'B-01' })
  assert.deepEqual(
    (await placesOf('batch', 'SAME')).map(({ name }) => name),
    ['A-02', 'B-01'],
  )
})

test('goods cannot move to an unsuitable location, and every fault is reported', async () => {
  const pickface = await location('PF-01', 1, { isPickface: true, partnerProductId: products.PEAR })
  const closed = await location('CLOSED', 1, { status: 2 })
  const from = await stored(10, { batch: 'NOWHERE' })
  const other = await made('/v1/warehouses', { name: 'Sydney', code: 'SYD', timezoneId: 'Australia/Sydney' })
  const far = await made(`/v1/warehouses/${other}/locations`, { name: 'FAR', type: 1 })
  const entry = (more: object) => ({ warehouseProductId: from, quantity: 1, ...more })
  assert.deepEqual(
    await refused(
      entry({ toWarehouseLocationId: pickface }),
      entry({ toWarehouseLocationId: closed }),
      entry({ toWarehouseLocationId: far }),
      entry({ toLocationName: 'A-01' }),
      entry({}),
      entry({ warehouseProductId: organisationId, toLocationName: 'A-02' }),
      entry({ toLogisticUnit: { ssccNumber: '000000000000000000' } }),
    ),
    [
      'transfers[0]: PF-01 is the pickface of another product.',
      'transfers[1]: CLOSED is Inactive.',
      `transfers[2]: there is no location ${far} in that warehouse.`,
      'transfers[3]: APPLE is in A-01 like that already.',
      'transfers[4]: say where to, by toWarehouseLocationId, toLocationName or toLogisticUnit.',
      `transfers[5]: warehouseProductId ${organisationId} does not refer to stock.`,
      'transfers[6]: there is no logistic unit 000000000000000000; isNew makes one.',
    ],
  )
  const both = await transfer({
    warehouseProductId: from,
    stock: { partnerProductId: products.APPLE },
    toLocationName: 'A-02',
  })
  assert.deepEqual(both.body.ErrorMessages, [
    'transfers[0] must name its stock, either by warehouseProductId or by stock.',
  ])
  assert.equal((await row(from)).onHandQuantity, 10)
})

test('an empty unit moves too, but to no location that is Inactive', async () => {
  const place = { partnerId: clientId, warehouseId: world.warehouseId, warehouseLocationId: locations.A1 }
  const logisticUnitId = await made('/v1/logistic-units', { ...place, referenceNumber: 'EMPTY' })
  await location('SHUT', 1, { status: 2 })
  assert.deepEqual(await refused({ logisticUnitId, toLocationName: 'SHUT' }), [
    'transfers[0]: SHUT is Inactive.',
  ])
  await moved({ logisticUnitId, toLocationName: 'A-02' })
  const { body } = await admin.get(`/v1/logistic-units/${logisticUnitId}`)
  assert.equal(body.warehouseLocationName, 'A-02')
})

test('a command with an operationId takes effect once, however often it is sent', async () => {
  const from = await stored(10, { batch: 'ONCE' })
  const body = {
    operationId: newId(),
    transfers: [{ warehouseProductId: from, quantity: 3, toLocationName: 'A-02' }],
  }
  const answers = await Promise.all([1, 2].map(() => admin.post('/v1/inventory/transfer', body)))
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200],
  )
  assert.deepEqual(answers[0]?.body, answers[1]?.body)
  assert.equal(answers.filter(({ headers }) => headers['idempotent-replayed'] === 'true').length, 1)
  assert.equal((await row(from)).onHandQuantity, 7)
  const other = await admin.post('/v1/inventory/transfer', {
    ...body,
    transfers: [{ ...body.transfers[0], quantity: 4 }],
  })
  assert.equal(other.status, 409)
  const refusedId = newId()
  const tooMuch = { operationId: refusedId, transfers: [{ ...body.transfers[0], quantity: 40 }] }
  assert.equal((await admin.post('/v1/inventory/transfer', tooMuch)).status, 400)
  await stored(40, { batch: 'ONCE' })
  assert.equal((await admin.post('/v1/inventory/transfer', tooMuch)).status, 200)
  assert.equal((await row(from)).onHandQuantity, 7)
})

test('a client’s user cannot move the client’s stock', async () => {
  const from = await stored(1, { batch: 'THEIRS' })
  const client = world.as(admin, { partnerId: clientId })
  const body = { transfers: [{ warehouseProductId: from, toLocationName: 'A-02' }] }
  assert.equal((await client.post('/v1/inventory/transfer', body)).status, 403)
})
