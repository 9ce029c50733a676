import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openWorld } from '../support/harness.ts'

const { admin, stranger, as } = await openWorld()

test('a partner is created with defaults and read with every setting', async () => {
  const created = await admin.post('/v1/partners', {
    name: 'Kauri Foods',
    code: 'KAURI',
    relationship: 1,
    freeStorageHours: 72,
  })
  assert.equal(created.status, 201)
  assert.equal(created.headers.location, `/v1/partners/${created.body.partnerId}`)
  const { body } = await admin.get(`/v1/partners/${created.body.partnerId}`)
  assert.equal(body.name, 'Kauri Foods')
  assert.equal(body.status, 2)
  assert.equal(body.freeStorageHours, 72)
  assert.equal(body.productBatchUsage, 2)
  assert.equal(body.productExpiryCriticalThresholdDays, null)
  assert.deepEqual(body.unitTypes, [])
})

test('a code that differs only in case is a duplicate', async () => {
  await admin.post('/v1/partners', { name: 'Swift', code: 'SWF', relationship: 2 })
  const again = await admin.post('/v1/partners', { name: 'Swift again', code: 'swf', relationship: 2 })
  assert.equal(again.status, 409)
  assert.deepEqual(again.body, {
    ErrorType: 'Conflict',
    ErrorMessages: ['A partner with the code swf already exists.'],
  })
})

test('all faults of a body are reported together, by field', async () => {
  const { status, body } = await admin.post('/v1/partners', {
    code: ' ',
    relationship: 3,
    freeStorageHours: 1.23456,
    email: 'nobody',
  })
  assert.equal(status, 400)
  assert.equal(body.ErrorType, 'Validation Failed')
  assert.deepEqual(body.ErrorMessages.toSorted(), [
    'code must not be blank.',
    'email must be an email address.',
    'freeStorageHours must have at most 4 decimal places.',
    'name is required.',
    'relationship must be one of 1 (Client), 2 (Carrier).',
  ])
})

test("a carrier's code has 3 or 4 characters", async () => {
  const { status, body } = await admin.post('/v1/partners', { name: 'Long', code: 'LONGER', relationship: 2 })
  assert.equal(status, 400)
  assert.deepEqual(body.ErrorMessages, ['code must have 3 or 4 characters for a carrier.'])
})

test('a change gives 200, repeating it 304, and absent fields stay', async () => {
  const { partnerId } = (
    await admin.post('/v1/partners', { name: 'Rimu', code: 'RIMU', relationship: 1, email: 'a@rimu.nz' })
  ).body
  assert.equal((await admin.put(`/v1/partners/${partnerId}`, { name: 'Rimu Ltd', status: 1 })).status, 200)
  assert.equal(
    (await admin.put(`/v1/partners/${partnerId}`, { name: 'Rimu Ltd', email: 'a@rimu.nz' })).status,
    304,
  )
  const { body } = await admin.get(`/v1/partners/${partnerId}`)
  assert.deepEqual([body.name, body.email, body.status], ['Rimu Ltd', 'a@rimu.nz', 1])
})

test('each of the 28 settings is stored, on creation and by a change', async () => {
  const settings = {
    freightResolution: 2,
    freightWarningType: 2,
    freightWarningThreshold: 1.234567,
    containerThresholdDays: 11,
    rotationMethod: 2,
    rotationMethodSecondary: 2,
    stockDepletionMethod: 2,
    gs1CompanyPrefix: '9421234',
    productBatchUsage: 1,
    productBestBeforeDateUsage: 3,
    productExpiryUsage: 1,
    productPackagingDateUsage: 3,
    productProductionDateUsage: 1,
    productSellByDateUsage: 3,
    productSubstitution: 1,
    productBatchSubstitution: 2,
    productBestBeforeDateSubstitution: 2,
    productExpirySubstitution: 2,
    productPackagingDateSubstitution: 2,
    productProductionDateSubstitution: 2,
    productSellByDateSubstitution: 2,
    productSerialSubstitution: 2,
    freeStorageHours: 36.5,
    productBestBeforeDateCriticalThresholdDays: 21,
    productExpiryCriticalThresholdDays: 22,
    productPackagingDateCriticalThresholdDays: 23,
    productProductionDateCriticalThresholdDays: 24,
    productSellByDateCriticalThresholdDays: 25,
  }
  assert.equal(Object.keys(settings).length, 28)
  const create = async (code: string, more: object) =>
    (await admin.post('/v1/partners', { name: code, code, relationship: 1, ...more })).body.partnerId
  const read = async (id: string) => (await admin.get(`/v1/partners/${id}`)).body
  const plain = await read(await create('PLAIN', {}))
  const created = await read(await create('MADE', settings))
  for (const [setting, value] of Object.entries(settings)) {
    assert.notEqual(plain[setting], value, `${setting} has this value by default.`)
    assert.equal(created[setting], value, setting)
    const change = { [setting]: value }
    assert.equal((await admin.put(`/v1/partners/${plain.id}`, change)).status, 200, setting)
    Object.assign(plain, change)
    assert.deepEqual(await read(plain.id), plain, `only ${setting} changed`)
  }
})

test('the list filters by relationship and by status, alone and together', async () => {
  const other = await stranger()
  for (const [code, relationship, status] of [
    ['ACL', 1, 2],
    ['ICL', 1, 1],
    ['ACA', 2, 2],
    ['ICA', 2, 1],
  ])
    await other.post('/v1/partners', { name: code, code, relationship, status })
  const codes = async (query: string) => {
    const { total, partners } = (await other.get(`/v1/partners?${query}`)).body
    assert.equal(total, partners.length)
    return partners.map(({ code }: { code: string }) => code)
  }
  assert.deepEqual(await codes('Relationship=1'), ['ACL', 'ICL'])
  assert.deepEqual(await codes('Relationship=2'), ['ACA', 'ICA'])
  assert.deepEqual(await codes('Status=2'), ['ACA', 'ACL'])
  assert.deepEqual(await codes('Status=1'), ['ICA', 'ICL'])
  assert.deepEqual(await codes('Relationship=2&Status=1'), ['ICA'])
})

test('the fault of a carrier code is reported together with all others', async () => {
  const { body } = await admin.post('/v1/partners', {
    name: '',
    code: 'TOOLONG',
    relationship: 2,
    email: 'x',
  })
  assert.deepEqual(body.ErrorMessages.toSorted(), [
    'code must have 3 or 4 characters for a carrier.',
    'email must be an email address.',
    'name must not be empty.',
  ])
})

test('a code of an inactive partner is refused, and the message says how to make it active', async () => {
  const { partnerId } = (await admin.post('/v1/partners', { name: 'Old', code: 'OLD', relationship: 1 })).body
  await admin.put(`/v1/partners/${partnerId}`, { status: 1 })
  assert.equal((await admin.put(`/v1/partners/${partnerId}`, { code: 'Old' })).status, 200)
  const { status, body } = await admin.post('/v1/partners', { name: 'New', code: 'old', relationship: 1 })
  assert.deepEqual(
    [status, body.ErrorMessages],
    [
      409,
      [
        'A partner with the code old already exists. ' +
          `It is inactive: PUT /v1/partners/${partnerId} with status 2 makes it active.`,
      ],
    ],
  )
})

test('the list filters by text, relationship and status, and counts what it filtered', async () => {
  for (const [name, code] of [
    ['Harbour Freight', 'HFR'],
    ['Harbour Line', 'HLN'],
    ['100% Cargo', 'PCT'],
  ]) {
    await admin.post('/v1/partners', { name, code, relationship: 2 })
  }
  const harbour = await admin.get('/v1/partners?SearchText=harbour&relationship=2&PageSize=1')
  assert.equal(harbour.body.total, 2)
  assert.equal(harbour.body.index, 1)
  assert.deepEqual(
    harbour.body.partners.map((partner: { code: string }) => partner.code),
    ['HFR'],
  )
  assert.equal(
    (await admin.get('/v1/partners?SearchText=0%25')).body.total,
    1,
    'a percent sign is no wildcard',
  )
  assert.deepEqual((await admin.get('/v1/partners?SearchText=harbour&PageIndex=9')).body.partners, [])
  const faulty = await admin.get('/v1/partners?PageIndex=0&PageSize=501&Status=5')
  assert.equal(faulty.status, 400)
  assert.equal(faulty.body.ErrorMessages.length, 3)
})

test('a partner of another organisation gives 404, as an unknown one does', async () => {
  const other = await stranger()
  const { partnerId } = (await other.post('/v1/partners', { name: 'Theirs', code: 'THRS', relationship: 1 }))
    .body
  assert.equal((await admin.get(`/v1/partners/${partnerId}`)).status, 404)
  assert.equal((await admin.put(`/v1/partners/${partnerId}`, { name: 'Mine' })).status, 404)
  assert.equal((await other.get('/v1/partners')).body.total, 1)
})

test('a token that belongs to a partner sees that partner whatever the path says', async () => {
  const { partnerId } = (await admin.post('/v1/partners', { name: 'Only me', code: 'ONLY', relationship: 1 }))
    .body
  const other = (await admin.post('/v1/partners', { name: 'Somebody else', code: 'ELSE', relationship: 1 }))
    .body.partnerId
  const own = as(admin, { partnerId })
  assert.equal((await own.get('/v1/partners')).body.total, 1)
  assert.equal((await own.get(`/v1/partners/${other}`)).body.id, partnerId)
  assert.equal((await own.post('/v1/partners', { name: 'New', code: 'NEW', relationship: 1 })).status, 403)
  assert.equal(
    (await own.put(`/v1/partners/${partnerId}`, { freeStorageHours: 9_999 })).status,
    403,
    'a partner cannot change its own terms',
  )
})

test('reading needs partner.read and writing needs partner', async () => {
  const reader = as(admin, { scopes: ['partner.read'] })
  assert.equal((await reader.get('/v1/partners')).status, 200)
  const refused = await reader.post('/v1/partners', { name: 'X', code: 'XXX', relationship: 1 })
  assert.equal(refused.status, 403)
  assert.deepEqual(refused.body, {
    ErrorType: 'Forbidden',
    ErrorMessages: ['The token needs the scope partner.'],
  })
  assert.equal((await as(admin, { scopes: ['consignment'] }).get('/v1/partners')).status, 403)
})
