import assert from 'node:assert/strict'
import { test } from 'node:test'
import { v7 as uuidv7 } from 'uuid'
import { type Caller, openWorld } from '../support/harness.ts'

const { admin, stranger, as } = await openWorld()

let warehouses = 0
const newWarehouse = async (by: Caller = admin) =>
  (await by.post('/v1/warehouses', { name: 'W', code: `W${warehouses++}`, timezoneId: 'UTC' })).body
    .warehouseId as string

test('a zone is created, read, changed and deactivated', async () => {
  const warehouseId = await newWarehouse()
  const zones = `/v1/warehouses/${warehouseId}/zones`
  const created = await admin.post(zones, { name: 'Chiller' })
  assert.equal(created.status, 201)
  const id = created.body.warehouseZoneId
  assert.equal(created.headers.location, `${zones}/${id}`)
  const row = { id, warehouseId, name: 'Chiller', code: null, status: 1 }
  assert.deepEqual((await admin.get(`${zones}/${id}`)).body, row)
  assert.deepEqual((await admin.get(zones)).body, { index: 1, total: 1, zones: [row] })
  const change = { name: 'Cold', code: 'CLD', status: 2 }
  assert.equal((await admin.put(`${zones}/${id}`, change)).status, 200)
  assert.equal((await admin.put(`${zones}/${id}`, { ...change, code: 'CLD' })).status, 304)
  assert.deepEqual((await admin.get(`${zones}/${id}`)).body, { ...row, ...change })
})

test('name and code are unique within the warehouse, ignoring case', async () => {
  const zones = `/v1/warehouses/${await newWarehouse()}/zones`
  await admin.post(zones, { name: 'Bulk', code: 'BLK' })
  const byName = await admin.post(zones, { name: 'BULK', code: 'X' })
  assert.equal(byName.status, 409)
  assert.deepEqual(byName.body.ErrorMessages, ['The warehouse already has a zone with the name BULK.'])
  const { warehouseZoneId } = (await admin.post(zones, { name: 'Other' })).body
  const byCode = await admin.put(`${zones}/${warehouseZoneId}`, { code: 'blk' })
  assert.equal(byCode.status, 409)
  assert.deepEqual(byCode.body.ErrorMessages, ['The warehouse already has a zone with the code blk.'])
  assert.equal(
    (await admin.post(`/v1/warehouses/${await newWarehouse()}/zones`, { name: 'Bulk', code: 'BLK' })).status,
    201,
  )
})

test('a name or code that an inactive zone has is refused, with a hint to reactivate that zone', async () => {
  const warehouseId = await newWarehouse()
  const zones = `/v1/warehouses/${warehouseId}/zones`
  const { warehouseZoneId: id } = (await admin.post(zones, { name: 'Bulk', code: 'BLK', status: 2 })).body
  const { warehouseZoneId: other } = (await admin.post(zones, { name: 'Other' })).body
  const holder = `It is inactive: PUT ${zones}/${id} with status 1 makes it active.`
  const byName = `The warehouse already has a zone with the name bulk. ${holder}`
  const byCode = `The warehouse already has a zone with the code blk. ${holder}`
  for (const { status, body, details } of [
    await admin.post(zones, { name: 'bulk' }),
    await admin.put(`${zones}/${other}`, { name: 'bulk' }),
  ])
    assert.deepEqual([status, body.ErrorMessages, details?.[0]?.code], [409, [byName], 'duplicate'])
  for (const { status, body } of [
    await admin.post(zones, { name: 'New', code: 'blk' }),
    await admin.put(`${zones}/${other}`, { code: 'blk' }),
  ])
    assert.deepEqual([status, body.ErrorMessages], [409, [byCode]])
  assert.equal((await admin.put(`${zones}/${id}`, { name: 'BULK', status: 1 })).status, 200)
  const elsewhere = `/v1/warehouses/${await newWarehouse()}/zones`
  assert.equal((await admin.post(elsewhere, { name: 'bulk', code: 'blk' })).status, 201)
})

test('the list searches name and code, filters by status and pages by name', async () => {
  const zones = `/v1/warehouses/${await newWarehouse()}/zones`
  for (const body of [{ name: 'A', code: 'ONE' }, { name: 'B', status: 2 }, { name: 'C 5%' }])
    await admin.post(zones, body)
  const found = async (query: string) =>
    (await admin.get(`${zones}?${query}`)).body.zones.map((row: { name: string }) => row.name)
  assert.deepEqual(await found(''), ['A', 'B', 'C 5%'])
  assert.deepEqual(await found('SearchText=one'), ['A'])
  assert.deepEqual(await found('SearchText=5%25'), ['C 5%'])
  assert.deepEqual(await found('Status=2'), ['B'])
  assert.deepEqual(await found('PageSize=2&PageIndex=2'), ['C 5%'])
})

test('all faults are reported at once', async () => {
  const refused = await admin.post(`/v1/warehouses/${await newWarehouse()}/zones`, { code: ' ', status: 3 })
  assert.equal(refused.status, 400)
  assert.deepEqual(refused.body.ErrorMessages.toSorted(), [
    'code must not be blank.',
    'name is required.',
    'status must be one of 1 (Active), 2 (Inactive).',
  ])
})

test('a zone is only found in its own warehouse and organisation', async () => {
  const zones = `/v1/warehouses/${await newWarehouse()}/zones`
  const { warehouseZoneId } = (await admin.post(zones, { name: 'Z' })).body
  const theirs = await newWarehouse(await stranger())
  for (const warehouseId of [await newWarehouse(), theirs, uuidv7()]) {
    const path = `/v1/warehouses/${warehouseId}/zones/${warehouseZoneId}`
    assert.equal((await admin.get(path)).status, 404)
    assert.equal((await admin.put(path, { name: 'Y' })).status, 404)
  }
  for (const warehouseId of [theirs, uuidv7()]) {
    assert.equal((await admin.get(`/v1/warehouses/${warehouseId}/zones`)).status, 404)
    assert.equal((await admin.post(`/v1/warehouses/${warehouseId}/zones`, { name: 'Y' })).status, 404)
  }
  assert.equal((await admin.get(`${zones}/${uuidv7()}`)).status, 404)
})

test('reading needs warehouse.read, writing needs warehouse, and a partner token cannot write', async () => {
  const zones = `/v1/warehouses/${await newWarehouse()}/zones`
  const { warehouseZoneId } = (await admin.post(zones, { name: 'Z' })).body
  for (const by of [as(admin, { scopes: ['warehouse.read'] }), as(admin, { partnerId: uuidv7() })]) {
    assert.equal((await by.get(zones)).status, 200)
    assert.equal((await by.get(`${zones}/${warehouseZoneId}`)).status, 200)
    assert.equal((await by.post(zones, { name: 'No' })).status, 403)
    assert.equal((await by.put(`${zones}/${warehouseZoneId}`, { name: 'No' })).status, 403)
  }
  assert.equal((await as(admin, { scopes: ['partner'] }).get(zones)).status, 403)
})
