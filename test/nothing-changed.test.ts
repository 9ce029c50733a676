// Updates that are repeated change nothing: they return 304 and raise no event. Decision 1.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Endpoint } from '../src/access/endpoint.ts'
import { sql } from '../src/platform/database/db.ts'
import { documentedStatuses } from '../src/platform/http/openapi.ts'
import { endpoints, openWorld } from './support/harness.ts'
import { addressOf, recordsOf } from './support/records.ts'

const world = await openWorld()
const { admin, database } = world
const records = await recordsOf(world, admin)

const urlOf = (path: string) => addressOf(records, path)
const { clientId } = (await admin.get(urlOf('/v1/printer-bridges/:printerBridgeId'))).body
const bridge = world.as(admin, { clientId })
const nameOf = ({ method, path }: Endpoint) => `${method} ${path}`
const consignment = '/v1/consignments/:consignmentId'
const portCode = (await admin.get('/v1/shipping-ports')).body.shippingPorts[0].code

/** Bodies of updates that differ from what their record returns, or whose record is nearly empty at first. */
const bodies: Record<string, object> = {
  [`POST ${consignment}/edi-detail`]: { ediStatus: 11, message: 'Sent' },
  [`POST ${consignment}/tracking/:consignmentTrackingId/event`]: {
    status: 5,
    details: 'Delivered',
    eventDateTime: '2026-03-01T10:00',
  },
  [`PUT ${consignment}/tracking/:consignmentTrackingId`]: {
    carrierName: 'Swift',
    status: 5,
    trackingNumber: 'T1',
  },
  [`PUT ${consignment}/general`]: {
    referenceNumber: 'PO 1',
    externalId: 'X1',
    enteredDate: '2026-03-01T10:00:00',
    expectedArrivalDateTime: '2026-04-05T02:30',
    expectedDispatchDateTime: '2026-03-02T10:00:00+13:00',
    deliveryInstructions: 'Ring twice',
  },
  [`PUT ${consignment}/route`]: {
    carrierReference: 'R1',
    carrierRunOrdinal: 3,
    originAddress: { name: 'Ann', city: 'Auckland', latitude: -36.85, longitude: 174.76 },
    destinationAuthorityToLeave: true,
    loadShippingPortCode: portCode,
  },
  [`PUT ${consignment}/container`]: {
    containerNumber: 'MSCU1234567',
    containerTareWeightKG: 2200.5,
    containerVoyage: '12S',
  },
  [`PUT ${consignment}/consumables/:consumableTypeId`]: { value: 2.5 },
  [`PUT ${consignment}/tasks/:taskTypeId`]: { value: 2.5 },
  [`PUT ${consignment}/products/:consignmentProductId`]: {
    productCode: 'PEAR',
    items: [{ quantity: 2.5, weightKG: 1 }],
    expiryDate: '2026-12-01',
  },
  [`PUT ${consignment}/service-types`]: { serviceTypeIds: [] },
  [`PUT ${consignment}/charges/:consignmentChargeId`]: { isIncluded: false },
  'PUT /v1/printer-bridges/:printerBridgeId/printers': {
    printers: [
      { name: 'Office', type: 2, language: 1 },
      { name: 'Dock', type: 1, language: 2, dotsPerMM: 8 },
    ],
  },
  ...Object.fromEntries(
    ['add', 'remove'].map(change => [
      `POST /v1/schedules/:partnerScheduleId/transactions/${change}`,
      { transactionIds: [records['/v1/schedule-transactions/:scheduleTransactionId']] },
    ]),
  ),
  'PUT /v1/stock-counts/:stockCountId/status': { status: 2 },
  'PUT /v1/jobs/:jobId/replenishment': { priority: 4, reference: 'Monday' },
  'PUT /v1/jobs/:jobId/replenishment/status': { status: 2 },
  'PUT /v1/jobs/:jobId/wave-pick': {
    style: 2,
    dueDateTime: '2026-04-05T02:30',
    priority: 4,
    reference: 'Monday',
    description: 'First',
  },
}

/** Updates that come last, because they end the life of the record that the others change. */
const lastUpdates = [`PUT ${consignment}/reopen`, `PUT ${consignment}/void`]

/** Creates a body from the current values of the record or, for a part such as its status, of its parent. */
async function bodyFromRecord({ path, body }: Endpoint): Promise<object | undefined> {
  if (body === undefined) return undefined
  const parentPath = path.slice(0, path.lastIndexOf('/'))
  const reader = [path, parentPath].find(candidate =>
    endpoints.some(endpoint => endpoint.method === 'GET' && endpoint.path === candidate),
  )
  const read = reader === undefined ? {} : (await admin.get(urlOf(reader))).body
  const { properties = {} } = body as { properties?: object }
  return Object.fromEntries(
    Object.keys(properties).flatMap(name => (read[name] == null ? [] : [[name, read[name]]])),
  )
}

async function update({ method, path }: Endpoint, body: object | undefined): Promise<number> {
  const by = path === '/v1/printer-bridges/:printerBridgeId/printers' ? bridge : admin
  const { status, body: response } = await (method === 'PUT' ? by.put : by.post)(urlOf(path), body)
  assert.ok(status === 200 || status === 304, `${status} ${JSON.stringify(response)}`)
  return status
}

/** Unreceives what the consignment received when it became Complete, because otherwise it cannot be Void. */
async function unreceiveAll(): Promise<void> {
  const rows = await database.db.rows<{ warehouseProductId: string }>(sql`
    select warehouse_product_id from inventory_transaction
    where consignment_id = ${records['/v1/consignments/:consignmentId']}`)
  await admin.put(`${urlOf(consignment)}/status`, { status: 4 })
  const { status } = await admin.post(`${urlOf(consignment)}/unreceive`, { unreceipts: rows, reason: 'Test' })
  assert.equal(status, 200)
}

const listEvents = () =>
  database.db.rows(
    sql`select id from event where organisation_id = ${admin.actor.organisationId} order by id`,
  )

const updates = endpoints.filter(({ response }) => response.kind === 'changed')
const testedEndpoints = new Set<Endpoint>()
for (const endpoint of updates.toSorted(
  (a, b) => lastUpdates.indexOf(nameOf(a)) - lastUpdates.indexOf(nameOf(b)),
)) {
  test(`${nameOf(endpoint)}: repeating it returns 304, changes nothing and raises no event`, async () => {
    if (nameOf(endpoint) === `PUT ${consignment}/reopen`)
      for (const status of [0, 6]) await admin.put(`${urlOf(consignment)}/status`, { status })
    if (nameOf(endpoint) === `PUT ${consignment}/void`) await unreceiveAll()
    const body = bodies[nameOf(endpoint)] ?? (await bodyFromRecord(endpoint))
    assert.ok(
      body === undefined || lastUpdates.includes(nameOf(endpoint)) || Object.keys(body).length > 0,
      'The body is empty.',
    )
    const first = await update(endpoint, body)
    if (bodies[nameOf(endpoint)] !== undefined) assert.equal(first, 200)
    const read = async () => (await admin.get(urlOf(endpoint.path))).body
    const [readBefore, eventsBefore] = [await read(), await listEvents()]
    assert.equal(await update(endpoint, body), 304)
    assert.deepEqual(await read(), readBefore)
    assert.deepEqual(await listEvents(), eventsBefore)
    testedEndpoints.add(endpoint)
  })
}

test('every endpoint that documents 304 is tested above', () => {
  // For a GET, 304 means that the caller already has the response; conditional.test.ts tests that.
  const documenting = endpoints.filter(
    endpoint => endpoint.method !== 'GET' && documentedStatuses(endpoint).includes(304),
  )
  assert.ok(documenting.length > 30)
  assert.deepEqual(documenting.filter(endpoint => !testedEndpoints.has(endpoint)).map(nameOf), [])
})
