import assert from 'node:assert/strict'
import { test } from 'node:test'
import { v7 as uuidv7 } from 'uuid'
import { sql } from '../../src/platform/database/db.ts'
import { hazardCategoryId } from '../../src/reference-data/load-reference-data.ts'
import { acute, flammable, openProducts } from '../support/given-products.ts'

const { world, newClient, partnerId, products, create, carton, inner, each, group } = await openProducts()
const { admin, stranger, as, database } = world

const noRotation = {
  rotationMethod: null,
  rotationMethodSecondary: null,
  stockDepletionMethod: null,
  batchSubstitution: null,
  bestBeforeDateSubstitution: null,
  expirySubstitution: null,
  packagingDateSubstitution: null,
  productionDateSubstitution: null,
  sellByDateSubstitution: null,
  serialSubstitution: null,
  bestBeforeDateCriticalThresholdDays: null,
  expiryCriticalThresholdDays: null,
  packagingDateCriticalThresholdDays: null,
  productionDateCriticalThresholdDays: null,
  sellByDateCriticalThresholdDays: null,
  freeStorageHours: null,
}

test('a product is created with only a code and a name, and everything else has its default', async () => {
  const created = await admin.post(products, { code: 'PLAIN', name: 'Plain' })
  assert.equal(created.status, 201)
  const id = created.body.partnerProductId
  assert.equal(created.headers.location, `${products}/${id}`)
  const row = {
    id,
    code: 'PLAIN',
    name: 'Plain',
    lengthMM: null,
    heightMM: null,
    widthMM: null,
    isVolumeAutoCalculated: false,
    volumeM3: null,
    weightKG: null,
    isSerialRequired: false,
    serialTrackingMode: 1,
    productGroupId: null,
    productGroupName: null,
    productUnitTypeId: null,
    productUnitTypeName: null,
    isDangerousGood: false,
    dgProperShippingName: null,
    dgTechnicalName: null,
    dgPackagingGroup: null,
    dgHazchemEac: null,
    dgUnNumber: null,
    dgFlashpointDegC: null,
    dgMarinePollutant: false,
    dgPhLevel: null,
    barcode: null,
    gtin: null,
  }
  assert.deepEqual((await admin.get(`${products}?SearchText=plain`)).body, {
    index: 1,
    total: 1,
    products: [row],
  })
  assert.deepEqual((await admin.get(`${products}/${id}`)).body, {
    ...row,
    status: 1,
    unitType: null,
    productGroup: null,
    productUnitType: null,
    receiveInstructions: null,
    pickInstructions: null,
    // the settings of the client, because the product has none of its own
    batchUsage: 3,
    bestBeforeDateUsage: 2,
    expiryUsage: 1,
    packagingDateUsage: 2,
    productionDateUsage: 2,
    sellByDateUsage: 2,
    // null stands for the settings of the client
    ...noRotation,
    dgHazardClasses: [],
    unitConversions: [],
  })
})

const everything = {
  status: 2,
  lengthMM: 300,
  heightMM: 250,
  widthMM: 201,
  isVolumeAutoCalculated: false,
  volumeM3: 0.02,
  weightKG: 12.3456,
  serialTrackingMode: 3,
  isDangerousGood: true,
  dgProperShippingName: 'PAINT',
  dgTechnicalName: 'contains xylene',
  dgPackagingGroup: 2,
  dgHazchemEac: '•3YE',
  dgUnNumber: '1263',
  dgFlashpointDegC: '23',
  dgMarinePollutant: true,
  dgPhLevel: 6.75,
  barcode: '9400000000017',
  gtin: '09400000000017',
  receiveInstructions: 'Keep upright.',
  pickInstructions: 'Gloves.',
  batchUsage: 1,
  bestBeforeDateUsage: 3,
  expiryUsage: 3,
  packagingDateUsage: 1,
  productionDateUsage: 3,
  sellByDateUsage: 1,
}
const unit = (id: string, name: string) => ({ id, name, status: 1 })

test('every field of a product is stored and read back, with the records that it refers to', async () => {
  const id = await create({
    code: 'FULL',
    name: 'Full',
    ...everything,
    productGroupId: group,
    unitTypeId: each,
    productUnitTypeId: carton,
    dgHazardClasses: [
      { dgHazardClassId: acute },
      { dgHazardClassId: flammable, dgHazardCategoryId: hazardCategoryId(flammable, '3') },
    ],
    unitConversions: [
      {
        inputMetricType: 2,
        outputMetricType: 3,
        outputUnitTypeId: carton,
        conversionRate: 40,
        barcode: 'PALLET',
      },
      {
        inputMetricType: 3,
        inputUnitTypeId: carton,
        outputMetricType: 3,
        outputUnitTypeId: inner,
        conversionRate: 2.5,
        gtin: '1',
      },
      { inputMetricType: 3, inputUnitTypeId: inner, outputMetricType: 1, conversionRate: 6 },
    ],
  })
  const { body } = await admin.get(`${products}/${id}`)
  assert.deepEqual(body, {
    id,
    code: 'FULL',
    name: 'Full',
    ...everything,
    ...noRotation,
    isSerialRequired: true,
    productGroupId: group,
    productGroupName: 'Beverages',
    productGroup: { id: group, name: 'Beverages' },
    unitType: unit(each, 'Each'),
    productUnitTypeId: carton,
    productUnitTypeName: 'Carton',
    productUnitType: unit(carton, 'Carton'),
    dgHazardClasses: [
      {
        dgStandard: 4,
        dgHazardClass: { id: acute, name: 'Division 6.1 Toxic substances', dgStandard: 4 },
        dgHazardCategory: null,
      },
      {
        dgStandard: 1,
        dgHazardClass: { id: flammable, name: 'Flammable liquids', dgStandard: 1 },
        dgHazardCategory: { id: hazardCategoryId(flammable, '3'), name: 'Category 3' },
      },
    ],
    unitConversions: [
      {
        inputMetricType: 2,
        inputUnitType: null,
        outputMetricType: 3,
        outputUnitType: unit(carton, 'Carton'),
        conversionRate: 40,
        itemConversionRate: 600,
        barcode: 'PALLET',
        gtin: null,
      },
      {
        inputMetricType: 3,
        inputUnitType: unit(carton, 'Carton'),
        outputMetricType: 3,
        outputUnitType: unit(inner, 'Inner'),
        conversionRate: 2.5,
        itemConversionRate: 15,
        barcode: null,
        gtin: '1',
      },
      {
        inputMetricType: 3,
        inputUnitType: unit(inner, 'Inner'),
        outputMetricType: 1,
        outputUnitType: null,
        conversionRate: 6,
        itemConversionRate: 6,
        barcode: null,
        gtin: null,
      },
    ],
  })
  assert.deepEqual(
    (await admin.get(`/v1/partners/${partnerId}`)).body.unitTypes,
    [unit(carton, 'Carton'), unit(each, 'Each'), unit(inner, 'Inner')],
    "the partner's unit types are those of its products",
  )
})

test('a change gives 200, repeating it 304, and absent fields stay', async () => {
  const id = await create({ code: 'CHANGE', name: 'Change', barcode: 'B' })
  for (const change of [
    { code: 'CHANGED', name: 'Changed' },
    { ...everything, status: 1 },
    { productGroupId: group, unitTypeId: each, productUnitTypeId: carton },
  ]) {
    assert.equal((await admin.put(`${products}/${id}`, change)).status, 200)
    assert.equal((await admin.put(`${products}/${id}`, change)).status, 304)
  }
  const before = (await admin.get(`${products}/${id}`)).body
  for (const change of [{}, { name: 'Changed', colour: 'red' }]) {
    assert.equal((await admin.put(`${products}/${id}`, change)).status, 304)
  }
  assert.deepEqual((await admin.get(`${products}/${id}`)).body, before)
})

test('a code is unique within its partner, ignoring case', async () => {
  await create({ code: 'Taken', name: 'Taken' })
  const other = await create({ code: 'Free', name: 'Free' })
  const again = await admin.post(products, { code: 'TAKEN', name: 'Again' })
  assert.equal(again.status, 409)
  assert.deepEqual(again.body.ErrorMessages, ['The partner already has a product with the code TAKEN.'])
  assert.equal((await admin.put(`${products}/${other}`, { code: 'taken' })).status, 409)
  assert.equal(
    (await admin.post(`/v1/partners/${await newClient()}/products`, { code: 'TAKEN', name: 'Elsewhere' }))
      .status,
    201,
  )
})

test('the list searches code, name and barcode, filters by status and pages by name', async () => {
  const client = await newClient()
  const list = `/v1/partners/${client}/products`
  for (const [code, name, barcode, status] of [
    ['C-1', 'Apple', '111', 1],
    ['C-2', 'Banana', '222', 2],
    ['C-3', 'Cherry 50%', '333', 1],
  ]) {
    await admin.post(list, { code, name, barcode, status })
  }
  const found = async (query: string) =>
    (await admin.get(`${list}?${query}`)).body.products.map((row: { name: string }) => row.name)
  assert.deepEqual(await found(''), ['Apple', 'Banana', 'Cherry 50%'])
  assert.deepEqual(await found('SearchText=c-2'), ['Banana'])
  assert.deepEqual(await found('SearchText=APPL'), ['Apple'])
  assert.deepEqual(await found('SearchText=333'), ['Cherry 50%'])
  assert.deepEqual(await found('SearchText=0%25'), ['Cherry 50%'])
  assert.deepEqual(await found('productstatus=2'), ['Banana'])
  assert.deepEqual(await found('ProductStatus=1&SearchText=c-2'), [])
  assert.deepEqual(await found('PageSize=2&PageIndex=2'), ['Cherry 50%'])
  const past = (await admin.get(`${list}?PageIndex=5`)).body
  assert.deepEqual(past, { index: 5, total: 3, products: [] })
  assert.equal((await admin.get(`${list}?ProductStatus=0&PageSize=x`)).body.ErrorMessages.length, 2)
})

test('a carrier, a partner of another organisation and an unknown partner have no products', async () => {
  const carrier = (await admin.post('/v1/partners', { name: 'Carrier', code: 'CAR', relationship: 2 })).body
    .partnerId
  const other = await stranger()
  const theirs = (await other.post('/v1/partners', { name: 'Theirs', code: 'THEIRS', relationship: 1 })).body
    .partnerId
  const { partnerProductId } = (await other.post(`/v1/partners/${theirs}/products`, { code: 'T', name: 'T' }))
    .body
  const mine = await create({ code: 'MINE', name: 'Mine' })
  for (const partner of [carrier, theirs, uuidv7()]) {
    const list = `/v1/partners/${partner}/products`
    assert.equal((await admin.get(list)).status, 404)
    assert.equal((await admin.post(list, { code: 'X', name: 'X' })).status, 404)
    for (const product of [partnerProductId, mine, uuidv7()]) {
      assert.equal((await admin.get(`${list}/${product}`)).status, 404)
      assert.equal((await admin.put(`${list}/${product}`, { name: 'X' })).status, 404)
    }
  }
  assert.equal((await admin.get(`${products}/${partnerProductId}`)).status, 404)
})

test("a token that belongs to a partner reads that partner's products only, and writes none", async () => {
  const client = await newClient()
  await admin.post(`/v1/partners/${client}/products`, { code: 'OWN', name: 'Own' })
  const own = as(admin, { partnerId: client })
  const elsewhere = (await own.get(products)).body
  assert.deepEqual([elsewhere.total, elsewhere.products[0].code], [1, 'OWN'])
  assert.equal((await own.get(`${products}/${await create({ code: 'OTHER', name: 'Other' })}`)).status, 404)
  assert.equal((await own.post(products, { code: 'NEW', name: 'New' })).status, 403)
  assert.equal((await own.put(`${products}/${elsewhere.products[0].id}`, { weightKG: 1 })).status, 403)
})

test('reading needs partner.read and writing needs partner', async () => {
  const id = await create({ code: 'SCOPE', name: 'Scope' })
  const reader = as(admin, { scopes: ['partner.read'] })
  assert.equal((await reader.get(products)).status, 200)
  assert.equal((await reader.get(`${products}/${id}`)).status, 200)
  assert.equal((await reader.post(products, { code: 'NO', name: 'No' })).status, 403)
  assert.equal((await reader.put(`${products}/${id}`, { name: 'No' })).status, 403)
  assert.equal((await as(admin, { scopes: ['consignment'] }).get(products)).status, 403)
})

test('imports that wait for a product, client or carrier are retried when it is created or becomes active', async () => {
  const { organisationId, connectionId, userId } = admin.actor
  const id = uuidv7()
  await database.atomically(async tx => {
    await tx.run(sql`insert into consignment_import (organisation_id, id, identity_connection_id, user_id,
      status, request, due_utc)
      values (${organisationId}, ${id}, ${connectionId}, ${userId}, 2, '{}', null)`)
    for (const [i, kind] of ['product', 'client', 'carrier'].entries()) {
      await tx.run(sql`insert into consignment_import_reason (organisation_id, consignment_import_id, ordinal,
        kind, code, message)
        values (${organisationId}, ${id}, ${i}, ${kind}, ${kind === 'carrier' ? 'WTC' : 'WAIT'}, '')`)
    }
  })
  /** Returns 1 if the import was made due since the last call, else 0. */
  const woken = () =>
    database.atomically(tx =>
      tx.run(sql`update consignment_import set due_utc = null where id = ${id} and due_utc is not null`),
    )
  for (const [path, body, inactive, active] of [
    [products, { code: 'wait' }, 2, 1],
    ['/v1/partners', { code: 'wait', relationship: 1 }, 1, 2],
    ['/v1/partners', { code: 'wtc', relationship: 2 }, 1, 2],
  ] as const) {
    const created = await admin.post(path, { name: 'Waited for', ...body, status: inactive })
    assert.equal(await woken(), 0)
    const address = String(created.headers.location)
    await admin.put(address, { status: active })
    assert.equal(await woken(), 1)
    await admin.put(address, { status: active })
    assert.equal(await woken(), 0, 'nothing changed')
    await admin.put(address, { code: 'GONE'.slice(0, body.code.length) })
    assert.equal(await woken(), 0)
    await admin.post(path, { name: 'Waited for', ...body })
    assert.equal(await woken(), 1)
  }
})

test('the settings that select stock of a product are stored, and can be set to null again', async () => {
  const settings = Object.fromEntries(Object.keys(noRotation).map(name => [name, 2]))
  const id = await create({ code: 'ROTATED', name: 'Rotated', ...settings })
  const read = async () => {
    const { body } = await admin.get(`${products}/${id}`)
    return Object.fromEntries(Object.keys(noRotation).map(name => [name, body[name]]))
  }
  assert.deepEqual(await read(), settings)
  for (const name of Object.keys(noRotation)) {
    assert.equal((await admin.put(`${products}/${id}`, { [name]: null })).status, 200, name)
    settings[name] = null as never
    assert.deepEqual(await read(), settings)
    const change = { [name]: 1 }
    assert.equal((await admin.put(`${products}/${id}`, change)).status, 200, name)
    Object.assign(settings, change)
    assert.deepEqual(await read(), settings)
  }
})
