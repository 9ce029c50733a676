// What holds for every update alike: null empties a field that may be empty, so does an empty text, and a
// field that cannot be empty is refused or stays. Open-points 1 (bodies).

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Endpoint } from '../src/platform/http/endpoint.ts'
import { openConsignments } from './support/given-consignments.ts'
import { endpoints, openWorld } from './support/harness.ts'
import { addressOf, recordsOf } from './support/records.ts'

const world = await openWorld()
const { admin } = world
const records = await recordsOf(world, admin)

const nameOf = ({ method, path }: Endpoint) => `${method} ${path}`
const urlOf = (path: string) => addressOf(records, path)
const consignment = '/v1/consignments/:consignmentId'
const carrier = { name: 'Fast', code: 'FST', relationship: 2 }
const carrierId = (await admin.post('/v1/partners', carrier)).body.partnerId
const portCode = (await admin.get('/v1/shipping-ports')).body.shippingPorts[0].code
const hazardClassId = records['/v1/dg-hazard-classes/:dgHazardClassId']

/** These say what to do, not what a record is: null is absent, as in a new record. */
const commands = new Set([
  `POST ${consignment}/edi-detail`,
  `POST ${consignment}/tracking/:consignmentTrackingId/event`,
  `PUT ${consignment}/status`,
  `PUT ${consignment}/void`,
  `PUT ${consignment}/reopen`,
  'PUT /v1/schedule-transactions/:scheduleTransactionId/status',
  'PUT /v1/printer-bridges/:printerBridgeId/printers',
  'PUT /v1/print-jobs/:printJobId/retry',
])

/** Fields of the specification's own endpoints that cannot be empty: null keeps them. */
const kept: Record<string, string> = {
  [`PUT ${consignment}/tracking/:consignmentTrackingId`]: 'status',
  [`PUT ${consignment}/notes/:consignmentNoteId`]: 'displayOnPrintOut',
}

/** What cannot change once a consignment has lines; it has a test of its own. */
const ofTheWarehouse = new Set(['warehouseCode', 'destinationAddress'])

/** Beside the field, what a body needs. */
const beside: Record<string, object> = {
  [`PUT ${consignment}/notes/:consignmentNoteId`]: { note: 'Ring twice' },
}

/** What refers to a record, or has a form of its own. */
const values: Record<string, unknown> = {
  gs1CompanyPrefix: '9421234',
  currencyCode: 'NZD',
  ssccNumber: '094212340000000016',
  carrierId,
  carrierCode: 'FST',
  partnerId: records['/v1/partners/:partnerId'],
  partnerProductId: records['/v1/partners/:partnerId/products/:partnerProductId'],
  costCentreId: records['/v1/cost-centres/:id'],
  revenueAccountId: records['/v1/revenue-accounts/:id'],
  defaultReceiveLocationId: records['/v1/warehouses/:warehouseId/locations/:warehouseLocationId'],
  defaultDispatchLocationId: records['/v1/warehouses/:warehouseId/locations/:warehouseLocationId'],
  warehouseZoneId: records['/v1/warehouses/:warehouseId/zones/:warehouseZoneId'],
  productGroupId: records['/v1/product-groups/:id'],
  taxRateId: records['/v1/tax-rates/:id'],
  unitTypeId: records['/v1/unit-types/:id'],
  productUnitTypeId: records['/v1/unit-types/:id'],
  loadShippingPortCode: portCode,
  dischargeShippingPortCode: portCode,
  address: { city: 'Auckland' },
  originAddress: { city: 'Auckland' },
  destinationAddress: { city: 'Wellington' },
  dgHazardClasses: [{ dgHazardClassId: hazardClassId }],
  unitConversions: [{ inputMetricType: 2, outputMetricType: 1, conversionRate: 12 }],
}

interface Field {
  type?: string | string[]
  anyOf?: { type?: string }[]
  enum?: unknown[]
  format?: string
  else?: { format?: string }
}

const canBeNull = ({ type, anyOf = [] }: Field) =>
  [type].flat().includes('null') || anyOf.some(each => each.type === 'null')
const isText = ({ type, format }: Field) => [type].flat().includes('string') && format === undefined

const texts: Record<string, string> = {
  date: '2026-03-01',
  'local-date-time': '2026-03-01T10:00:00Z',
  'http-url': 'https://example.com/',
}

/** A value other than what the field has now. */
function otherValue(name: string, field: Field, now: unknown): unknown {
  const special = values[name]
  // The organisation's address is a text.
  if (special !== undefined && !(isText(field) && typeof special === 'object')) return special
  const type = [field.type].flat()[0]
  if (field.enum !== undefined) return field.enum.find(value => value !== null && value !== now)
  if (type === 'string')
    return name === 'email'
      ? 'ann@example.com'
      : (texts[field.format ?? field.else?.format ?? ''] ?? `Some ${name}`.slice(0, 30))
  return type === 'boolean' ? !now : 3
}

/** How a record reads in which the field is empty; `first` is how it read before anything was set. */
function emptied(name: string, first: unknown): unknown {
  if (name === 'dgHazardClasses' || name === 'unitConversions') return []
  // A product without one has its client's.
  if (name.endsWith('Usage')) return first
  return null
}

async function readField({ path }: Endpoint, name: string): Promise<unknown> {
  const around = path.slice(0, path.lastIndexOf('/'))
  const reader = [path, around].find(at =>
    endpoints.some(endpoint => endpoint.method === 'GET' && endpoint.path === at),
  )
  const { body } = await admin.get(urlOf(reader as string))
  const shown = name in body ? body[name] : body[name.replace(/Id$/, '')]
  assert.notEqual(shown, undefined, `${name} cannot be read.`)
  // An address of a warehouse has an id and a type, whatever else it has.
  if (name !== 'address' || shown === null || typeof shown === 'string') return shown
  const { id, type, ...fields } = shown
  return Object.values(fields).every(value => value === null) ? null : fields
}

const updates = endpoints.filter(
  endpoint => endpoint.response.kind === 'changed' && endpoint.body && !commands.has(nameOf(endpoint)),
)
let emptiedFields = 0
for (const endpoint of updates) {
  const name = nameOf(endpoint)
  const { properties } = endpoint.body as { properties: Record<string, Field> }
  test(`${name}: null empties every field that may be empty, and no other`, async () => {
    const say = (change: object) => admin.put(urlOf(endpoint.path), { ...beside[name], ...change })
    for (const [field, schema] of Object.entries(properties)) {
      if (kept[name] === field || ofTheWarehouse.has(field)) continue
      if (!canBeNull(schema)) {
        if (beside[name] !== undefined && field in beside[name]) continue
        const { status } = await say({ [field]: null })
        assert.equal(status, 400, `${field} must not be emptied.`)
        continue
      }
      emptiedFields++
      const first = await readField(endpoint, field)
      const value = otherValue(field, schema, first)
      const set = await say({ [field]: value })
      assert.equal(set.status, 200, `${field}: ${JSON.stringify(set.body)}`)
      assert.notDeepEqual(await readField(endpoint, field), emptied(field, first), `${field} was not set.`)
      assert.equal((await say({ [field]: null })).status, 200, `${field} is not emptied.`)
      assert.deepEqual(await readField(endpoint, field), emptied(field, first))
      assert.equal((await say({ [field]: null })).status, 304, `${field} is empty already.`)
      if (!isText(schema)) continue
      assert.equal((await say({ [field]: '' })).status, 304, `${field} is empty already.`)
      assert.equal((await say({ [field]: value })).status, 200)
      assert.equal((await say({ [field]: '' })).status, 200, `${field} is not emptied by an empty text.`)
      assert.deepEqual(await readField(endpoint, field), null)
    }
  })
}

for (const [name, field] of Object.entries(kept)) {
  test(`${name}: ${field} cannot be empty, so null keeps it`, async () => {
    const endpoint = updates.find(each => nameOf(each) === name) as Endpoint
    const say = (value: unknown) => admin.put(urlOf(endpoint.path), { ...beside[name], [field]: value })
    await say(field === 'status' ? 5 : true)
    assert.equal((await say(null)).status, 304)
    assert.deepEqual(await readField(endpoint, field), field === 'status' ? 5 : true)
  })
}

test('the walk met the fields that may be empty', () => assert.ok(emptiedFields > 75, String(emptiedFields)))

test('a PointToPoint consignment can lose its warehouse and its addresses, another keeps its warehouse', async () => {
  const stranger = await world.stranger()
  const { add } = await openConsignments(world.database, stranger)
  const plain = { status: 1, client: 0, carrier: null, warehouse: 0, day: 0, text: '' }
  const [inwards, pointToPoint] = await add([
    { ...plain, type: 1 },
    { ...plain, type: 0 },
  ])
  const refused = await stranger.put(`/v1/consignments/${inwards}/route`, { warehouseCode: null })
  assert.equal(refused.status, 400)
  assert.deepEqual(refused.body.ErrorMessages, [
    'warehouseCode cannot be empty: only a PointToPoint consignment has no warehouse.',
  ])
  const url = `/v1/consignments/${pointToPoint}`
  const city = { city: 'Auckland' }
  await stranger.put(`${url}/route`, { originAddress: city, destinationAddress: city })
  const none = { warehouseCode: null, originAddress: null, destinationAddress: null }
  assert.equal((await stranger.put(`${url}/route`, none)).status, 200)
  assert.equal((await stranger.put(`${url}/route`, none)).status, 304)
  const { warehouseId, warehouseCode, originAddress, destinationAddress } = (await stranger.get(url)).body
  assert.deepEqual(
    { warehouseId, warehouseCode, originAddress, destinationAddress },
    { warehouseId: null, ...none },
  )
})

test('in an address of a warehouse null empties one field and leaves the others', async () => {
  const url = urlOf('/v1/warehouses/:warehouseId')
  await admin.put(url, { address: { city: 'Auckland', suburb: 'Penrose', latitude: -36.9 } })
  assert.equal((await admin.put(url, { address: { suburb: null, latitude: null } })).status, 200)
  const { city, suburb, latitude } = (await admin.get(url)).body.address
  assert.deepEqual([city, suburb, latitude], ['Auckland', null, null])
  assert.equal((await admin.put(url, { address: { suburb: null } })).status, 304)
})

test('a new record takes null for absent, in every field that it need not have', async () => {
  const body = { name: 'Pear Co', code: 'PEAR', relationship: 1, email: null, rotationMethod: null }
  const { status, body: answer } = await admin.post('/v1/partners', body)
  assert.equal(status, 201)
  const partner = (await admin.get(`/v1/partners/${answer.partnerId}`)).body
  assert.deepEqual([partner.email, partner.rotationMethod], [null, 0])
})
