import assert from 'node:assert/strict'
import { test } from 'node:test'
import { v7 as uuidv7 } from 'uuid'
import { type Caller, openWorld } from '../support/harness.ts'

const { admin, stranger, as } = await openWorld()

let codes = 0
const newWarehouse = async (by: Caller = admin) =>
  (await by.post('/v1/warehouses', { name: 'W', code: `W${codes++}`, timezoneId: 'UTC' })).body
    .warehouseId as string
const newZone = async (warehouseId: string, name: string, by: Caller = admin) =>
  (await by.post(`/v1/warehouses/${warehouseId}/zones`, { name })).body.warehouseZoneId as string
/** A client with one product. */
const newProduct = async (by: Caller = admin) => {
  const { partnerId } = (
    await by.post('/v1/partners', { name: 'Client', code: `CL${codes++}`, relationship: 1 })
  ).body
  const { partnerProductId } = (
    await by.post(`/v1/partners/${partnerId}/products`, { code: 'P', name: 'Pears' })
  ).body
  return { partnerId, partnerProductId } as { partnerId: string; partnerProductId: string }
}

/** The floor plan fields of a location. */
const floorPlanFields = [
  ...['aisle', 'bay', 'level', 'x', 'y', 'width', 'depth'],
  ...['maxWeightKG', 'maxVolumeM3', 'maxUnits'],
]

const warehouseId = await newWarehouse()
const zoneId = await newZone(warehouseId, 'Aisles')
const { partnerId, partnerProductId } = await newProduct()
const locations = `/v1/warehouses/${warehouseId}/locations`
const create = async (body: object) =>
  (await admin.post(locations, { type: 1, ...body })).body.warehouseLocationId as string

test('a location needs only a name and a type; the other fields have defaults', async () => {
  const created = await admin.post(locations, { name: 'A-01', type: 2 })
  assert.equal(created.status, 201)
  const id = created.body.warehouseLocationId
  assert.equal(created.headers.location, `${locations}/${id}`)
  const row = {
    id,
    warehouseId,
    name: 'A-01',
    type: 2,
    status: 1,
    warehouseZoneId: null,
    warehouseZoneName: null,
    walkingOrder: null,
    isPickface: false,
    partnerProductId: null,
    partnerProductCode: null,
    partnerProductName: null,
    minQuantity: null,
    targetQuantity: null,
    ...Object.fromEntries(floorPlanFields.map(field => [field, null])),
  }
  assert.deepEqual((await admin.get(`${locations}/${id}`)).body, row)
  assert.deepEqual((await admin.get(`${locations}?SearchText=a-01`)).body, {
    index: 1,
    total: 1,
    locations: [row],
  })
})

test('every field of a location is stored and read back', async () => {
  const body = {
    walkingOrder: -3,
    isPickface: true,
    partnerProductId,
    minQuantity: 2.5,
    targetQuantity: 40.1234,
    status: 2,
    aisle: 'A',
    bay: '01',
    level: '2',
    x: 1.5,
    y: 2.5,
    width: 1.2,
    depth: 0.8,
    maxWeightKG: 800,
    maxVolumeM3: 1.44,
    maxUnits: 2,
  }
  const id = await create({ name: 'Face', warehouseZoneId: zoneId, ...body })
  assert.deepEqual((await admin.get(`${locations}/${id}`)).body, {
    id,
    warehouseId,
    name: 'Face',
    type: 1,
    warehouseZoneId: zoneId,
    warehouseZoneName: 'Aisles',
    partnerProductCode: 'P',
    partnerProductName: 'Pears',
    ...body,
  })
})

test('a change responds 200, the same change again 304, and absent fields are kept', async () => {
  const id = await create({ name: 'Change' })
  for (const change of [
    { name: 'Changed', type: 3, status: 2 },
    { warehouseZoneId: zoneId, walkingOrder: 7 },
    { isPickface: true, partnerProductId, minQuantity: 1, targetQuantity: 1 },
  ]) {
    assert.equal((await admin.put(`${locations}/${id}`, change)).status, 200)
    assert.equal((await admin.put(`${locations}/${id}`, change)).status, 304)
  }
  const before = (await admin.get(`${locations}/${id}`)).body
  assert.equal((await admin.put(`${locations}/${id}`, {})).status, 304)
  assert.deepEqual((await admin.get(`${locations}/${id}`)).body, before)
})

test('a target below the minimum is refused', async () => {
  const refused = await admin.post(locations, { name: 'Low', minQuantity: 5, targetQuantity: 4 })
  assert.equal(refused.status, 400)
  assert.deepEqual(refused.body.ErrorMessages.toSorted(), [
    'targetQuantity must not be less than minQuantity.',
    'type is required.',
  ])
  const id = await create({ name: 'Low', minQuantity: 5, targetQuantity: 10 })
  for (const change of [{ targetQuantity: 4 }, { minQuantity: 11 }, { minQuantity: 3, targetQuantity: 2 }]) {
    const { status, body } = await admin.put(`${locations}/${id}`, change)
    assert.equal(status, 400)
    assert.deepEqual(body.ErrorMessages, ['targetQuantity must not be less than minQuantity.'])
  }
  assert.equal((await admin.put(`${locations}/${id}`, { minQuantity: 20, targetQuantity: 20 })).status, 200)
})

test('all faults are reported at once, by field', async () => {
  const { status, body } = await admin.post(locations, {
    name: '',
    type: 5,
    warehouseZoneId: 'zone',
    walkingOrder: 1.5,
    isPickface: 1,
    minQuantity: -1,
    targetQuantity: 0.12345,
  })
  assert.equal(status, 400)
  assert.deepEqual(body.ErrorMessages.toSorted(), [
    'isPickface must be true or false.',
    'minQuantity must be 0 or more.',
    'name must not be empty.',
    'targetQuantity must have at most 4 decimal places.',
    'type must be one of 1 (Racking), 2 (Bulk), 3 (Quarantine), 4 (Transitional).',
    'walkingOrder must be a whole number.',
    'warehouseZoneId must be a uuid.',
  ])
})

test('a zone of another warehouse and a product of another organisation are reported together', async () => {
  const elsewhere = await newZone(await newWarehouse(), 'Elsewhere')
  const theirs = await newProduct(await stranger())
  const body = { warehouseZoneId: elsewhere, partnerProductId: theirs.partnerProductId }
  const expected = {
    ErrorType: 'Verification Failed',
    ErrorMessages: [
      'warehouseZoneId does not refer to a zone of this warehouse.',
      'partnerProductId does not refer to a product.',
    ],
  }
  const refused = await admin.post(locations, { name: 'Refs', type: 1, ...body })
  assert.equal(refused.status, 400)
  assert.deepEqual(refused.body, expected)
  assert.deepEqual((await admin.put(`${locations}/${await create({ name: 'Refs' })}`, body)).body, expected)
})

test('a name is unique within the warehouse, ignoring case', async () => {
  await create({ name: 'Once' })
  const again = await admin.post(locations, { name: 'ONCE', type: 1 })
  assert.equal(again.status, 409)
  assert.deepEqual(again.body.ErrorMessages, ['The warehouse already has a location with the name ONCE.'])
  assert.equal(
    (await admin.put(`${locations}/${await create({ name: 'Twice' })}`, { name: 'once' })).status,
    409,
  )
  assert.equal(
    (await admin.post(`/v1/warehouses/${await newWarehouse()}/locations`, { name: 'Once', type: 1 })).status,
    201,
  )
})

test('the list searches names and filters by status, type, zone and pickface', async () => {
  const own = await newWarehouse()
  const zone = await newZone(own, 'Z')
  const list = `/v1/warehouses/${own}/locations`
  for (const body of [
    { name: 'b-1', type: 1, warehouseZoneId: zone },
    { name: 'A-1', type: 2, isPickface: true },
    { name: 'C_1', type: 1, status: 2 },
  ]) {
    await admin.post(list, body)
  }
  const found = async (query: string) =>
    (await admin.get(`${list}?${query}`)).body.locations.map((row: { name: string }) => row.name)
  assert.deepEqual(await found(''), ['A-1', 'b-1', 'C_1'])
  assert.deepEqual(await found('SearchText=B-'), ['b-1'])
  assert.deepEqual(await found('SearchText=_'), ['C_1'])
  assert.deepEqual(await found('Type=1'), ['b-1', 'C_1'])
  assert.deepEqual(await found('Type=1&Status=1'), ['b-1'])
  assert.deepEqual(await found(`warehousezoneid=${zone}`), ['b-1'])
  assert.deepEqual(await found('IsPickface=true'), ['A-1'])
  assert.deepEqual(await found('IsPickface=False'), ['b-1', 'C_1'])
  assert.deepEqual(await found('PageSize=2&PageIndex=2'), ['C_1'])
  const faulty = await admin.get(`${list}?Type=9&Status=0&WarehouseZoneId=x&IsPickface=maybe`)
  assert.equal(faulty.body.ErrorMessages.length, 4)
})

test('a location is only found in its own warehouse and organisation', async () => {
  const id = await create({ name: 'Found' })
  const theirs = await newWarehouse(await stranger())
  for (const warehouse of [await newWarehouse(), theirs, uuidv7()]) {
    const path = `/v1/warehouses/${warehouse}/locations/${id}`
    assert.equal((await admin.get(path)).status, 404)
    assert.equal((await admin.put(path, { name: 'Y' })).status, 404)
  }
  for (const warehouse of [theirs, uuidv7()]) {
    assert.equal((await admin.get(`/v1/warehouses/${warehouse}/locations`)).status, 404)
    assert.equal(
      (await admin.post(`/v1/warehouses/${warehouse}/locations`, { name: 'Y', type: 1 })).status,
      404,
    )
  }
  assert.equal((await admin.get(`${locations}/${uuidv7()}`)).status, 404)
})

test("a partner's token reads locations without other clients' products, and cannot write", async () => {
  const pickface = { isPickface: true, minQuantity: 1, targetQuantity: 2 }
  const mine = await create({ name: 'Mine', partnerProductId, ...pickface })
  const other = await create({
    name: 'Other',
    partnerProductId: (await newProduct()).partnerProductId,
    ...pickface,
  })
  const own = as(admin, { partnerId })
  const seen = async (id: string) => (await own.get(`${locations}/${id}`)).body
  assert.deepEqual(await seen(mine), (await admin.get(`${locations}/${mine}`)).body)
  const {
    partnerProductId: product,
    partnerProductCode,
    partnerProductName,
    minQuantity,
    targetQuantity,
  } = await seen(other)
  assert.deepEqual(
    [product, partnerProductCode, partnerProductName, minQuantity, targetQuantity],
    [null, null, null, null, null],
  )
  assert.equal((await own.get(locations)).body.total, (await admin.get(locations)).body.total)
  assert.equal((await own.post(locations, { name: 'No', type: 1 })).status, 403)
  assert.equal((await own.put(`${locations}/${mine}`, { name: 'No' })).status, 403)
})

test('reading needs warehouse.read and writing warehouse', async () => {
  const id = await create({ name: 'Scoped' })
  const reader = as(admin, { scopes: ['warehouse.read'] })
  assert.equal((await reader.get(locations)).status, 200)
  assert.equal((await reader.get(`${locations}/${id}`)).status, 200)
  assert.equal((await reader.post(locations, { name: 'No', type: 1 })).status, 403)
  assert.equal((await reader.put(`${locations}/${id}`, { name: 'No' })).status, 403)
  assert.equal((await as(admin, { scopes: ['partner'] }).get(locations)).status, 403)
})

test('a name that an inactive location has is refused, with a hint to reactivate that location', async () => {
  const id = await create({ name: 'Z-99', status: 2 })
  const other = await create({ name: 'Z-98' })
  const message =
    'The warehouse already has a location with the name z-99. ' +
    `It is inactive: PUT ${locations}/${id} with status 1 makes it active.`
  for (const { status, body } of [
    await admin.post(locations, { name: 'z-99', type: 1 }),
    await admin.put(`${locations}/${other}`, { name: 'z-99' }),
  ])
    assert.deepEqual([status, body.ErrorMessages], [409, [message]])
  assert.equal((await admin.put(`${locations}/${id}`, { name: 'z-99', status: 1 })).status, 200)
})

test('a pattern that stands for the same name twice is refused with that name', async () => {
  const body = { pattern: 'D{1..11}{1..11}', type: 1 }
  const { status, body: refusal } = await admin.post(`/v1/warehouses/${warehouseId}/locations/many`, body)
  assert.equal(status, 400)
  assert.deepEqual(refusal.ErrorMessages, ['pattern stands for D111 twice.'])
})
