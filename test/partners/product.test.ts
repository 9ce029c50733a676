import assert from 'node:assert/strict'
import { test } from 'node:test'
import { volumeM3 } from '../../src/partners/product.ts'
import { acute, openProducts } from '../support/given-products.ts'

const { world, newClient, products, create, carton, inner } = await openProducts()
const { admin } = world

test('a calculated volume follows the sides, and another one is refused', async () => {
  const box = {
    code: 'BOX',
    name: 'Box',
    isVolumeAutoCalculated: true,
    lengthMM: 333,
    heightMM: 77,
    widthMM: 51,
  }
  const refused = await admin.post(products, { ...box, volumeM3: 9 })
  assert.deepEqual(refused.body.ErrorMessages, [
    'volumeM3 is calculated from the sides while isVolumeAutoCalculated is true.',
  ])
  const id = await create({ ...box, volumeM3: 0.001308 })
  const volume = async () => (await admin.get(`${products}/${id}`)).body.volumeM3
  assert.equal(await volume(), 0.001308)
  assert.equal(
    (await admin.put(`${products}/${id}`, { lengthMM: 1_000_000, heightMM: 1_000_000, widthMM: 999_999 }))
      .status,
    200,
  )
  assert.equal(await volume(), 999_999_000)
  assert.equal((await admin.put(`${products}/${id}`, { volumeM3: 5 })).status, 400)
  assert.equal((await admin.put(`${products}/${id}`, { volumeM3: 999_999_000 })).status, 304)
  assert.equal(
    (await admin.put(`${products}/${id}`, { isVolumeAutoCalculated: false, volumeM3: 5 })).status,
    200,
  )
  assert.equal(await volume(), 5)
  assert.equal((await admin.put(`${products}/${id}`, { isVolumeAutoCalculated: true })).status, 200)
  assert.equal(await volume(), 999_999_000)
  assert.equal((await admin.put(`${products}/${id}`, { lengthMM: null })).status, 200)
  assert.equal(await volume(), null, 'what was calculated from a side goes with it')
  const partly = await create({
    code: 'TUBE',
    name: 'Tube',
    isVolumeAutoCalculated: true,
    lengthMM: 100,
    volumeM3: 0.5,
  })
  assert.equal(
    (await admin.get(`${products}/${partly}`)).body.volumeM3,
    0.5,
    'without all three lengths the given volume stands',
  )
})

test('the volume of a box is rounded half up to six decimal places', () => {
  assert.equal(volumeM3(300, 200, 400), 0.024)
  assert.equal(volumeM3(1, 1, 499), 0)
  assert.equal(volumeM3(1, 1, 500), 0.000001)
})

test('an attribute usage that is not set follows the client when the client changes', async () => {
  const client = await newClient()
  const { partnerProductId } = (
    await admin.post(`/v1/partners/${client}/products`, { code: 'A', name: 'A', expiryUsage: 1 })
  ).body
  await admin.put(`/v1/partners/${client}`, { productBatchUsage: 3, productExpiryUsage: 3 })
  const { body } = await admin.get(`/v1/partners/${client}/products/${partnerProductId}`)
  assert.deepEqual([body.batchUsage, body.expiryUsage], [3, 1])
})

test('isSerialRequired follows from the serial tracking mode, or sets it on creation', async () => {
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
  const change = async (body: object) =>
    (await admin.put(`${products}/${id}`, body)).body?.ErrorMessages ?? (await serials(id))
  const contradiction = ['isSerialRequired must be true when serialTrackingMode is 3.']
  assert.deepEqual(await change({ isSerialRequired: false }), contradiction)
  assert.deepEqual(await change({ isSerialRequired: false, serialTrackingMode: 3 }), contradiction)
  assert.deepEqual(await change({ isSerialRequired: false, serialTrackingMode: 1 }), [false, 1])
  assert.deepEqual(await change({ isSerialRequired: true, name: 'Other' }), [
    'isSerialRequired must be false when serialTrackingMode is 1.',
  ])
  assert.deepEqual(await change({ isSerialRequired: true, serialTrackingMode: 2 }), [true, 2])
})

test('all faults of a product are reported together, by field', async () => {
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
    'batchUsage must be one of 1 (Hidden), 2 (Optional), 3 (Required).',
    'code must have at most 50 characters.',
    'dgHazardClasses[1].dgHazardClassId is required.',
    'dgHazardClasses[2].dgHazardClassId must not name a class twice.',
    'dgPackagingGroup must be one of 1 (I), 2 (II), 3 (III).',
    'dgPhLevel must be 14 or less.',
    'dgUnNumber must be a string.',
    'heightMM must be 0 or more.',
    'isDangerousGood must be true or false.',
    'lengthMM must be a whole number.',
    'name is required.',
    'productGroupId must be a uuid.',
    'serialTrackingMode must be one of 1 (None), 2 (FullCapture), 3 (ReleaseCapture).',
    'status must be one of 1 (Active), 2 (Inactive).',
    'unitConversions[0].inputUnitTypeId is required when inputMetricType is 3.',
    'unitConversions[1].outputUnitTypeId must be left out unless outputMetricType is 3.',
    'volumeM3 must be 0 or more.',
    'weightKG must have at most 4 decimal places.',
    'widthMM must be 1000000 or less.',
  ])
})

test('unit conversions that are no chain are refused on creation and on change', async () => {
  const unitConversions = [
    {
      inputMetricType: 3,
      inputUnitTypeId: carton,
      outputMetricType: 3,
      outputUnitTypeId: inner,
      conversionRate: 2,
    },
    {
      inputMetricType: 3,
      inputUnitTypeId: inner,
      outputMetricType: 3,
      outputUnitTypeId: carton,
      conversionRate: 2,
    },
  ]
  const expected = [
    'unitConversions[0] must not lead back to its own unit.',
    'unitConversions[1] must not lead back to its own unit.',
  ]
  assert.deepEqual(
    (await admin.post(products, { code: 'LOOP', name: 'Loop', unitConversions })).body.ErrorMessages,
    expected,
  )
  const id = await create({ code: 'LOOP', name: 'Loop' })
  assert.deepEqual((await admin.put(`${products}/${id}`, { unitConversions })).body.ErrorMessages, expected)
})
