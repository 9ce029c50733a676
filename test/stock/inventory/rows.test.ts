// One row of stock, its serials and its lines in the ledger; shortages of consignments. Spec 2.14.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../../src/platform/database/db.ts'
import { newId } from '../../../src/platform/new-id.ts'
import { TransactionType } from '../../../src/vocabulary/stock.ts'
import { daysAgo } from '../../support/dates.ts'
import { of, openStock } from '../../support/given-stock.ts'

const world = await openStock()
const { admin, database, clientId, warehouseId, products, locations, posted, stored, made } = world
const { organisationId } = admin.actor
const { Allocation, Adjustment, Transfer } = TransactionType

let consignments = 0

/** Creates an outwards consignment with lines of these products, ready to be picked. */
async function createOrder(lines: [productId: string, quantity: number][], status = 2, priority = 2) {
  const [id, number] = [newId(), ++consignments]
  const lineIds = lines.map(() => newId())
  await database.atomically(async tx => {
    await tx.run(sql`insert into consignment (organisation_id, id, number, consignment_number, type, status,
      priority, client_id, warehouse_id, date_entered)
      values (${organisationId}, ${id}, ${number}, ${`TST-${number}-OUT`}, 2, ${status}, ${priority},
        ${clientId}, ${warehouseId}, '2026-01-01')`)
    for (const [n, [productId, quantity]] of lines.entries())
      await tx.run(sql`insert into consignment_product (organisation_id, id, consignment_id, ordinal,
        product_id, product_code, expected_quantity)
        values (${organisationId}, ${lineIds[n]}, ${id}, ${n + 1}, ${productId}, 'X', ${quantity})`)
  })
  return { id, lines: lineIds as [string, ...string[]], consignmentNumber: `TST-${number}-OUT` }
}

/** Allocates some of a row to the first line of an order. */
const allocate = (
  stockId: string,
  { id, lines }: Awaited<ReturnType<typeof createOrder>>,
  quantity: number,
  itemId?: string,
) =>
  posted([
    {
      movementId: newId(),
      type: Allocation,
      from: null,
      to: stockId,
      quantity: 0n,
      consignmentId: id,
      consignmentProductId: lines[0],
      allocations: [
        {
          at: 'to',
          consignmentId: id,
          consignmentProductId: lines[0],
          isPicked: false,
          quantity: of(quantity),
          ...(itemId === undefined ? {} : { itemId }),
        },
      ],
    },
  ])

test('a row of stock is read with its location and its allocations', async () => {
  const id = await stored(10, { batch: 'ONE', warehouseLocationId: locations.A2 })
  const order = await createOrder([[products.APPLE, 4]])
  await allocate(id, order, 4)
  const { body } = await admin.get(`/v1/inventory/${id}`)
  const { onHandQuantity, allocatedQuantity, availableQuantity, batch, walkingOrder, logisticUnitNumber } =
    body
  assert.deepEqual([onHandQuantity, allocatedQuantity, availableQuantity], [10, 4, 6])
  assert.deepEqual([batch, walkingOrder, logisticUnitNumber], ['ONE', 2, null])
  const [{ inventoryAllocationId, ...allocation }] = body.allocations
  assert.ok(inventoryAllocationId)
  assert.deepEqual(allocation, {
    consignmentId: order.id,
    consignmentNumber: order.consignmentNumber,
    consignmentProductId: order.lines[0],
    warehouseProductItemId: null,
    serial: null,
    quantity: 4,
    isPicked: false,
    isOverride: false,
  })
})

test('a row that does not exist, or is not the caller’s, is not found', async () => {
  const id = await stored(1, { batch: 'OWN' })
  const rimu = await made('/v1/partners', { name: 'Rimu', code: 'RIMU', relationship: 1 })
  const callers = [world.as(admin, { partnerId: rimu }), await world.stranger()]
  for (const path of [id, `${id}/items`, `${id}/transactions`])
    for (const caller of callers) assert.equal((await caller.get(`/v1/inventory/${path}`)).status, 404, path)
  for (const path of ['', '/items', '/transactions'])
    assert.equal((await admin.get(`/v1/inventory/${newId()}${path}`)).status, 404)
  const own = world.as(admin, { partnerId: clientId })
  assert.equal((await own.get(`/v1/inventory/${id}`)).status, 200)
})

test('serials without a weight of their own share the rest of the weight of the row', async () => {
  const id = await stored(
    4,
    { productId: products.SCALE },
    {
      weightKG: 15,
      volumeM3: 4,
      newSerials: [{ serial: 'B', weightKG: 6, volumeM3: 1 }, { serial: 'A' }, { serial: 'C' }],
    },
  )
  const { body } = await admin.get(`/v1/inventory/${id}/items?PageSize=2`)
  assert.equal(body.total, 3)
  const [{ warehouseProductItemId, ...first }, second] = body.items
  assert.ok(warehouseProductItemId)
  assert.deepEqual(first, {
    serial: 'A',
    availableQuantity: 1,
    availableVolumeM3: 1,
    availableWeightKG: 3,
    transferableQuantity: 1,
    transferableVolumeM3: 1,
    transferableWeightKG: 3,
    onHandQuantity: 1,
    onHandVolumeM3: 1,
    onHandWeightKG: 3,
  })
  assert.deepEqual([second.serial, second.onHandWeightKG, second.onHandVolumeM3], ['B', 6, 1])
  const apples = await stored(4, { batch: 'NO SERIALS' })
  assert.deepEqual((await admin.get(`/v1/inventory/${apples}/items`)).body, { index: 1, total: 0, items: [] })
})

test('a serial is free unless it is allocated by name or its whole row is allocated', async () => {
  const id = await stored(
    2,
    { productId: products.SCALE, batch: 'P' },
    { newSerials: [{ serial: 'P1' }, { serial: 'P2' }] },
  )
  const readItems = async () =>
    (await admin.get(`/v1/inventory/${id}/items`)).body.items.map((item: Record<string, unknown>) => [
      item.serial,
      item.availableQuantity,
      item.transferableQuantity,
      item.onHandQuantity,
    ])
  const order = await createOrder([[products.SCALE, 2]])
  const { body } = await admin.get(`/v1/inventory/${id}/items`)
  await allocate(id, order, 1, body.items[0].warehouseProductItemId)
  assert.deepEqual(await readItems(), [
    ['P1', 0, 0, 1],
    ['P2', 1, 1, 1],
  ])
  await allocate(id, order, 1)
  assert.deepEqual(await readItems(), [
    ['P1', 0, 0, 1],
    ['P2', 0, 0, 1],
  ])
  const quarantined = await stored(
    1,
    { productId: products.SCALE, warehouseLocationId: locations.Q1 },
    { newSerials: [{ serial: 'Q1' }] },
  )
  const [item] = (await admin.get(`/v1/inventory/${quarantined}/items`)).body.items
  assert.deepEqual([item.availableQuantity, item.transferableQuantity], [0, 1])
})

test('a movement reported as earlier than the receipt of its stock keeps the reported time', async () => {
  const [received, reported] = [daysAgo(30), daysAgo(31)]
  const serials = { newSerials: [{ serial: 'EARLY' }] }
  const scale = { productId: await world.product('EARLY', { serialTrackingMode: 2 }) }
  const id = await stored(1, scale, { ...serials, occurredUtc: received })
  const item = (await admin.get(`/v1/inventory/${id}/items`)).body.items[0].warehouseProductItemId
  const { body } = await admin.post('/v1/inventory/transfer', {
    ...{ transfers: [{ warehouseProductId: id, toLocationName: 'DOCK' }], occurredUtc: reported },
  })
  assert.equal(body.effectiveUtc, received)
  for (const path of [`/v1/inventory/${id}`, `/v1/inventory-items/${item}`]) {
    const { transactions } = (await admin.get(`${path}/transactions`)).body
    const times = transactions.map((line: Record<string, unknown>) => [line.effectiveUtc, line.occurredUtc])
    assert.deepEqual(times[0], [received, reported])
    assert.deepEqual(times.at(-1), [received, null])
  }
})

test('lines of a row have the quantity after each, the user, the reason and the other place', async () => {
  const come = { occurredUtc: '2026-01-31T00:00:00.000Z' }
  const from = await stored(10, { batch: 'LINES' }, come)
  const to = await stored(1, { batch: 'LINES', warehouseLocationId: locations.B1 }, come)
  const order = await createOrder([[products.APPLE, 3]])
  await posted([
    {
      movementId: newId(),
      type: Transfer,
      from,
      to,
      quantity: of(4),
      occurredUtc: '2026-02-01T00:00:00.000Z',
    },
  ])
  await allocate(from, order, 3)
  await posted([
    {
      movementId: newId(),
      type: Adjustment,
      from,
      to: null,
      quantity: of(1),
      reason: 'Broken',
      particulars: 'Fell',
    },
  ])
  const read = async (query = '') => (await admin.get(`/v1/inventory/${from}/transactions${query}`)).body
  const { total, transactions } = await read()
  assert.equal(total, 3)
  assert.deepEqual(
    transactions.map((line: Record<string, unknown>) => [
      line.version,
      line.transactionType,
      line.quantity,
      line.onHandAfter,
    ]),
    [
      [4, 1, -1, 5],
      [2, 2, -4, 6],
      [1, 1, 10, 10],
    ],
  )
  const [broken, moved] = transactions
  assert.deepEqual(
    [broken.reason, broken.particulars, broken.userFullName, broken.appName],
    ['Broken', 'Fell', 'Ada Storekeeper', 'Test app'],
  )
  assert.deepEqual(broken.otherPlaces, [])
  assert.deepEqual(
    [moved.effectiveUtc, moved.isLate, moved.warehouseLocationName],
    ['2026-02-01T00:00:00.000Z', true, 'A-01'],
  )
  assert.deepEqual(moved.otherPlaces, [
    {
      warehouseProductId: to,
      warehouseLocationId: locations.B1,
      warehouseLocationName: 'B-01',
      logisticUnitNumber: null,
      quantity: 4,
    },
  ])
  const all = await read('?IncludeAllocations=true')
  assert.equal(all.total, 4)
  const [, allocation] = all.transactions
  assert.deepEqual(
    [
      allocation.transactionType,
      allocation.quantity,
      allocation.allocatedQuantity,
      allocation.consignmentNumber,
      allocation.onHandAfter,
    ],
    [0, 0, 3, order.consignmentNumber, 6],
  )
  const paged = await read('?PageSize=1&PageIndex=3')
  assert.deepEqual(
    [paged.total, paged.transactions[0].version, paged.transactions[0].onHandAfter],
    [3, 1, 10],
  )
})

test('serials are found wherever they are, with their history', async () => {
  const attribute = await made('/v1/product-attributes', { name: 'Colour' })
  const attributes = [{ productAttributeId: attribute, description: 'Red' }]
  const scales = { productId: products.SCALE, batch: 'LIFE' }
  const from = await stored(
    2,
    { ...scales, attributes },
    { newSerials: [{ serial: 'L1' }, { serial: 'L2' }] },
  )
  const to = await stored(
    1,
    { ...scales, warehouseLocationId: locations.B1 },
    { newSerials: [{ serial: 'L3' }] },
  )
  const find = async (query: string, by = admin) =>
    (await by.get(`/v1/inventory-items?${query}`)).body.items.map(({ serial }: { serial: string }) => serial)
  const { body } = await admin.get('/v1/inventory-items?Serials=L1')
  const item = body.items[0]
  assert.deepEqual(
    [
      item.partnerProductCode,
      item.warehouseProductId,
      item.warehouseLocationName,
      item.isInStock,
      item.batch,
    ],
    ['SCALE', from, 'A-01', true, 'LIFE'],
  )
  const items = [item.warehouseProductItemId]
  await posted([{ movementId: newId(), type: Transfer, from, to, quantity: of(1), items }])
  await posted([{ movementId: newId(), type: Adjustment, from: to, to: null, quantity: of(1), items }])
  assert.deepEqual(await find('Batch=life'), ['L2', 'L3'])
  assert.deepEqual(await find('Batch=life&IncludeDispatched=true'), ['L2', 'L3'])
  assert.deepEqual(await find('Serials=L1,%20L3,none&IncludeDispatched=true'), ['L1', 'L3'])
  assert.deepEqual(await find(`ProductAttributeId=${attribute}`), ['L2'])
  assert.deepEqual(await find(`WarehouseProductId=${to}`), ['L3'])
  assert.deepEqual(await find(`WarehouseLocationId=${locations.B1}&PartnerId=${clientId}`), ['L3'])
  assert.deepEqual(
    await find(`WarehouseId=${warehouseId}&PartnerProductId=${products.SCALE}&Serials=L2,L1`),
    ['L2'],
  )
  assert.deepEqual(await find(`WarehouseZoneId=${newId()}`), [])
  assert.deepEqual(await find('PalletReferenceNumber=none'), [])
  const rimu = await made('/v1/partners', { name: 'Rata', code: 'RATA', relationship: 1 })
  const stranger = world.as(admin, { partnerId: rimu })
  assert.deepEqual(await find('IncludeDispatched=true', stranger), [])
  const historyPath = `/v1/inventory-items/${item.warehouseProductItemId}/transactions`
  const { transactions, total } = (await admin.get(historyPath)).body
  assert.equal(total, 4)
  assert.deepEqual(
    transactions.map((line: Record<string, unknown>) => [
      line.transactionType,
      line.warehouseLocationName,
      line.quantity,
    ]),
    [
      [1, 'B-01', -1],
      [2, 'B-01', 1],
      [2, 'A-01', -1],
      [1, 'A-01', 2],
    ],
  )
  assert.equal((await stranger.get(historyPath)).status, 404)
})

test('shortages are the lines without enough stock, the most urgent first', async () => {
  const productId = products.RADIO
  const stock = await stored(5, { productId })
  const partly = await createOrder([
    [productId, 8],
    [products.PEAR, 1],
  ])
  const urgent = await createOrder([[productId, 2]], 3, 4)
  await createOrder([[productId, 9]], 1)
  await allocate(stock, partly, 3)
  const read = async (query: string, by = admin) => (await by.get(`/v1/inventory/shortages?${query}`)).body
  const { total, shortages } = await read(`PartnerProductId=${productId}`)
  assert.equal(total, 2)
  assert.deepEqual(
    shortages.map((line: Record<string, unknown>) => [
      line.consignmentNumber,
      line.expectedQuantity,
      line.allocatedQuantity,
      line.shortQuantity,
      line.availableQuantity,
    ]),
    [
      [urgent.consignmentNumber, 2, 0, 2, 2],
      [partly.consignmentNumber, 8, 3, 5, 2],
    ],
  )
  const own = world.as(admin, { partnerId: clientId })
  assert.equal((await read(`WarehouseId=${warehouseId}&PartnerProductId=${products.PEAR}`, own)).total, 1)
  assert.equal((await read(`PartnerId=${newId()}`)).total, 0)
})
