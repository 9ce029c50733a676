// Every field of an import or a change can be read back from the consignment under the same name. Spec 2.2,
// 2.3; decision 4.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ImportRequest } from '../../../src/consignment-imports/import-request.ts'
import {
  type ConsignmentField,
  type ConsignmentFields,
  importedFields,
  parts,
} from '../../../src/consignments/consignment-fields.ts'
import { createConsignments } from '../../../src/consignments/create-consignment.ts'
import { consignmentDetail } from '../../../src/consignments/detail/consignment-detail.ts'
import { newId } from '../../../src/platform/new-id.ts'
import { openImports, request } from '../../support/given-imports.ts'

const { world, drain, imported, clientId } = await openImports()
const { admin, database } = world
const { organisationId } = admin.actor
const [{ code: loadShippingPortCode }, { code: dischargeShippingPortCode }] = (
  await admin.get('/v1/shipping-ports')
).body.shippingPorts

const address = {
  code: 'SHOP',
  name: 'Corner shop',
  email: 'shop@example.com',
  phone: '03 123',
  streetAddress: '1 High Street',
  suburb: 'Centre',
  city: 'Dunedin',
  state: 'Otago',
  postCode: '9016',
  country: 'New Zealand',
  latitude: -45.87,
  longitude: 170.5,
}
const product = {
  productCode: 'APPLE',
  goodsDescription: 'Red ones',
  batch: 'B1',
  bestBeforeDate: '2027-01-01T00:00:00Z',
  expiryDate: '2027-01-02T00:00:00Z',
  packagingDate: '2026-01-03T00:00:00Z',
  productionDate: '2026-01-04T00:00:00Z',
  sellByDate: '2027-01-05T00:00:00Z',
  packageTypeCode: 'BOX',
  logisticUnitSsccNumber: '106141411234567897',
  logisticUnitReferenceNumber: 'LU-1',
  isManualReconciliationRequired: true,
  criticalStockStatus: 2,
  attributes: [{ name: 'Colour', description: 'red' }],
  items: [{ serial: null, quantity: 2.5, weightKG: 1.25, volumeM3: 0.5 }],
}

const { body: sydney } = await admin.post('/v1/warehouses', {
  ...{ name: 'Sydney', code: 'SYD', timezoneId: 'Australia/Sydney' },
})
const { body: dock } = await admin.post(`/v1/warehouses/${sydney.warehouseId}/locations`, {
  ...{ name: 'DOCK', type: 1 },
})

/** A value that a field may have. */
function sampleOf(name: string, { schema, code, isAddress, isLocation }: ConsignmentField): unknown {
  if (code !== undefined)
    return { carrier: 'SWF', warehouse: 'SYD', 'shipping port': loadShippingPortCode }[code.kind]
  if (isAddress) return address
  if (isLocation) return dock.warehouseLocationId
  const { type, format, enum: values } = schema as { type: string; format?: string; enum?: unknown[] }
  if (values !== undefined) return values.at(-1)
  if (format === 'local-date-time') return '2026-03-05T09:30:00Z'
  return { string: `${name} 1`, integer: 7, number: 12.5, boolean: true }[type]
}
const samplesOf = (fields: ConsignmentFields) =>
  Object.entries(fields).map(([name, field]) => [name, sampleOf(name, field)] as const)

const fullRequest = {
  ...Object.fromEntries(samplesOf(importedFields)),
  consignmentType: 2,
  clientCode: 'KAURI',
  idempotencyKey: 'K-1',
  referenceNumber: 'R-1',
  externalId: 'X-1',
  carrierCode: 'SWF',
  carrierReference: 'CR-1',
  enteredDate: '2026-03-01T09:30:00Z',
  expectedArrivalDateTime: '2026-03-02T09:30:00Z',
  expectedDispatchDateTime: '2026-03-03T09:30:00Z',
  expectedDeliveryDateTime: '2026-03-04T09:30:00Z',
  warehouseCode: 'AKL',
  originAddress: { ...address, code: 'FARM' },
  originAddressAttention: 'Ann',
  destinationAddress: address,
  destinationAddressAttention: 'Bob',
  destinationAuthorityToLeave: true,
  deliveryInstructions: 'Ring twice',
  pickingInstructions: 'Oldest first',
  receiversReference: 'RR-1',
  sendersReference: 'SR-1',
  poNumber: 'PO-1',
  soNumber: 'SO-1',
  containerNumber: 'MSCU1234567',
  containerSealNumber: 'SEAL-1',
  containerSize: 2,
  containerType: 3,
  containerTareWeightKG: 2200.5,
  containerGrossWeightKG: 9000.25,
  containerYardCode: 'Y1',
  containerYardReference: 'YR-1',
  containerVesselName: 'Aotea',
  containerVoyage: '12S',
  loadShippingPortCode,
  dischargeShippingPortCode,
  serviceTypeCodes: ['EXP'],
  tasks: [{ taskTypeCode: 'WRAP', value: 2 }],
  notes: [{ note: 'Fragile', displayOnPrintOut: true, attachments: [] }],
  products: [product],
  attachments: [],
}

/** Fields that concern the import itself, or that the consignment has in another form. */
const skippedFields = new Set(['idempotencyKey', 'attachments', 'tasks', 'notes', 'products'])

const { properties } = ImportRequest as unknown as {
  properties: { products: { items: { properties: object } } }
}

test('every field of an import and its products can be read from the consignment under the same name', async () => {
  assert.deepEqual(Object.keys(fullRequest).toSorted(), Object.keys(properties).toSorted())
  assert.deepEqual(
    Object.keys(product).toSorted(),
    Object.keys(properties.products.items.properties).toSorted(),
  )
  const { consignmentId } = (await admin.post('/v1/consignment-imports', request(fullRequest))).body
  await drain()
  // A line asks for manual reconciliation.
  assert.equal((await admin.put(`/v1/consignment-imports/${consignmentId}/reconcile`)).status, 200)
  await drain()
  const { status, body } = await admin.get(`/v1/consignments/${consignmentId}`)
  assert.equal(status, 200)
  for (const [field, value] of Object.entries(fullRequest))
    if (!skippedFields.has(field)) assert.deepEqual(body[field], value, field)
  for (const [field, value] of Object.entries(product))
    assert.deepEqual(body.products[0][field], value, field)
  assert.deepEqual([body.tasks[0].taskTypeName, body.tasks[0].value], ['Wrapping', 2])
  assert.deepEqual([body.notes[0].note, body.notes[0].displayOnPrintOut], ['Fragile', true])
})

test('every field that a change takes can be read from the consignment under the same name', async () => {
  const id = newId()
  const consignment = {
    ...({ id, clientId, type: 0, status: 1, dateEntered: '2026-03-01' } as const),
    destinationAuthorityToLeave: false,
  }
  // Without lines, because the warehouse of a consignment with lines cannot change.
  const records = { lines: [], items: [], serviceTypes: [], tasks: [], notes: [], attachments: [] }
  const source = { organisationId, connectionId: null, userId: null, requestId: null }
  await database.atomically(tx =>
    createConsignments(tx, organisationId, [{ consignment, ...records, source }]),
  )
  for (const [part, fields] of Object.entries<ConsignmentFields>(parts))
    for (const [field, value] of samplesOf(fields)) {
      assert.equal((await admin.put(`/v1/consignments/${id}/${part}`, { [field]: value })).status, 200, field)
      assert.deepEqual((await admin.get(`/v1/consignments/${id}`)).body[field], value, field)
    }
})

interface Shape {
  properties?: Record<string, Shape>
  items?: Shape
}

/** Compares the fields of a value, and of the values in it, with those of its schema. */
function compareFields(value: unknown, { properties, items }: Shape, path: string): void {
  if (items !== undefined) for (const one of value as unknown[]) compareFields(one, items, `${path}[]`)
  if (properties === undefined || value === null) return
  const fields = value as Record<string, unknown>
  assert.deepEqual(Object.keys(fields).toSorted(), Object.keys(properties).toSorted(), path)
  for (const [name, shape] of Object.entries(properties))
    compareFields(fields[name], shape, `${path}.${name}`)
}

test('the detail of a consignment has exactly the fields of its schema, at every level', async () => {
  const { idempotencyKey, ...again } = fullRequest
  const line = { ...product, isManualReconciliationRequired: false }
  const id = await imported({ ...again, products: [line] })
  assert.equal((await admin.post(`/v1/consignments/${id}/tracking`, { trackingNumber: 'T-1' })).status, 200)
  const { body } = await admin.get(`/v1/consignments/${id}`)
  const [{ response } = {}] = consignmentDetail
  compareFields(body, response?.schema as Shape, 'consignment')
  assert.deepEqual(
    [body.products, body.notes, body.tasks, body.serviceTypes].map(rows => rows.length),
    [1, 1, 1, 1],
  )
})

test('the detail of a consignment has the fields of its list row, with the same values', async () => {
  const id = await imported({ carrierCode: 'SWF', referenceNumber: 'R-2' })
  const [row] = (await admin.get('/v1/consignments?SearchText=R-2')).body.consignments
  const { body } = await admin.get(`/v1/consignments/${id}`)
  assert.equal(row.id, id)
  for (const [field, value] of Object.entries(row)) assert.deepEqual(body[field], value, field)
})

test('texts in every script are returned in UTF-8 as they were sent', async () => {
  const text = 'Größe 40 ſt · 東京 · שלום · 🚚'
  const id = await imported({ deliveryInstructions: text })
  const { body, bytes, headers } = await admin.get(`/v1/consignments/${id}`)
  assert.equal(body.deliveryInstructions, text)
  assert.ok(bytes.includes(Buffer.from(text, 'utf8')))
  assert.match(String(headers['content-type']), /^application\/json(; charset=utf-8)?$/)
})
