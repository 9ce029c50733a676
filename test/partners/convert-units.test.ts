import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openWorld } from '../support/harness.ts'

const { admin, stranger, as } = await openWorld()

async function made(path: string, body: object): Promise<string> {
  const answer = await admin.post(path, body)
  assert.equal(answer.status, 201, `${path}: ${answer.bytes}`)
  return Object.values(answer.body)[0] as string
}

const clientId = await made('/v1/partners', { name: 'Kauri Foods', code: 'KAURI', relationship: 1 })
const carrierId = await made('/v1/partners', { name: 'Swift', code: 'SWF', relationship: 2 })
const carton = await made('/v1/unit-types', { name: 'Carton' })
const crate = await made('/v1/unit-types', { name: 'Crate' })
const apples = await made(`/v1/partners/${clientId}/products`, {
  code: 'APPLE',
  name: 'Apples',
  unitConversions: [
    { inputMetricType: 3, inputUnitTypeId: carton, outputMetricType: 1, conversionRate: 12 },
    { inputMetricType: 2, outputMetricType: 3, outputUnitTypeId: carton, conversionRate: 40 },
  ],
})
const pears = await made(`/v1/partners/${clientId}/products`, { code: 'Pear', name: 'Pears' })

const path = `/v1/partners/${clientId}/products/convert-units`
const convert = (...conversions: object[]) => admin.post(path, { conversions })

const ofCarton = (quantity: number) => ({
  metricType: 3,
  unitTypeId: carton,
  unitTypeName: 'Carton',
  quantity,
})
const ofPallet = (quantity: number) => ({ metricType: 2, unitTypeId: null, unitTypeName: null, quantity })
const ofItem = (quantity: number) => ({ metricType: 1, unitTypeId: null, unitTypeName: null, quantity })

test('quantities are converted in their order, by id or by code in any case, Compound by default', async () => {
  const { status, body } = await convert(
    { id: apples, inputMetricType: 1, inputQuantity: 500 },
    {
      code: 'apple',
      inputMetricType: 3,
      inputUnitTypeId: carton.toUpperCase(),
      inputQuantity: 41.5,
      metricResolution: 2,
    },
    { id: pears, code: 'PEAR', inputMetricType: 1, inputQuantity: 0.25, metricResolution: null },
    { code: 'APPLE', inputMetricType: 2, inputQuantity: 1, metricResolution: 1, inputUnitTypeId: null },
  )
  assert.equal(status, 200)
  assert.deepEqual(body, {
    results: [
      {
        id: apples,
        code: 'APPLE',
        inputQuantity: 500,
        metrics: [ofPallet(1.0417), ofCarton(41.6667), ofItem(500)],
      },
      { id: apples, code: 'APPLE', inputQuantity: 41.5, metrics: [ofPallet(1), ofCarton(1), ofItem(6)] },
      { id: pears, code: 'Pear', inputQuantity: 0.25, metrics: [ofItem(0.25)] },
      { id: apples, code: 'APPLE', inputQuantity: 1, metrics: [ofPallet(1), ofCarton(40), ofItem(480)] },
    ],
  })
  assert.deepEqual((await convert()).body, { results: [] })
})

test('all invalid conversions are reported together with their reasons', async () => {
  const unknown = '00000000-0000-7000-8000-000000000000'
  const { status, body } = await convert(
    { id: apples, inputMetricType: 1, inputQuantity: 1 },
    { id: unknown, inputMetricType: 1, inputQuantity: 1 },
    { code: 'PLUM', inputMetricType: 1, inputQuantity: 1 },
    { id: apples, code: 'PEAR', inputMetricType: 1, inputQuantity: 1 },
    { id: apples, inputMetricType: 3, inputUnitTypeId: crate, inputQuantity: 1 },
    { id: apples, inputMetricType: 2, inputQuantity: 99_999_999_999 },
  )
  assert.equal(status, 400)
  assert.deepEqual(body, {
    ErrorType: 'Verification Failed',
    ErrorMessages: [
      `conversions[1]: the client has no product with the id ${unknown}.`,
      'conversions[2]: the client has no product with the code PLUM.',
      'conversions[3]: id and code PEAR are two products.',
      "conversions[4]: the unit is not in the product's chain.",
      'conversions[5]: the result is more than 99,999,999,999.9999 of a unit.',
    ],
  })
})

test('malformed conversions are reported by field', async () => {
  const { status, body } = await convert(
    { id: 'x', inputMetricType: 4, inputQuantity: 1.23456, metricResolution: 3 },
    {},
    { id: apples, inputMetricType: 1, inputQuantity: -0.5 },
    { id: apples, inputMetricType: 3, inputQuantity: 1 },
    { id: apples, inputMetricType: 2, inputUnitTypeId: carton, inputQuantity: 1 },
  )
  assert.equal(status, 400)
  assert.deepEqual(
    body.ErrorMessages.toSorted(),
    [
      'conversions[0].id must be a uuid.',
      'conversions[0].inputMetricType must be one of 1 (Item), 2 (VirtualPallet), 3 (UnitType).',
      'conversions[0].inputQuantity must have at most 4 decimal places.',
      'conversions[0].metricResolution must be one of 1 (Compound), 2 (Cascade).',
      'conversions[1].inputMetricType is required.',
      'conversions[1].inputQuantity is required.',
      'conversions[1] must have an id or a code of a product.',
      'conversions[2].inputQuantity must be 0 or more.',
      'conversions[3].inputUnitTypeId is required when inputMetricType is 3.',
      'conversions[4].inputUnitTypeId must be left out unless inputMetricType is 3.',
    ].toSorted(),
  )
  assert.deepEqual((await admin.post(path, {})).body.ErrorMessages, ['conversions is required.'])
})

test('a request takes at most 1,000 conversions', async () => {
  const conversion = { code: 'APPLE', inputMetricType: 1, inputQuantity: 480, metricResolution: 2 }
  const { status, body } = await convert(...Array.from({ length: 1_000 }, () => conversion))
  assert.equal(status, 200)
  assert.equal(body.results.length, 1_000)
  assert.deepEqual(body.results[999].metrics, [ofPallet(1)])
  const more = await convert(...Array.from({ length: 1_001 }, () => conversion))
  assert.deepEqual(
    [more.status, more.body.ErrorMessages],
    [400, ['conversions must have at most 1,000 entries.']],
  )
})

test("a carrier, an unknown partner and another organisation's client have no products", async () => {
  const body = { conversions: [{ id: apples, inputMetricType: 1, inputQuantity: 1 }] }
  for (const [caller, partnerId] of [
    [admin, carrierId],
    [admin, '00000000-0000-7000-8000-000000000000'],
    [await stranger(), clientId],
  ] as const) {
    const answer = await caller.post(`/v1/partners/${partnerId}/products/convert-units`, body)
    assert.deepEqual([answer.status, answer.body.ErrorMessages], [404, ['Client not found.']])
  }
})

test("a product is converted for its own client only, and a partner's token converts its own", async () => {
  const otherId = await made('/v1/partners', { name: 'Rimu', code: 'RIMU', relationship: 1 })
  const body = { conversions: [{ code: 'APPLE', inputMetricType: 1, inputQuantity: 1 }] }
  const refused = await admin.post(`/v1/partners/${otherId}/products/convert-units`, body)
  assert.deepEqual(refused.body.ErrorMessages, [
    'conversions[0]: the client has no product with the code APPLE.',
  ])
  const own = as(admin, { partnerId: clientId, scopes: ['partner.read'] })
  assert.equal(
    (await own.post(`/v1/partners/${otherId}/products/convert-units`, body)).body.results[0].id,
    apples,
  )
  assert.equal((await as(admin, { scopes: ['consignment'] }).post(path, body)).status, 403)
})
