import assert from 'node:assert/strict'
import { test } from 'node:test'
import { line, openImports } from '../../support/given-imports.ts'

const { world, imported, clientId, carrierId, warehouseId } = await openImports()
const { admin, as, stranger } = world

const noActuals = { actualQuantity: null, actualWeightKG: null, actualVolumeM3: null }

test('the detail has every field of the import, its lines and its collections', async () => {
  const request = {
    consignmentType: 2,
    referenceNumber: 'R-1',
    externalId: 'X-1',
    carrierCode: 'SWF',
    carrierReference: 'CR-1',
    enteredDate: '2026-03-01T09:30:00Z',
    expectedDispatchDateTime: '2026-03-02T00:00:00+00:00',
    warehouseCode: 'AKL',
    destinationAddress: { name: 'Corner shop', city: 'Dunedin', latitude: -45.87 },
    destinationAuthorityToLeave: true,
    deliveryInstructions: 'Ring twice.',
    poNumber: 'PO-1',
    containerNumber: 'MSCU1234567',
    containerSize: 2,
    containerTareWeightKG: 2200.5,
    serviceTypeCodes: ['EXP'],
    tasks: [{ taskTypeCode: 'WRAP', value: 2 }],
    notes: [{ note: 'Fragile', displayOnPrintOut: true }],
    products: [
      line({ batch: 'B1', packageTypeCode: 'BOX', attributes: [{ name: 'Colour', description: 'red' }] }),
      line({ productCode: 'PEAR', items: [{ quantity: 1.5, weightKG: 3, volumeM3: 0.25 }] }),
    ],
  }
  const { status, body } = await admin.get(`/v1/consignments/${await imported(request)}`)
  assert.equal(status, 200)
  const { serviceTypeCodes, tasks, notes, products, consignmentType, ...fields } = request
  for (const [field, value] of Object.entries(fields)) {
    if (field === 'expectedDispatchDateTime') continue
    assert.deepEqual(body[field], value, field)
  }
  assert.equal(
    body.expectedDispatchDateTime,
    '2026-03-02T13:00:00Z',
    'an instant is told in the wall clock of the warehouse',
  )
  assert.deepEqual([body.type, body.consignmentType, body.priority, body.status], [2, consignmentType, 2, 1])
  assert.deepEqual([body.client.id, body.carrier.id, body.warehouseId], [clientId, carrierId, warehouseId])
  assert.equal(body.client.code, 'KAURI')
  assert.deepEqual(body.serviceTypeCodes, ['EXP'])
  assert.deepEqual(body.serviceTypes[0].code, 'EXP')
  assert.deepEqual([body.tasks[0].taskTypeName, body.tasks[0].value], ['Wrapping', 2])
  assert.deepEqual(
    [body.notes[0].note, body.notes[0].displayOnPrintOut, body.notes[0].attachmentCount],
    ['Fragile', true, 0],
  )
  const [apples, pears] = body.products
  assert.deepEqual(
    [apples.product.code, apples.productCode, apples.batch, apples.packageTypeCode],
    ['APPLE', 'APPLE', 'B1', 'BOX'],
  )
  assert.deepEqual(apples.attributes, [{ name: 'Colour', description: 'red' }])
  assert.deepEqual(
    [apples.expectedQuantity, apples.expectedWeightKG, apples.expectedVolumeM3],
    [10, 2.5, 0.005],
  )
  assert.deepEqual(pears.items, [{ serial: null, quantity: 1.5, weightKG: 3, volumeM3: 0.25 }])
  assert.deepEqual(body.metrics, {
    ...noActuals,
    expectedQuantity: 11.5,
    expectedWeightKG: 5.5,
    expectedVolumeM3: 0.255,
  })
  assert.deepEqual([body.consumables, body.pods, body.consignmentTracking, body.jobs], [[], [], [], []])
  assert.equal(body.ediStatus, null)
})

test('the total weight or volume is null if no line has one, and otherwise the sum of those that have', async () => {
  const unknown = { productCode: 'PEAR', items: [{ quantity: 2 }] }
  const of = async (products: object[]) =>
    (await admin.get(`/v1/consignments/${await imported({ products })}`)).body
  const nothing = await of([unknown])
  assert.deepEqual([nothing.products[0].expectedWeightKG, nothing.products[0].expectedVolumeM3], [null, null])
  assert.deepEqual(nothing.metrics, {
    ...noActuals,
    expectedQuantity: 2,
    expectedWeightKG: null,
    expectedVolumeM3: null,
  })
  assert.deepEqual((await of([unknown, line()])).metrics, {
    ...noActuals,
    expectedQuantity: 12,
    expectedWeightKG: 2.5,
    expectedVolumeM3: 0.005,
  })
})

test('a consignment without a carrier has none in its detail', async () => {
  const { body } = await admin.get(`/v1/consignments/${await imported()}`)
  assert.deepEqual(
    [body.carrier, body.carrierId, body.carrierCode, body.originAddress],
    [null, null, null, null],
  )
})

test('a consignment is visible to its organisation and, of its partners, to its client and carrier only', async () => {
  const id = await imported({ carrierCode: 'SWF' })
  assert.equal((await (await stranger()).get(`/v1/consignments/${id}`)).status, 404)
  assert.equal((await as(admin, { partnerId: clientId }).get(`/v1/consignments/${id}`)).status, 200)
  assert.equal((await as(admin, { partnerId: carrierId }).get(`/v1/consignments/${id}`)).status, 200)
  const other = (await admin.post('/v1/partners', { name: 'Other', code: 'OTHER', relationship: 1 })).body
    .partnerId
  assert.equal((await as(admin, { partnerId: other }).get(`/v1/consignments/${id}`)).status, 404)
  assert.equal((await as(admin, { partnerId: other }).put(`/v1/consignments/${id}/void`)).status, 404)
})
