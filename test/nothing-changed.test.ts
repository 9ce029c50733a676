// What holds for every update alike: the same again changes nothing, which is answered with 304 and told
// nobody. Open-points 1 (304).

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../src/platform/database/db.ts'
import type { Endpoint } from '../src/platform/http/endpoint.ts'
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

/**
 * What updates say where it is not what their record reads, or where the record of a new organisation is
 * nearly empty.
 */
const said: Record<string, object> = {
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
  [`PUT ${consignment}/service-types`]: { serviceTypeIds: [] },
  [`PUT ${consignment}/charges/:consignmentChargeId`]: { isIncluded: false },
  'PUT /v1/printer-bridges/:printerBridgeId/printers': {
    printers: [
      { name: 'Office', type: 2, language: 1 },
      { name: 'Dock', type: 1, language: 2, dotsPerMM: 8 },
    ],
  },
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

/** What ends the life of the record that the others change. */
const last = [`PUT ${consignment}/reopen`, `PUT ${consignment}/void`]

/**
 * A body made of what reads the same: the record itself or, of a part such as its status, the record around
 * it.
 */
async function readBack({ path, body }: Endpoint): Promise<object | undefined> {
  if (body === undefined) return undefined
  const around = path.slice(0, path.lastIndexOf('/'))
  const reader = [path, around].find(at =>
    endpoints.some(endpoint => endpoint.method === 'GET' && endpoint.path === at),
  )
  const read = reader === undefined ? {} : (await admin.get(urlOf(reader))).body
  const { properties = {} } = body as { properties?: object }
  return Object.fromEntries(
    Object.keys(properties).flatMap(name => (read[name] == null ? [] : [[name, read[name]]])),
  )
}

async function update({ method, path }: Endpoint, body: object | undefined): Promise<number> {
  const by = path === '/v1/printer-bridges/:printerBridgeId/printers' ? bridge : admin
  const { status, body: answer } = await (method === 'PUT' ? by.put : by.post)(urlOf(path), body)
  assert.ok(status === 200 || status === 304, `${status} ${JSON.stringify(answer)}`)
  return status
}

/** Gives back what the consignment received when it became Complete, without which it cannot be Void. */
async function takeBack(): Promise<void> {
  const rows = await database.db.rows<{ warehouseProductId: string }>(sql`
    select warehouse_product_id from inventory_transaction
    where consignment_id = ${records['/v1/consignments/:consignmentId']}`)
  await admin.put(`${urlOf(consignment)}/status`, { status: 4 })
  const { status } = await admin.post(`${urlOf(consignment)}/unreceive`, { unreceipts: rows, reason: 'Test' })
  assert.equal(status, 200)
}

const events = () =>
  database.db.rows(
    sql`select id from event where organisation_id = ${admin.actor.organisationId} order by id`,
  )

const updates = endpoints.filter(({ response }) => response.kind === 'changed')
const walked = new Set<Endpoint>()
for (const endpoint of updates.toSorted((a, b) => last.indexOf(nameOf(a)) - last.indexOf(nameOf(b)))) {
  test(`${nameOf(endpoint)}: the same again is 304, reads the same and raises no event`, async () => {
    if (nameOf(endpoint) === `PUT ${consignment}/reopen`)
      for (const status of [0, 6]) await admin.put(`${urlOf(consignment)}/status`, { status })
    if (nameOf(endpoint) === `PUT ${consignment}/void`) await takeBack()
    const body = said[nameOf(endpoint)] ?? (await readBack(endpoint))
    assert.ok(
      body === undefined || last.includes(nameOf(endpoint)) || Object.keys(body).length > 0,
      'It says nothing.',
    )
    const first = await update(endpoint, body)
    if (said[nameOf(endpoint)] !== undefined) assert.equal(first, 200)
    const read = async () => (await admin.get(urlOf(endpoint.path))).body
    const [readBefore, eventsBefore] = [await read(), await events()]
    assert.equal(await update(endpoint, body), 304)
    assert.deepEqual(await read(), readBefore)
    assert.deepEqual(await events(), eventsBefore)
    walked.add(endpoint)
  })
}

test('every endpoint that states 304 is asked for the same twice', () => {
  // Of a GET it says that the caller has the answer already; conditional.test.ts asks for that.
  const stating = endpoints.filter(
    endpoint => endpoint.method !== 'GET' && documentedStatuses(endpoint).includes(304),
  )
  assert.ok(stating.length > 30)
  assert.deepEqual(stating.filter(endpoint => !walked.has(endpoint)).map(nameOf), [])
})
