import assert from 'node:assert/strict'
import { test } from 'node:test'
import { v7 as uuidv7 } from 'uuid'
import { sql } from '../../src/platform/database/db.ts'
import { openWorld } from '../support/harness.ts'

const { admin, stranger, as, database } = await openWorld()

const create = async (body: object, by = admin) =>
  (await by.post('/v1/warehouses', { timezoneId: 'Pacific/Auckland', ...body })).body.warehouseId as string
const account = async (path: string, code: string, by = admin) =>
  Object.values((await by.post(`/v1/${path}`, { code, name: `Name of ${code}` })).body)[0] as string

const noAddress = {
  type: 1,
  name: null,
  code: null,
  email: null,
  phone: null,
  streetAddress: null,
  suburb: null,
  city: null,
  state: null,
  postCode: null,
  country: null,
  latitude: null,
  longitude: null,
}

test('a warehouse needs only a name, a code and a time zone; the other fields have defaults', async () => {
  const created = await admin.post('/v1/warehouses', {
    name: 'North',
    code: 'NTH',
    timezoneId: 'Pacific/Auckland',
  })
  assert.equal(created.status, 201)
  const id = created.body.warehouseId
  assert.equal(created.headers.location, `/v1/warehouses/${id}`)
  const { body } = await admin.get(`/v1/warehouses/${id}`)
  assert.deepEqual(body, {
    id,
    name: 'North',
    code: 'NTH',
    status: 1,
    timezoneId: 'Pacific/Auckland',
    mainPhone: null,
    contactPerson: null,
    contactPhone: null,
    address: { id: body.address.id, ...noAddress },
    costCentre: null,
    revenueAccount: null,
    defaultReceiveLocationId: null,
    defaultDispatchLocationId: null,
  })
  const row = {
    id,
    name: 'North',
    code: 'NTH',
    status: 1,
    addressId: body.address.id,
    latitude: null,
    longitude: null,
    timezoneId: 'Pacific/Auckland',
  }
  assert.deepEqual((await admin.get('/v1/warehouses?SearchText=north')).body, {
    index: 1,
    total: 1,
    warehouses: [row],
  })
})

const address = {
  name: 'South shed',
  code: 'SS',
  email: 'south@example.com',
  phone: '+64 3 123 4567',
  streetAddress: '1 Wharf Road',
  suburb: 'Lyttelton',
  city: 'Christchurch',
  state: 'Canterbury',
  postCode: '8082',
  country: 'New Zealand',
  latitude: -43.6031,
  longitude: 172.7204,
}

test('every field of a warehouse is stored and read back', async () => {
  const contact = { mainPhone: '1', contactPerson: 'Ada', contactPhone: '2' }
  const [costCentreId, revenueAccountId] = [
    await account('cost-centres', 'CC1'),
    await account('revenue-accounts', 'RA1'),
  ]
  const body = {
    name: 'South',
    code: 'STH',
    status: 2,
    timezoneId: 'Australia/Perth',
    ...contact,
    address,
    costCentreId,
    revenueAccountId,
  }
  const id = await create(body)
  const read = (await admin.get(`/v1/warehouses/${id}`)).body
  assert.deepEqual(read, {
    id,
    name: 'South',
    code: 'STH',
    status: 2,
    timezoneId: 'Australia/Perth',
    ...contact,
    address: { id: read.address.id, type: 1, ...address },
    costCentre: { id: costCentreId, name: 'Name of CC1', code: 'CC1' },
    revenueAccount: { id: revenueAccountId, name: 'Name of RA1', code: 'RA1' },
    defaultReceiveLocationId: null,
    defaultDispatchLocationId: null,
  })
  const [row] = (await admin.get('/v1/warehouses?SearchText=south')).body.warehouses
  assert.deepEqual([row.addressId, row.latitude, row.longitude], [read.address.id, -43.6031, 172.7204])
})

test('a change responds 200, the same change again 304, and an address replaces the one before', async () => {
  const id = await create({ name: 'Changing', code: 'CHG', address: { city: 'Nelson', latitude: -41.5 } })
  const accounts = {
    costCentreId: await account('cost-centres', 'CC2'),
    revenueAccountId: await account('revenue-accounts', 'RA2'),
  }
  for (const change of [
    { name: 'Changed', mainPhone: '3', timezoneId: 'UTC' },
    { address: { suburb: 'Tahuna', latitude: -41.25 } },
    accounts,
    { status: 2 },
  ]) {
    assert.equal((await admin.put(`/v1/warehouses/${id}`, change)).status, 200)
    assert.equal((await admin.put(`/v1/warehouses/${id}`, change)).status, 304)
  }
  for (const change of [{}, { address: { suburb: 'Tahuna', latitude: -41.25, city: null } }]) {
    assert.equal((await admin.put(`/v1/warehouses/${id}`, change)).status, 304)
  }
  const { body } = await admin.get(`/v1/warehouses/${id}`)
  assert.deepEqual(body.address, {
    ...noAddress,
    id: body.address.id,
    suburb: 'Tahuna',
    latitude: -41.25,
  })
  assert.deepEqual([body.name, body.mainPhone, body.timezoneId, body.status], ['Changed', '3', 'UTC', 2])
  assert.equal(body.costCentre.id, accounts.costCentreId)
})

test('all faults of a warehouse are reported at once, by field', async () => {
  const { status, body } = await admin.post('/v1/warehouses', {
    code: '',
    timezoneId: 'NZST',
    status: 0,
    costCentreId: 'one',
    address: { latitude: 91, longitude: -181, postCode: 'x'.repeat(201), city: 5 },
  })
  assert.equal(status, 400)
  assert.deepEqual(body.ErrorMessages.toSorted(), [
    'address.city must be a string.',
    'address.latitude must be 90 or less.',
    'address.longitude must be -180 or more.',
    'address.postCode must have at most 200 characters.',
    'code must not be empty.',
    'costCentreId must be a uuid.',
    'name is required.',
    'status must be one of 1 (Active), 2 (Inactive).',
    'timezoneId must be an IANA time zone name, such as Pacific/Auckland.',
  ])
})

test('accounts that the organisation does not have are reported together, by field', async () => {
  const other = await stranger()
  const body = { costCentreId: await account('cost-centres', 'CC', other), revenueAccountId: uuidv7() }
  const expected = {
    ErrorType: 'Verification Failed',
    ErrorMessages: [
      'costCentreId does not refer to a cost centre.',
      'revenueAccountId does not refer to a revenue account.',
    ],
  }
  const refused = await admin.post('/v1/warehouses', { name: 'A', code: 'ACC', timezoneId: 'UTC', ...body })
  assert.equal(refused.status, 400)
  assert.deepEqual(refused.body, expected)
  assert.deepEqual(
    (await admin.put(`/v1/warehouses/${await create({ name: 'A', code: 'ACC' })}`, body)).body,
    expected,
  )
})

test('a code is unique in the organisation, ignoring case', async () => {
  await create({ name: 'First', code: 'Dup' })
  const again = await admin.post('/v1/warehouses', { name: 'Second', code: 'DUP', timezoneId: 'UTC' })
  assert.equal(again.status, 409)
  assert.deepEqual(again.body.ErrorMessages, ['A warehouse with the code DUP already exists.'])
  const other = await create({ name: 'Third', code: 'TRD' })
  assert.equal((await admin.put(`/v1/warehouses/${other}`, { code: 'dup' })).status, 409)
  assert.ok(await create({ name: 'Theirs', code: 'DUP' }, await stranger()))
})

test('the list searches names, filters by status and pages by name', async () => {
  const own = await stranger()
  for (const [name, code, status] of [
    ['Alpha', 'ZED', 1],
    ['Beta 5%', 'B', 2],
    ['Gamma', 'C', 1],
  ]) {
    await create({ name, code, status }, own)
  }
  const found = async (query: string) =>
    (await own.get(`/v1/warehouses?${query}`)).body.warehouses.map((row: { name: string }) => row.name)
  assert.deepEqual(await found(''), ['Alpha', 'Beta 5%', 'Gamma'])
  assert.deepEqual(await found('SearchText=ALPH'), ['Alpha'])
  assert.deepEqual(await found('SearchText=zed'), [], 'names only')
  assert.deepEqual(await found('SearchText=5%25'), ['Beta 5%'])
  assert.deepEqual(await found('status=1'), ['Alpha', 'Gamma'])
  assert.deepEqual(await found('Status=1&PageSize=1&PageIndex=2'), ['Gamma'])
  assert.equal((await own.get('/v1/warehouses?Status=1&PageSize=1')).body.total, 2)
  assert.equal((await own.get('/v1/warehouses?Status=3&PageIndex=0')).body.ErrorMessages.length, 2)
})

test('a warehouse of another organisation is not found', async () => {
  const theirs = await create({ name: 'Theirs', code: 'T' }, await stranger())
  for (const id of [theirs, uuidv7()]) {
    assert.equal((await admin.get(`/v1/warehouses/${id}`)).status, 404)
    assert.equal((await admin.put(`/v1/warehouses/${id}`, { name: 'Mine' })).status, 404)
  }
})

test('reading needs warehouse.read, writing needs warehouse, and a partner token cannot write', async () => {
  const id = await create({ name: 'Scoped', code: 'SCP' })
  const body = { name: 'No', code: 'NO', timezoneId: 'UTC' }
  const reader = as(admin, { scopes: ['warehouse.read'] })
  const ofPartner = as(admin, { partnerId: uuidv7() })
  for (const by of [reader, ofPartner]) {
    assert.equal((await by.get('/v1/warehouses')).status, 200)
    assert.equal((await by.get(`/v1/warehouses/${id}`)).status, 200)
    assert.equal((await by.post('/v1/warehouses', body)).status, 403)
    assert.equal((await by.put(`/v1/warehouses/${id}`, { name: 'No' })).status, 403)
  }
  assert.equal((await as(admin, { scopes: ['inventory'] }).get('/v1/warehouses')).status, 403)
})

test('imports that wait for a warehouse are retried when it is created or becomes active', async () => {
  const { organisationId, connectionId, userId } = admin.actor
  const id = uuidv7()
  await database.atomically(async tx => {
    await tx.run(sql`insert into consignment_import (organisation_id, id, identity_connection_id, user_id,
      status, request, due_utc)
      values (${organisationId}, ${id}, ${connectionId}, ${userId}, 2, '{}', null)`)
    await tx.run(sql`insert into consignment_import_reason (organisation_id, consignment_import_id, ordinal,
      kind, code, message)
      values (${organisationId}, ${id}, 0, 'warehouse', 'Wait', '')`)
  })
  const woken = () =>
    database.atomically(tx =>
      tx.run(sql`update consignment_import set due_utc = null where id = ${id} and due_utc is not null`),
    )
  const warehouse = await create({ name: 'Waited for', code: 'WAIT', status: 2 })
  assert.equal(await woken(), 0)
  await admin.put(`/v1/warehouses/${warehouse}`, { status: 1 })
  assert.equal(await woken(), 1)
  await admin.put(`/v1/warehouses/${warehouse}`, { code: 'GONE' })
  assert.equal(await woken(), 0)
  await create({ name: 'Another', code: 'wait' })
  assert.equal(await woken(), 1)
})

test('a new address replaces the whole, and null removes it', async () => {
  const id = await create({
    name: 'Moving',
    code: 'MOV',
    address: { streetAddress: '1 Old Road', suburb: 'Old' },
  })
  const change = (address: object | null) => admin.put(`/v1/warehouses/${id}`, { address })
  assert.equal((await change({ streetAddress: '2 New Road' })).status, 200)
  const { address } = (await admin.get(`/v1/warehouses/${id}`)).body
  assert.deepEqual([address.streetAddress, address.suburb], ['2 New Road', null])
  assert.equal((await change(null)).status, 200)
  assert.equal((await admin.get(`/v1/warehouses/${id}`)).body.address.streetAddress, null)
})

test('the time zone of a warehouse changes only until anything happened there', async () => {
  const id = await create({ name: 'Zoned', code: 'ZON', timezoneId: 'Pacific/Auckland' })
  const change = (body: object) => admin.put(`/v1/warehouses/${id}`, body)
  assert.equal((await change({ timezoneId: 'Australia/Sydney' })).status, 200)
  const client = { name: 'Zonal', code: 'ZNL', relationship: 1 }
  const { partnerId: clientId } = (await admin.post('/v1/partners', client)).body
  assert.equal((await admin.post('/v1/jobs/wave-pick', { warehouseId: id, clientId })).status, 200)
  const refused = await change({ timezoneId: 'America/New_York', name: 'Renamed' })
  assert.equal(refused.status, 400)
  assert.match(refused.body.ErrorMessages[0], /^timezoneId cannot change, because the warehouse has/)
  assert.equal((await change({ timezoneId: 'Australia/Sydney', name: 'Renamed' })).status, 200)
})

test('an empty text of a new record counts as absent, as it empties the field of an old one', async () => {
  const partner = { name: 'Empty', code: 'EMP', relationship: 1, externalId: '' }
  const { partnerId } = (await admin.post('/v1/partners', partner)).body
  assert.equal((await admin.get(`/v1/partners/${partnerId}`)).body.externalId, null)
  const body = { carrierName: '', trackingNumber: '' }
  assert.equal((await admin.put(`/v1/partners/${partnerId}`, { ...body, externalId: '' })).status, 304)
})
