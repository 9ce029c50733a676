import assert from 'node:assert/strict'
import { test } from 'node:test'
import { v7 as uuidv7 } from 'uuid'
import { volumeM3 } from '../../src/partners/product.ts'
import { sql } from '../../src/platform/db.ts'
import { hazardCategoryId, hazardClassId } from '../../src/reference-data/load-reference-data.ts'
import { openWorld } from '../harness.ts'

const { admin, stranger, as, database } = await openWorld()

let clients = 0
const newClient = async (settings = {}) => {
  const body = { name: `Client ${clients}`, code: `CLIENT${clients++}`, relationship: 1, ...settings }
  return (await admin.post('/v1/partners', body)).body.partnerId as string
}
const partnerId = await newClient({ productBatchUsage: 3, productExpiryUsage: 1 })
const products = `/v1/partners/${partnerId}/products`
const create = async (body: object) => (await admin.post(products, body)).body.partnerProductId as string
const named = async (path: string, name: string) => Object.values((await admin.post(`/v1/${path}`, { name })).body)[0] as string

const [carton, inner, each] = [await named('unit-types', 'Carton'), await named('unit-types', 'Inner'), await named('unit-types', 'Each')]
const group = await named('product-groups', 'Beverages')
const flammable = hazardClassId(1, '2.6')
const acute = hazardClassId(4, '6.1')

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
  assert.deepEqual((await admin.get(`${products}?SearchText=plain`)).body, { index: 1, total: 1, products: [row] })
  assert.deepEqual((await admin.get(`${products}/${id}`)).body, {
    ...row,
    status: 1,
    unitType: null,
    productGroup: null,
    productUnitType: null,
    receiveInstructions: null,
    pickInstructions: null,
    // the client's settings, where the product has none of its own
    batchUsage: 3,
    bestBeforeDateUsage: 2,
    expiryUsage: 1,
    packagingDateUsage: 2,
    productionDateUsage: 2,
    sellByDateUsage: 2,
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

test('every field of a product is kept and read back, with what it refers to', async () => {
  const id = await create({
    code: 'FULL',
    name: 'Full',
    ...everything,
    productGroupId: group,
    unitTypeId: each,
    productUnitTypeId: carton,
    dgHazardClasses: [{ dgHazardClassId: acute }, { dgHazardClassId: flammable, dgHazardCategoryId: hazardCategoryId(flammable, '3') }],
    unitConversions: [
      { inputMetricType: 2, outputMetricType: 3, outputUnitTypeId: carton, conversionRate: 40, barcode: 'PALLET' },
      { inputMetricType: 3, inputUnitTypeId: carton, outputMetricType: 3, outputUnitTypeId: inner, conversionRate: 2.5, gtin: '1' },
      { inputMetricType: 3, inputUnitTypeId: inner, outputMetricType: 1, conversionRate: 6 },
    ],
  })
  const { body } = await admin.get(`${products}/${id}`)
  assert.deepEqual(body, {
    id,
    code: 'FULL',
    name: 'Full',
    ...everything,
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
        dgStandard: 1,
        dgHazardClass: { id: flammable, name: 'Flammable liquids', dgStandard: 1 },
        dgHazardCategory: { id: hazardCategoryId(flammable, '3'), name: 'Category 3' },
      },
      {
        dgStandard: 4,
        dgHazardClass: { id: acute, name: 'Division 6.1 Toxic substances', dgStandard: 4 },
        dgHazardCategory: null,
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

test('a change answers 200, the same again 304, and what is absent or null stays', async () => {
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
  for (const change of [{}, { barcode: null, productGroupId: null, unitConversions: null }, { name: 'Changed', colour: 'red' }]) {
    assert.equal((await admin.put(`${products}/${id}`, change)).status, 304)
  }
  assert.deepEqual((await admin.get(`${products}/${id}`)).body, before)
})

test('unit conversions and hazard classes are replaced as sets, and the same set is no change', async () => {
  const id = await create({ code: 'SETS', name: 'Sets' })
  const put = async (body: object) => (await admin.put(`${products}/${id}`, body)).status
  const read = async () => (await admin.get(`${products}/${id}`)).body
  const toItems = (unitTypeId: string, conversionRate: number) => ({
    inputMetricType: 3,
    inputUnitTypeId: unitTypeId,
    outputMetricType: 1,
    conversionRate,
  })
  const rates = async () => (await read()).unitConversions.map((step: { itemConversionRate: number }) => step.itemConversionRate)
  assert.equal(await put({ unitConversions: [toItems(carton, 12), toItems(inner, 6)] }), 200)
  assert.equal(await put({ unitConversions: [toItems(carton, 12), toItems(inner, 6)] }), 304)
  assert.deepEqual(await rates(), [12, 6])
  assert.equal(await put({ unitConversions: [toItems(inner, 6), toItems(carton, 12)] }), 200, 'the order is part of the set')
  assert.equal(await put({ unitConversions: [{ ...toItems(inner, 6), barcode: 'X' }, toItems(carton, 12)] }), 200)
  assert.equal(await put({ unitConversions: [toItems(inner, 7)] }), 200)
  assert.deepEqual(await rates(), [7])
  assert.equal(await put({ name: 'Sets still' }), 200)
  assert.deepEqual(await rates(), [7], 'an absent set stays')
  assert.equal(await put({ unitConversions: [] }), 200)
  assert.equal(await put({ unitConversions: [] }), 304)

  const of = (...codes: string[]) => ({
    dgHazardClasses: codes.map(code => ({ dgHazardClassId: flammable, dgHazardCategoryId: hazardCategoryId(flammable, code) })),
  })
  const both = { dgHazardClasses: [...of('1').dgHazardClasses, { dgHazardClassId: acute }] }
  assert.equal(await put(of('1')), 200)
  assert.equal(await put(of('1')), 304)
  assert.equal(await put(of('2')), 200)
  assert.equal(await put(both), 200)
  assert.equal(await put({ dgHazardClasses: both.dgHazardClasses.toReversed() }), 304)
  assert.equal((await read()).dgHazardClasses.length, 2)
  assert.equal(await put({ dgHazardClasses: [{ dgHazardClassId: flammable }] }), 200)
  assert.deepEqual(
    (await read()).dgHazardClasses.map((hazard: { dgHazardCategory: unknown }) => hazard.dgHazardCategory),
    [null],
  )
  assert.equal(await put(of()), 200)
  assert.equal(await put(of()), 304)
})

test('a volume that is calculated follows the lengths, and a given one does not count', async () => {
  const id = await create({ code: 'BOX', name: 'Box', isVolumeAutoCalculated: true, lengthMM: 333, heightMM: 77, widthMM: 51, volumeM3: 9 })
  const volume = async () => (await admin.get(`${products}/${id}`)).body.volumeM3
  assert.equal(await volume(), 0.001308)
  assert.equal((await admin.put(`${products}/${id}`, { lengthMM: 1_000_000, heightMM: 1_000_000, widthMM: 999_999 })).status, 200)
  assert.equal(await volume(), 999_999_000)
  assert.equal((await admin.put(`${products}/${id}`, { volumeM3: 5 })).status, 304)
  assert.equal((await admin.put(`${products}/${id}`, { isVolumeAutoCalculated: false, volumeM3: 5 })).status, 200)
  assert.equal(await volume(), 5)
  assert.equal((await admin.put(`${products}/${id}`, { isVolumeAutoCalculated: true })).status, 200)
  assert.equal(await volume(), 999_999_000)
  const partly = await create({ code: 'TUBE', name: 'Tube', isVolumeAutoCalculated: true, lengthMM: 100, volumeM3: 0.5 })
  assert.equal((await admin.get(`${products}/${partly}`)).body.volumeM3, 0.5, 'without all three lengths the given volume stands')
})

test('the volume of a box is exact to six places, the half rounded up', () => {
  assert.equal(volumeM3(300, 200, 400), 0.024)
  assert.equal(volumeM3(1, 1, 499), 0)
  assert.equal(volumeM3(1, 1, 500), 0.000001)
})

test('an attribute usage that is not set follows the client when the client changes', async () => {
  const client = await newClient()
  const { partnerProductId } = (await admin.post(`/v1/partners/${client}/products`, { code: 'A', name: 'A', expiryUsage: 1 })).body
  await admin.put(`/v1/partners/${client}`, { productBatchUsage: 3, productExpiryUsage: 3 })
  const { body } = await admin.get(`/v1/partners/${client}/products/${partnerProductId}`)
  assert.deepEqual([body.batchUsage, body.expiryUsage], [3, 1])
})

test('whether a serial is required follows from how serials are tracked, or says it', async () => {
  const serials = async (id: string) => {
    const { isSerialRequired, serialTrackingMode } = (await admin.get(`${products}/${id}`)).body
    return [isSerialRequired, serialTrackingMode]
  }
  const cases: [object, unknown[]][] = [
    [{ isSerialRequired: true }, [true, 2]],
    [{ isSerialRequired: false }, [false, 1]],
    [{ isSerialRequired: true, serialTrackingMode: 3 }, [true, 3]],
    [{ isSerialRequired: null, serialTrackingMode: 3 }, [true, 3]],
    [{ isSerialRequired: false, serialTrackingMode: 1 }, [false, 1]],
    [{ isSerialRequired: false, serialTrackingMode: null }, [false, 1]],
  ]
  for (const [i, [given, shown]] of cases.entries()) {
    const id = await create({ code: `SERIAL${i}`, name: 'Serial', ...given })
    assert.deepEqual(await serials(id), shown, JSON.stringify(given))
    assert.equal((await admin.put(`${products}/${id}`, { isSerialRequired: shown[0] })).status, 304)
  }
  const refused = await admin.post(products, { name: 'x', isSerialRequired: true, serialTrackingMode: 1 })
  assert.deepEqual(refused.body.ErrorMessages.toSorted(), [
    'code is required.',
    'isSerialRequired must be false when serialTrackingMode is 1.',
  ])

  const id = await create({ code: 'TRACKED', name: 'Tracked', serialTrackingMode: 3 })
  const change = async (body: object) => (await admin.put(`${products}/${id}`, body)).body?.ErrorMessages ?? (await serials(id))
  const contradiction = ['isSerialRequired must be true when serialTrackingMode is 3.']
  assert.deepEqual(await change({ isSerialRequired: false }), contradiction)
  assert.deepEqual(await change({ isSerialRequired: false, serialTrackingMode: 3 }), contradiction)
  assert.deepEqual(await change({ isSerialRequired: false, serialTrackingMode: 1 }), [false, 1])
  assert.deepEqual(await change({ isSerialRequired: true, name: 'Other' }), [
    'isSerialRequired must be false when serialTrackingMode is 1.',
  ])
  assert.deepEqual(await change({ isSerialRequired: true, serialTrackingMode: 2 }), [true, 2])
})

test('every fault of a product is told at once, by field', async () => {
  const { status, body } = await admin.post(products, {
    code: 'x'.repeat(51),
    lengthMM: 1.5,
    heightMM: -1,
    widthMM: 1_000_001,
    weightKG: 0.00001,
    volumeM3: -1,
    serialTrackingMode: 4,
    dgPackagingGroup: 0,
    dgPhLevel: 15,
    dgUnNumber: 1263,
    batchUsage: 0,
    status: 3,
    isDangerousGood: 'yes',
    productGroupId: 'group',
    dgHazardClasses: [{ dgHazardClassId: acute }, {}, { dgHazardClassId: acute.toUpperCase() }],
    unitConversions: [
      { inputMetricType: 3, outputMetricType: 1, conversionRate: 1 },
      { inputMetricType: 2, outputMetricType: 1, outputUnitTypeId: carton, conversionRate: 1 },
    ],
  })
  assert.equal(status, 400)
  assert.equal(body.ErrorType, 'Validation Failed')
  assert.deepEqual(body.ErrorMessages.toSorted(), [
    'batchUsage must be one of 1, 2, 3.',
    'code must have at most 50 characters.',
    'dgHazardClasses[1].dgHazardClassId is required.',
    'dgHazardClasses[2].dgHazardClassId must not name a class twice.',
    'dgPackagingGroup must be one of 1, 2, 3.',
    'dgPhLevel must be 14 or less.',
    'dgUnNumber must be a string.',
    'heightMM must be 0 or more.',
    'isDangerousGood must be true or false.',
    'lengthMM must be a whole number.',
    'name is required.',
    'productGroupId must be a uuid.',
    'serialTrackingMode must be one of 1, 2, 3.',
    'status must be one of 1, 2.',
    'unitConversions[0].inputUnitTypeId is required when inputMetricType is 3.',
    'unitConversions[1].outputUnitTypeId must be left out unless outputMetricType is 3.',
    'volumeM3 must be 0 or more.',
    'weightKG must have at most 4 decimal places.',
    'widthMM must be 1000000 or less.',
  ])
})

test('conversions that are no chain are refused on creation and on change', async () => {
  const unitConversions = [
    { inputMetricType: 3, inputUnitTypeId: carton, outputMetricType: 3, outputUnitTypeId: inner, conversionRate: 2 },
    { inputMetricType: 3, inputUnitTypeId: inner, outputMetricType: 3, outputUnitTypeId: carton, conversionRate: 2 },
  ]
  const expected = ['unitConversions[0] must not lead back to its own unit.', 'unitConversions[1] must not lead back to its own unit.']
  assert.deepEqual((await admin.post(products, { code: 'LOOP', name: 'Loop', unitConversions })).body.ErrorMessages, expected)
  const id = await create({ code: 'LOOP', name: 'Loop' })
  assert.deepEqual((await admin.put(`${products}/${id}`, { unitConversions })).body.ErrorMessages, expected)
})

test('records that do not exist, or are of another organisation, are named together by field', async () => {
  const theirs = Object.values((await (await stranger()).post('/v1/unit-types', { name: 'Theirs' })).body)[0]
  const nobody = uuidv7()
  const body = {
    productGroupId: nobody,
    unitTypeId: theirs,
    productUnitTypeId: carton,
    dgHazardClasses: [
      { dgHazardClassId: nobody },
      { dgHazardClassId: acute, dgHazardCategoryId: hazardCategoryId(flammable, '1') },
      { dgHazardClassId: flammable, dgHazardCategoryId: hazardCategoryId(flammable, '1') },
    ],
    unitConversions: [{ inputMetricType: 3, inputUnitTypeId: nobody, outputMetricType: 1, conversionRate: 1 }],
  }
  const expected = {
    ErrorType: 'Verification Failed',
    ErrorMessages: [
      'unitTypeId names no unit type.',
      'unitConversions[0].inputUnitTypeId names no unit type.',
      'productGroupId names no product group.',
      'dgHazardClasses[0].dgHazardClassId names no hazard class.',
      'dgHazardClasses[1].dgHazardCategoryId names no category of its hazard class.',
    ],
  }
  const refused = await admin.post(products, { code: 'REFS', name: 'Refs', ...body })
  assert.equal(refused.status, 400)
  assert.deepEqual(refused.body, expected)
  const id = await create({ code: 'REFS', name: 'Refs' })
  assert.deepEqual((await admin.put(`${products}/${id}`, body)).body, expected)
})

test('a code is unique within its partner whatever its case', async () => {
  await create({ code: 'Taken', name: 'Taken' })
  const other = await create({ code: 'Free', name: 'Free' })
  const again = await admin.post(products, { code: 'TAKEN', name: 'Again' })
  assert.equal(again.status, 409)
  assert.deepEqual(again.body.ErrorMessages, ['The partner has a product with the code TAKEN already.'])
  assert.equal((await admin.put(`${products}/${other}`, { code: 'taken' })).status, 409)
  assert.equal((await admin.post(`/v1/partners/${await newClient()}/products`, { code: 'TAKEN', name: 'Elsewhere' })).status, 201)
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
  const found = async (query: string) => (await admin.get(`${list}?${query}`)).body.products.map((row: { name: string }) => row.name)
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

test('a partner that is no client, of another organisation or unknown has no products', async () => {
  const carrier = (await admin.post('/v1/partners', { name: 'Carrier', code: 'CAR', relationship: 2 })).body.partnerId
  const other = await stranger()
  const theirs = (await other.post('/v1/partners', { name: 'Theirs', code: 'THEIRS', relationship: 1 })).body.partnerId
  const { partnerProductId } = (await other.post(`/v1/partners/${theirs}/products`, { code: 'T', name: 'T' })).body
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

test('imports that wait for a product, client or carrier try again when it appears or becomes active', async () => {
  const { organisationId, connectionId, userId } = admin.actor
  const id = uuidv7()
  await database.atomically(async tx => {
    await tx.run(sql`insert into consignment_import (organisation_id, id, identity_connection_id, user_id, status, request, due_utc)
      values (${organisationId}, ${id}, ${connectionId}, ${userId}, 2, '{}', null)`)
    for (const [i, kind] of ['product', 'client', 'carrier'].entries()) {
      await tx.run(sql`insert into consignment_import_reason (organisation_id, consignment_import_id, ordinal, kind, code, message)
        values (${organisationId}, ${id}, ${i}, ${kind}, ${kind === 'carrier' ? 'WTC' : 'WAIT'}, '')`)
    }
  })
  /** Whether it was made due since the last time. */
  const woken = () =>
    database.atomically(tx => tx.run(sql`update consignment_import set due_utc = null where id = ${id} and due_utc is not null`))
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
