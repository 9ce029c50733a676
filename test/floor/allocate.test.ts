// Allocating stock to consignments by the rules of rotation. Decision 4.

import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { sql } from '../../src/platform/database/db.ts'
import { newId } from '../../src/platform/new-id.ts'
import { daysAgo } from '../support/dates.ts'
import { openAllocation } from '../support/given-allocation.ts'

const world = await openAllocation()
const { admin, database, organisationId, clientId, locations, products } = world
const { stored, ready, allocated, allocationsOf, allocateLine, events, row, fresh, unit, hold, made } = world

/** The date in the warehouse, this many days from now. */
const day = (days: number) => {
  const at = new Date(Date.now() + days * 86_400_000)
  return new Intl.DateTimeFormat('en-CA', { timeZone: 'Pacific/Auckland' }).format(at)
}
const midnight = (date: string) => `${date}T00:00:00`
const figures = (lines: { allocated: number; short: number }[]) =>
  lines.map(({ allocated, short }) => [allocated, short])
const allocate = (id: string, body?: object) => admin.post(`/v1/consignments/${id}/allocate`, body)
const setOrganisation = async (change: object) => {
  assert.notEqual((await admin.put('/v1/organisation', change)).status, 400)
}
let pallet = 0
/** Stores stock on a new unit that holds nothing else. */
const storeOnUnit = async (quantity: number, more: object) =>
  stored(quantity, { ...more, logisticUnitId: await unit(`U-${pallet++}`) })

before(() => setOrganisation({ isFullPalletFirst: true, fullPalletAllocation: 1 }))

test('a line gets the stock it needs, and what is not in stock stays short', async () => {
  const of = await fresh()
  const stock = await stored(8, of)
  const id = await ready([
    { ...of, quantity: 5 },
    { ...of, quantity: 5 },
  ])
  assert.deepEqual(figures(await allocated(id)), [
    [5, 0],
    [3, 2],
  ])
  assert.deepEqual(await allocationsOf(id), [
    { stock, quantity: 5 },
    { stock, quantity: 3 },
  ])
  assert.equal((await row(stock)).availableQuantity, 0)
  assert.deepEqual(await events(id), [108])
  const again = await allocate(id)
  assert.deepEqual([again.body.movementId, again.body.effectiveUtc], [null, null])
  assert.deepEqual(await events(id), [108])
})

test('stock is not allocated if held, in quarantine, depleted, in another warehouse or in an inactive location', async () => {
  const of = await fresh()
  await stored(5, { ...of, inventoryHoldId: await hold() })
  await stored(5, { ...of, warehouseLocationId: locations.Q1 })
  const closed = await world.location('CLOSED', 1)
  await stored(5, { ...of, warehouseLocationId: closed })
  await database.atomically(tx => tx.run(sql`update warehouse_location set status = 2 where id = ${closed}`))
  const other = await made('/v1/warehouses', { name: 'Other', code: 'OTH', timezoneId: 'UTC' })
  const there = await made(`/v1/warehouses/${other}/locations`, { name: 'A', type: 1 })
  await stored(5, { ...of, warehouseId: other, warehouseLocationId: there })
  assert.deepEqual(await allocateLine({ ...of, quantity: 5 }), [])
})

test('rotation sorts by the first method, then the second, then the day of receipt, with nulls last', async () => {
  const of = await fresh({ rotationMethod: 3, rotationMethodSecondary: 1 })
  const facts = [
    { expiryDate: day(90), batch: 'A' },
    { expiryDate: day(90), batch: 'B', receivedDate: '2026-01-01' },
    { expiryDate: day(90), batch: 'B', receivedDate: '2026-01-02' },
    { expiryDate: day(90) },
    { expiryDate: day(30), batch: 'A' },
    { batch: 'A' },
  ]
  const ids: string[] = []
  for (const fact of facts.toReversed()) ids.unshift(await stored(1, { ...of, ...fact }))
  assert.deepEqual(
    await allocateLine({ ...of, quantity: 6 }),
    ids.map(id => [id, 1]),
  )
})

test('without a rotation method the oldest stock goes first, or the newest with LIFO', async () => {
  for (const stockDepletionMethod of [1, 2]) {
    const of = await fresh({ stockDepletionMethod })
    const early = await stored(1, { ...of, receivedDate: '2026-01-01' })
    const late = await stored(1, { ...of, receivedDate: '2026-01-02' })
    assert.deepEqual(await allocateLine({ ...of, quantity: 1 }), [
      [stockDepletionMethod === 1 ? early : late, 1],
    ])
  }
})

test('a product without rotation methods uses those of its client', async () => {
  const of = await fresh()
  const late = await stored(1, { ...of, expiryDate: day(90), receivedDate: '2026-01-01' })
  const soon = await stored(1, { ...of, expiryDate: day(30), receivedDate: '2026-01-02' })
  await admin.put(`/v1/partners/${clientId}`, { rotationMethod: 2 })
  assert.deepEqual(await allocateLine({ ...of, quantity: 1 }), [[soon, 1]])
  await admin.put(`/v1/partners/${clientId}`, { rotationMethod: 0 })
  assert.deepEqual(await allocateLine({ ...of, quantity: 1 }), [[late, 1]])
})

test('a line with a batch that cannot be replaced gets that batch or nothing, whatever its case', async () => {
  const of = await fresh({ batchSubstitution: 2 })
  const asked = await stored(3, { ...of, batch: 'b7', receivedDate: '2026-01-02' })
  await stored(9, { ...of, batch: 'B8', receivedDate: '2026-01-01' })
  assert.deepEqual(await allocateLine({ ...of, batch: 'B7', quantity: 5 }), [[asked, 3]])
})

test('a batch that can be replaced goes first, then rotation decides', async () => {
  const of = await fresh({ batchSubstitution: 1, rotationMethod: 2 })
  const asked = await stored(3, { ...of, batch: 'B7', expiryDate: day(90) })
  const other = await stored(9, { ...of, batch: 'B8', expiryDate: day(30) })
  assert.deepEqual(await allocateLine({ ...of, batch: 'B7', quantity: 5 }), [
    [asked, 3],
    [other, 2],
  ])
})

test('stock that meets more of the preferences goes first', async () => {
  const of = await fresh({ batchSubstitution: 1, expirySubstitution: 1 })
  const none = await stored(1, { ...of, batch: 'X', receivedDate: '2025-01-01' })
  const one = await stored(1, { ...of, batch: 'B7', receivedDate: '2025-02-01' })
  const both = await stored(1, { ...of, batch: 'B7', expiryDate: day(30), receivedDate: '2025-03-01' })
  const line = { ...of, batch: 'B7', expiryDate: midnight(day(30)), quantity: 3 }
  assert.deepEqual(
    await allocateLine(line),
    [both, one, none].map(id => [id, 1]),
  )
})

test('dates that cannot be replaced are compared by day', async () => {
  const names = {
    bestBeforeDate: 'bestBeforeDateSubstitution',
    expiryDate: 'expirySubstitution',
    packagingDate: 'packagingDateSubstitution',
    productionDate: 'productionDateSubstitution',
    sellByDate: 'sellByDateSubstitution',
  }
  for (const [field, setting] of Object.entries(names)) {
    const of = await fresh({ [setting]: 2 })
    await stored(5, { ...of, [field]: day(40), receivedDate: '2025-01-01' })
    await stored(5, { ...of, receivedDate: '2025-01-01' })
    const asked = await stored(2, { ...of, [field]: day(41) })
    assert.deepEqual(
      await allocateLine({ ...of, [field]: `${day(41)}T13:00:00`, quantity: 5 }),
      [[asked, 2]],
      field,
    )
  }
})

test('a line that names a unit gets stock from that unit only', async () => {
  const of = await fresh()
  await stored(5, { ...of, receivedDate: '2025-01-01' })
  const named = await stored(3, { ...of, logisticUnitId: await unit('NAMED') })
  assert.deepEqual(await allocateLine({ ...of, logisticUnitReferenceNumber: 'named', quantity: 5 }), [
    [named, 3],
  ])
  assert.deepEqual(await allocateLine({ ...of, logisticUnitReferenceNumber: 'NOBODY', quantity: 5 }), [])
})

test('stock must have every attribute that a line names', async () => {
  const of = await fresh()
  const [colour, size] = [
    await made('/v1/product-attributes', { name: 'Colour' }),
    await made('/v1/product-attributes', { name: 'Size' }),
  ]
  const red = { productAttributeId: colour, description: 'Red' }
  const large = { productAttributeId: size, description: 'L' }
  await stored(1, { ...of, attributes: [red] })
  const both = await stored(1, { ...of, attributes: [red, large] })
  const attributes = [
    { name: 'colour', description: 'red' },
    { name: 'Size', description: null },
  ]
  assert.deepEqual(await allocateLine({ ...of, attributes, quantity: 2 }), [[both, 1]])
  assert.deepEqual(await allocateLine({ ...of, attributes: [{ name: 'Weight' }], quantity: 1 }), [])
})

test('stock is usable on its expiry date; later it goes only to lines that name its batch, serial or unit', async () => {
  const of = await fresh()
  const logisticUnitId = await unit('OLD')
  const expired = await stored(9, { ...of, batch: 'OLD', expiryDate: day(-1), logisticUnitId })
  assert.deepEqual(await allocateLine({ ...of, quantity: 1 }), [])
  assert.deepEqual(await allocateLine({ ...of, batch: 'NEW', quantity: 1 }), [])
  assert.deepEqual(await allocateLine({ ...of, batch: 'old', quantity: 1 }), [[expired, 1]])
  assert.deepEqual(await allocateLine({ ...of, logisticUnitReferenceNumber: 'OLD', quantity: 1 }), [
    [expired, 1],
  ])
  const today = await stored(1, { ...of, expiryDate: day(0) })
  assert.deepEqual(await allocateLine({ ...of, quantity: 2 }), [[today, 1]])
})

test('stock is critical within a number of days before one of its dates; expired stock is not allocated as critical', async () => {
  const of = await fresh({ expiryCriticalThresholdDays: 10, sellByDateCriticalThresholdDays: 3 })
  const fine = await stored(1, { ...of, expiryDate: day(11) })
  const near = await stored(1, { ...of, expiryDate: day(10) })
  const toSell = await stored(1, { ...of, expiryDate: day(30), sellByDate: day(3) })
  await stored(1, { ...of, expiryDate: day(-1) })
  const takes = async (criticalStockStatus: number) =>
    new Set((await allocateLine({ ...of, criticalStockStatus, quantity: 9 })).map(([id]) => id))
  assert.deepEqual(await takes(1), new Set([near, toSell]))
  assert.deepEqual(await takes(2), new Set([fine]))
})

test('a product without a critical threshold uses that of its client, and without either nothing is critical', async () => {
  const of = await fresh()
  const stock = await stored(1, { ...of, expiryDate: day(5) })
  assert.deepEqual(await allocateLine({ ...of, criticalStockStatus: 1, quantity: 1 }), [])
  await admin.put(`/v1/partners/${clientId}`, { productExpiryCriticalThresholdDays: 5 })
  assert.deepEqual(await allocateLine({ ...of, criticalStockStatus: 1, quantity: 1 }), [[stock, 1]])
  await admin.put(`/v1/partners/${clientId}`, { productExpiryCriticalThresholdDays: null })
})

test('a line gets a serial that cannot be replaced or nothing, and a serial that can be replaced goes first', async () => {
  const serial = (serialSubstitution: number) => fresh({ serialTrackingMode: 2, serialSubstitution })
  for (const substitution of [1, 2]) {
    const of = await serial(substitution)
    const items = (...names: string[]) => ({ newSerials: names.map(name => ({ serial: name })) })
    const first = await stored(2, { ...of, receivedDate: '2025-01-01' }, items('A', 'B'))
    const second = await stored(2, of, items('C', 'D'))
    const id = await ready([{ ...of, quantity: 2, serials: ['C', 'X'] }])
    const [line] = await allocated(id)
    const byName = { stock: second, quantity: 1, serial: 'C' }
    assert.deepEqual(
      await allocationsOf(id),
      substitution === 2 ? [byName] : [byName, { stock: first, quantity: 1 }],
    )
    assert.equal(line?.short, substitution === 2 ? 1 : 0)
    // A serial that is allocated to one line is not available to another.
    const other = await ready([{ ...of, quantity: 1, serials: ['C'] }])
    assert.equal((await allocated(other))[0]?.short, substitution === 2 ? 1 : 0)
    // A serial that the line already has is not allocated again.
    assert.equal((await allocate(id)).body.movementId, null)
  }
})

test('among stock of equal rotation a whole unit that fits goes first, unless whole pallets are not preferred', async () => {
  const settings: [object, boolean][] = [
    [{ isFullPalletFirst: true, fullPalletAllocation: 1 }, true],
    [{ isFullPalletFirst: true, fullPalletAllocation: 2 }, false],
    [{ isFullPalletFirst: false, fullPalletAllocation: 1 }, false],
  ]
  for (const [setting, isFirst] of settings) {
    await setOrganisation(setting)
    const of = await fresh()
    const loose = await stored(5, of)
    const small = await storeOnUnit(10, of)
    await storeOnUnit(40, of)
    const wanted = isFirst
      ? [
          [small, 10],
          [loose, 2],
        ]
      : [
          [loose, 5],
          [small, 7],
        ]
    assert.deepEqual(await allocateLine({ ...of, quantity: 12 }), wanted, JSON.stringify(setting))
  }
  await setOrganisation({ isFullPalletFirst: true, fullPalletAllocation: 1 })
})

test('rotation takes precedence over pallets and pick faces', async () => {
  const of = await fresh({ rotationMethod: 2 })
  const early = await stored(5, { ...of, expiryDate: day(10), warehouseLocationId: locations.DOCK })
  await storeOnUnit(5, { ...of, expiryDate: day(20) })
  assert.deepEqual(await allocateLine({ ...of, quantity: 5 }), [[early, 5]])
})

test('partial pallets are cleared first, then the walking distance is kept short', async () => {
  const of = await fresh()
  const far = await stored(5, { ...of, warehouseLocationId: locations.A2 })
  const near = await stored(5, { ...of, warehouseLocationId: locations.A1 })
  const little = await stored(1, { ...of, batch: 'X', warehouseLocationId: locations.A2 })
  assert.deepEqual(await allocateLine({ ...of, quantity: 11 }), [
    [little, 1],
    [near, 5],
    [far, 5],
  ])
})

test('lines that need particular stock are served first, then by priority, dispatch date and number', async () => {
  const of = await fresh({ batchSubstitution: 2 })
  await stored(10, { ...of, batch: 'B7' })
  const line = { ...of, quantity: 3 }
  const ids = await world.readyAll([
    { lines: [line] },
    { lines: [line], facts: { expectedDispatchDateTime: '2026-12-01T08:00:00' } },
    { lines: [line], facts: { priority: 4 } },
    { lines: [{ ...line, batch: 'B7' }] },
  ])
  const { status, body } = await admin.post('/v1/inventory/allocate', { consignmentIds: ids })
  assert.equal(status, 200, JSON.stringify(body))
  const short = body.consignments.map((one: { lines: { short: number }[] }) => one.lines[0]?.short)
  assert.deepEqual(short, [2, 0, 0, 0])
  for (const id of ids) assert.deepEqual(await events(id), [108])
})

test('lines for one product with different requirements do not leave each other short', async () => {
  const of = await fresh({ rotationMethod: 2 })
  for (let days = 30; days < 50; days++) await stored(1, { ...of, expiryDate: day(days) })
  const id = await ready([
    { ...of, quantity: 10 },
    { ...of, quantity: 5, batch: 'NEVER SEEN' },
  ])
  assert.deepEqual(figures(await allocated(id)), [
    [10, 0],
    [5, 0],
  ])
})

test('allocating many consignments reports every fault, and then allocates nothing', async () => {
  const of = await fresh()
  const stock = await stored(10, of)
  const good = await ready([{ ...of, quantity: 1 }])
  const pending = await ready([{ ...of, quantity: 1 }], { status: 1 })
  const { status, body } = await admin.post('/v1/inventory/allocate', {
    consignmentIds: [good, pending, newId(), good],
  })
  assert.equal(status, 400)
  assert.equal(body.ErrorMessages.length, 3)
  assert.match(body.ErrorMessages[0], /^consignmentIds\[1\]: Consignment \S+ is Pending; stock is allocated/)
  assert.deepEqual(body.ErrorMessages.slice(1), [
    'consignmentIds[2] does not refer to a consignment.',
    'consignmentIds[3]: the consignment is listed twice.',
  ])
  assert.equal((await row(stock)).allocatedQuantity, 0)
})

test('only ReadyToPick consignments are allocated, and a client cannot allocate its own', async () => {
  const of = await fresh()
  const pending = await ready([{ ...of, quantity: 1 }], { status: 1 })
  const refused = await allocate(pending)
  assert.equal(refused.status, 400)
  assert.match(refused.body.ErrorMessages[0], /is Pending; stock is allocated while it is Ready to pick/)
  assert.equal((await allocate(newId())).status, 404)
  assert.equal(
    (await world.stranger().then(other => other.post(`/v1/consignments/${pending}/allocate`))).status,
    404,
  )
  const client = world.as(admin, { partnerId: clientId })
  for (const command of ['allocate', 'release'])
    assert.equal((await client.post(`/v1/consignments/${pending}/${command}`)).status, 403)
  assert.equal((await client.get(`/v1/consignments/${pending}/allocation-preview`)).status, 403)
})

test('a line can be allocated part of its shortage, but not more', async () => {
  const of = await fresh()
  await stored(10, of)
  const id = await ready([
    { ...of, quantity: 5 },
    { ...of, quantity: 5 },
  ])
  const [{ consignmentProductId } = { consignmentProductId: '' }] = await allocated(id, {
    lines: [{ consignmentProductId: (await linesOf(id))[0], quantity: 2.5 }],
  })
  const more = await allocate(id, {
    lines: [
      { consignmentProductId, quantity: 3 },
      { consignmentProductId: newId() },
      { consignmentProductId },
    ],
  })
  assert.deepEqual(more.body.ErrorMessages, [
    'lines[0]: 3 exceeds the shortage of 2.5; isOverride allows more.',
    'lines[1]: consignmentProductId does not refer to a line of the consignment.',
    'lines[2]: the line is listed twice.',
  ])
  assert.deepEqual(figures((await allocate(id)).body.lines), [
    [5, 0],
    [5, 0],
  ])
})

/** The ids of the lines of a consignment. */
const linesOf = async (id: string) =>
  (
    await database.db.rows<{ id: string }>(
      sql`select id from consignment_product where consignment_id = ${id} order by ordinal`,
    )
  ).map(({ id }) => id)

test('a request can select stock, within the rules or overriding them', async () => {
  const of = await fresh({ batchSubstitution: 2 })
  const asked = await stored(5, { ...of, batch: 'B7' })
  const other = await stored(5, { ...of, batch: 'B8' })
  const held = await stored(5, { ...of, batch: 'B7', inventoryHoldId: await hold() })
  const pear = await stored(5, { productId: products.PEAR })
  const id = await ready([{ ...of, batch: 'B7', quantity: 4 }])
  const [consignmentProductId] = await linesOf(id)
  const choose = (stock: object[], isOverride = false) =>
    allocate(id, { lines: [{ consignmentProductId, stock, isOverride }] })
  const refused = await choose([
    { warehouseProductId: other, quantity: 1 },
    { warehouseProductId: held },
    { warehouseProductId: pear },
    { warehouseProductId: newId() },
    { warehouseProductId: asked, quantity: 6 },
  ])
  const [code] = [of.productCode]
  assert.deepEqual(refused.body.ErrorMessages, [
    `lines[0].stock[0]: ${code} in A-01 is not of the batch B7.`,
    `lines[0].stock[1]: ${code} in A-01 is on hold.`,
    `lines[0].stock[2]: PEAR in A-01 may not be sent for ${code}.`,
    'lines[0].stock[3]: there is no such stock in the warehouse.',
    'lines[0].stock[4]: 6 exceeds the 4 requested.',
  ])
  assert.equal((await choose([{ warehouseProductId: asked, quantity: 1 }])).status, 200)
  const override = await choose([{ warehouseProductId: other, quantity: 5 }], true)
  assert.equal(override.status, 200, JSON.stringify(override.body))
  assert.deepEqual(await allocationsOf(id), [
    { stock: asked, quantity: 1 },
    { stock: other, quantity: 5 },
  ])
  assert.equal((await choose([{ warehouseProductId: held, quantity: 1 }], true)).status, 400)
  assert.deepEqual(await events(id), [108, 108])
})

test('stock can be selected and released by its description', async () => {
  const of = await fresh({ batchSubstitution: 1 })
  const b7 = await stored(5, { ...of, batch: 'B7' })
  await stored(5, { ...of, batch: 'B8', expiryDate: '2031-05-01' })
  const id = await ready([{ ...of, quantity: 4 }])
  const [consignmentProductId] = await linesOf(id)
  const what = { partnerProductId: of.productId, locationName: 'a-01' }
  const choose = (...stock: object[]) => allocate(id, { lines: [{ consignmentProductId, stock }] })
  const messages = (await choose({ stock: what }, { stock: { ...what, batch: 'B9' } })).body.ErrorMessages
  assert.match(messages[0], /^lines\[0\]\.stock\[0\]: stock may be any of 2 rows, so say which: .*batch B7/)
  assert.equal(messages[1], 'lines[0].stock[1]: nothing on hand is like the stock that is described.')
  const batch = { stock: { ...what, batch: 'B7' }, quantity: 3 }
  assert.deepEqual((await choose({ ...batch, warehouseProductId: b7 })).body.ErrorMessages, [
    'lines[0].stock[0] must name its stock, either by warehouseProductId or by stock.',
  ])
  assert.deepEqual(figures((await choose(batch)).body.lines), [[3, 1]])
  assert.deepEqual(await allocationsOf(id), [{ stock: b7, quantity: 3 }])
  const release = (line: object) =>
    admin.post(`/v1/consignments/${id}/release`, { lines: [{ consignmentProductId, ...line }] })
  assert.deepEqual((await release({ stock: { ...what, expiryDate: '2031-05-01' } })).body.ErrorMessages, [
    'lines[0]: nothing is allocated there that is not picked.',
  ])
  assert.deepEqual((await release({ ...batch, warehouseProductId: b7 })).body.ErrorMessages, [
    'lines[0] must name its stock in one way, by warehouseProductId or by stock.',
  ])
  assert.deepEqual(figures((await release({ ...batch, quantity: 2 })).body.lines), [[1, 3]])
})

test('quantities can be in a unit of measure of the product, from allocation to staging', async () => {
  const carton = await made('/v1/unit-types', { name: 'Carton of six', shortCode: 'C6' })
  const step = { inputMetricType: 3, inputUnitTypeId: carton, outputMetricType: 1, conversionRate: 6 }
  const of = await fresh({ unitConversions: [step] })
  const stock = await stored(30, of)
  const id = await ready([{ ...of, quantity: 24 }])
  const [consignmentProductId] = await linesOf(id)
  const line = { consignmentProductId, unitTypeId: carton }
  const post = async (path: string, body: object) => {
    const answer = await admin.post(`/v1/consignments/${id}/${path}`, body)
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
    const {
      allocated: open,
      picked,
      short,
    } = (answer.body.lines ?? answer.body.consignmentProducts)?.[0] ?? {}
    return [open, picked, short]
  }
  assert.deepEqual(await post('allocate', { lines: [{ ...line, quantity: 1 }] }), [6, 0, 18])
  const part = { warehouseProductId: stock, unitTypeId: carton, quantity: 2 }
  assert.deepEqual(await post('allocate', { lines: [{ ...line, stock: [part] }] }), [18, 0, 6])
  assert.deepEqual(await post('release', { lines: [{ ...line, quantity: 1 }] }), [12, 0, 12])
  assert.deepEqual(await post('pick', { picks: [{ ...line, warehouseProductId: stock }] }), [0, 12, 12])
  await post('stage', { toLocationName: 'DOCK', lines: [{ ...line, quantity: 1 }] })
  assert.deepEqual(await post('unpick', { unpicks: [{ ...line, quantity: 1 }] }), [6, 6, 12])
  const refused = await admin.post(`/v1/consignments/${id}/release`, {
    lines: [{ ...line, quantity: 1, unitTypeId: id }],
  })
  assert.deepEqual(refused.body.ErrorMessages, [
    `lines[0]: the unit ${id} is none of the product ${of.productCode}.`,
  ])
})

test('selected stock replaces what the line has', async () => {
  const of = await fresh({ rotationMethod: 2 })
  const soon = await stored(8, { ...of, expiryDate: day(30) })
  const late = await stored(8, { ...of, expiryDate: day(60) })
  const id = await ready([{ ...of, quantity: 5 }])
  const [line] = await allocated(id)
  const select = (quantity: number, more: object = {}) => ({
    lines: [
      {
        consignmentProductId: line?.consignmentProductId,
        stock: [{ warehouseProductId: late, quantity }],
        ...more,
      },
    ],
  })
  assert.match((await allocate(id, select(3))).body.ErrorMessages[0], /3 exceeds the 0 requested/)
  assert.deepEqual(figures(await allocated(id, select(3, { isReplacement: true }))), [[5, 0]])
  assert.deepEqual(await allocationsOf(id), [
    { stock: soon, quantity: 2 },
    { stock: late, quantity: 3 },
  ])
  const { body: told } = await admin
    .with({ 'waybill-rehearse': 'true' })
    .post(`/v1/consignments/${id}/allocate`, select(1, { isReplacement: true }))
  assert.deepEqual(
    told.effects.map(({ text }: { text: string }) => text),
    ['release 1 item on 1 line', 'reserve 1 item on 1 line'],
  )
  // More than the line needs takes an override as before, and then nothing is changed.
  const tooMuch = await allocate(id, select(7, { isReplacement: true }))
  assert.equal(tooMuch.status, 400)
  assert.equal((await row(soon)).availableQuantity, 6)
})

test('another product can be selected only if the client permits product substitution', async () => {
  const of = await fresh()
  const pear = await stored(5, { productId: products.PEAR, batch: 'FOR APPLES' })
  const id = await ready([{ ...of, quantity: 2 }])
  const [consignmentProductId] = await linesOf(id)
  const body = { lines: [{ consignmentProductId, stock: [{ warehouseProductId: pear }], isOverride: true }] }
  assert.equal((await allocate(id, body)).status, 400)
  await admin.put(`/v1/partners/${clientId}`, { productSubstitution: 1 })
  assert.deepEqual(figures((await allocate(id, body)).body.lines), [[2, 0]])
  await admin.put(`/v1/partners/${clientId}`, { productSubstitution: 2 })
})

test('serials can be selected, if there is one for each item and each is free', async () => {
  const of = await fresh({ serialTrackingMode: 2 })
  const stock = await stored(3, of, { newSerials: [{ serial: 'A' }, { serial: 'B' }, { serial: 'C' }] })
  const id = await ready([{ ...of, quantity: 3 }])
  const [consignmentProductId] = await linesOf(id)
  const choose = (serials: string[], quantity?: number) =>
    allocate(id, {
      lines: [{ consignmentProductId, stock: [{ warehouseProductId: stock, serials, quantity }] }],
    })
  assert.equal((await choose(['B'])).status, 200)
  assert.deepEqual(await allocationsOf(id), [{ stock, quantity: 1, serial: 'B' }])
  const place = `${of.productCode} in A-01`
  assert.deepEqual((await choose(['B', 'X'])).body.ErrorMessages, [
    `lines[0].stock[0]: B, X cannot be had of ${place}.`,
  ])
  assert.deepEqual((await choose(['A'], 2)).body.ErrorMessages, [
    'lines[0].stock[0]: 1 serial is named for 2.',
  ])
})

test('released stock is free again', async () => {
  const of = await fresh()
  const stock = await stored(8, of)
  const id = await ready([
    { ...of, quantity: 5 },
    { ...of, quantity: 2 },
  ])
  const [first] = await allocated(id)
  const release = (body?: object) => admin.post(`/v1/consignments/${id}/release`, body)
  const { consignmentProductId } = first as { consignmentProductId: string }
  const part = await release({ lines: [{ consignmentProductId, quantity: 1.5 }] })
  assert.deepEqual(figures(part.body.lines), [
    [3.5, 1.5],
    [2, 0],
  ])
  assert.deepEqual((await release({ lines: [{ consignmentProductId, quantity: 4 }] })).body.ErrorMessages, [
    'lines[0]: only 3.5 of 4 are allocated there and not picked.',
  ])
  const all = await release()
  assert.deepEqual(figures(all.body.lines), [
    [0, 5],
    [0, 2],
  ])
  assert.equal((await row(stock)).availableQuantity, 8)
  assert.deepEqual(await events(id), [108, 108, 108])
  assert.equal((await release()).body.movementId, null)
  assert.deepEqual((await release({ lines: [{ consignmentProductId }] })).body.ErrorMessages, [
    'lines[0]: nothing is allocated there that is not picked.',
  ])
})

test('the latest allocation is released first, and an entry cannot release what an earlier entry released', async () => {
  const of = await fresh()
  const first = await stored(3, of)
  const id = await ready([{ ...of, quantity: 6 }])
  await allocated(id)
  const second = await stored(3, { ...of, receivedDate: '2026-02-01' })
  assert.notEqual(first, second)
  const [line] = await allocated(id)
  const part = (quantity: number) => ({ consignmentProductId: line?.consignmentProductId, quantity })
  const release = (...quantities: number[]) =>
    admin.post(`/v1/consignments/${id}/release`, { lines: quantities.map(part) })
  assert.equal((await release(2)).status, 200)
  assert.deepEqual(await allocationsOf(id), [
    { stock: first, quantity: 3 },
    { stock: second, quantity: 1 },
  ])
  assert.deepEqual((await release(3, 2)).body.ErrorMessages, [
    'lines[1]: only 1 of 2 are allocated there and not picked.',
  ])
  assert.equal((await release(3, 1)).status, 200)
  assert.deepEqual(await allocationsOf(id), [])
})

test('a preview matches the later allocation, and gives the reasons', async () => {
  const of = await fresh({ rotationMethod: 2, batchSubstitution: 1 })
  const wished = await stored(2, { ...of, batch: 'B7', expiryDate: day(90) })
  const soon = await stored(2, { ...of, expiryDate: day(30) })
  const late = await stored(2, { ...of, expiryDate: day(60) })
  const held = await stored(2, { ...of, inventoryHoldId: await hold() })
  const expired = await stored(2, { ...of, expiryDate: day(-1) })
  const id = await ready([{ ...of, batch: 'B7', quantity: 3 }])
  const { status, body } = await admin.get(`/v1/consignments/${id}/allocation-preview`)
  assert.equal(status, 200, JSON.stringify(body))
  const [line] = body.lines
  assert.deepEqual([line.wanted, line.allocated, line.short], [3, 3, 0])
  assert.deepEqual(
    line.stock.map((one: Record<string, unknown>) => [
      one.warehouseProductId,
      one.quantity,
      one.rule,
      one.keptOut,
    ]),
    [
      [wished, 2, 'Preference', null],
      [soon, 1, 'Rotation', null],
      [late, 0, 'Rotation', null],
      [expired, 0, null, 'has expired'],
      [held, 0, null, 'is on hold'],
    ],
  )
  assert.deepEqual(await allocationsOf(id), [])
  await allocated(id)
  assert.deepEqual(await allocationsOf(id), [
    { stock: wished, quantity: 2 },
    { stock: soon, quantity: 1 },
  ])
  assert.equal((await admin.get(`/v1/consignments/${newId()}/allocation-preview`)).status, 404)
})

test('an allocation records when it happened and who requested it', async () => {
  const of = await fresh()
  const [received, occurred] = [daysAgo(30), daysAgo(20)]
  const stock = await stored(8, of, { occurredUtc: received })
  const id = await ready([{ ...of, quantity: 5 }])
  const operationId = newId()
  const { body } = await allocate(id, { operationId, occurredUtc: occurred })
  assert.equal(body.effectiveUtc, occurred)
  const line = await database.db.row<Record<string, unknown>>(sql`
    select movement_id, type, quantity, allocated_quantity, consignment_id, operation_id,
      identity_connection_id, user_id from inventory_transaction
    where organisation_id = ${organisationId} and warehouse_product_id = ${stock} and version = 2`)
  assert.deepEqual(line, {
    ...{ movementId: body.movementId, type: 0, quantity: 0, allocatedQuantity: 5, consignmentId: id },
    ...{ operationId, identityConnectionId: admin.actor.connectionId, userId: admin.actor.userId },
  })
})
