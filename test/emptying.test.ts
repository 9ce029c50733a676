// Rules for every update: null or an empty text clears a field that may be empty; for any other field, null
// is refused or ignored. Decision 1.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Endpoint } from '../src/access/endpoint.ts'
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

/** Commands rather than updates: null means absent, as in a new record. */
const commands = new Set([
  `POST ${consignment}/edi-detail`,
  `POST ${consignment}/tracking/:consignmentTrackingId/event`,
  `PUT ${consignment}/status`,
  `PUT ${consignment}/void`,
  `PUT ${consignment}/reopen`,
  'PUT /v1/schedule-transactions/:scheduleTransactionId/status',
  'POST /v1/schedules/:partnerScheduleId/transactions/add',
  'POST /v1/schedules/:partnerScheduleId/transactions/remove',
  'PUT /v1/printer-bridges/:printerBridgeId/printers',
  'PUT /v1/print-jobs/:printJobId/retry',
  // A line is sent whole, as an import sends it.
  'PUT /v1/consignments/:consignmentId/products/:consignmentProductId',
  // Nobody can read signing keys: webhook-subscriptions/signing-app.test.ts takes them away.
  'PUT /v1/webhook-subscriptions/:webhookSubscriptionId',
])

/** Fields of endpoints in the specification that cannot be empty: null leaves them unchanged. */
const unclearableFields: Record<string, string> = {
  [`PUT ${consignment}/tracking/:consignmentTrackingId`]: 'status',
  [`PUT ${consignment}/notes/:consignmentNoteId`]: 'displayOnPrintOut',
}

/** Fields that cannot change once a consignment has lines; they have their own test. */
const fixedFields = new Set(['warehouseCode', 'destinationAddress'])

/** The other fields that a body requires. */
const requiredFields: Record<string, object> = {
  [`PUT ${consignment}/notes/:consignmentNoteId`]: { note: 'Ring twice' },
}

/** Values of fields that refer to records or have a special format. */
const values: Record<string, unknown> = {
  gs1CompanyPrefix: '9421234',
  currencyCode: 'NZD',
  referenceTemplate: '{partnerCode} {periodTo}',
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
  [type].flat().includes('null') || anyOf.some(option => option.type === 'null')
const isText = ({ type, format }: Field) => [type].flat().includes('string') && format === undefined

const texts: Record<string, string> = {
  date: '2026-03-01',
  'local-date-time': '2026-03-01T10:00:00Z',
  'http-url': 'https://example.com/',
}

/** Returns a value that differs from the current one. */
function differentValue(name: string, field: Field, current: unknown): unknown {
  const special = values[name]
  // The address of the organisation is a text.
  if (special !== undefined && !(isText(field) && typeof special === 'object')) return special
  const type = [field.type].flat()[0]
  if (field.enum !== undefined) return field.enum.find(value => value !== null && value !== current)
  if (type === 'string')
    return name === 'email'
      ? 'ann@example.com'
      : (texts[field.format ?? field.else?.format ?? ''] ?? `Some ${name}`.slice(0, 30))
  return type === 'boolean' ? !current : 3
}

/** Returns how an empty field reads; `initial` is its value before anything was set. */
function emptyValueOf(name: string, initial: unknown): unknown {
  if (name === 'dgHazardClasses' || name === 'unitConversions') return []
  // A product without the field shows that of its client.
  if (name.endsWith('Usage')) return initial
  return null
}

/** Reads the field through the GET of the endpoint's path or of its parent. */
async function readField({ path }: Endpoint, name: string): Promise<unknown> {
  const parentPath = path.slice(0, path.lastIndexOf('/'))
  const reader = [path, parentPath].find(candidate =>
    endpoints.some(endpoint => endpoint.method === 'GET' && endpoint.path === candidate),
  )
  const { body } = await admin.get(urlOf(reader as string))
  const value = name in body ? body[name] : body[name.replace(/Id$/, '')]
  assert.notEqual(value, undefined, `${name} cannot be read.`)
  // The address of a warehouse always has an id and a type.
  if (name !== 'address' || value === null || typeof value === 'string') return value
  const { id, type, ...fields } = value
  return Object.values(fields).every(part => part === null) ? null : fields
}

const updates = endpoints.filter(
  endpoint => endpoint.response.kind === 'changed' && endpoint.body && !commands.has(nameOf(endpoint)),
)
let clearedFields = 0
for (const endpoint of updates) {
  const name = nameOf(endpoint)
  const { properties } = endpoint.body as { properties: Record<string, Field> }
  test(`${name}: null clears every field that may be empty, and no other`, async () => {
    const update = (change: object) => admin.put(urlOf(endpoint.path), { ...requiredFields[name], ...change })
    for (const [field, schema] of Object.entries(properties)) {
      if (unclearableFields[name] === field || fixedFields.has(field)) continue
      if (!canBeNull(schema)) {
        if (requiredFields[name] !== undefined && field in requiredFields[name]) continue
        const { status } = await update({ [field]: null })
        assert.equal(status, 400, `${field} must not be clearable.`)
        continue
      }
      clearedFields++
      const initial = await readField(endpoint, field)
      const value = differentValue(field, schema, initial)
      const set = await update({ [field]: value })
      assert.equal(set.status, 200, `${field}: ${JSON.stringify(set.body)}`)
      assert.notDeepEqual(
        await readField(endpoint, field),
        emptyValueOf(field, initial),
        `${field} was not set.`,
      )
      assert.equal((await update({ [field]: null })).status, 200, `${field} was not cleared.`)
      assert.deepEqual(await readField(endpoint, field), emptyValueOf(field, initial))
      assert.equal((await update({ [field]: null })).status, 304, `${field} is empty already.`)
      if (!isText(schema)) continue
      assert.equal((await update({ [field]: '' })).status, 304, `${field} is empty already.`)
      assert.equal((await update({ [field]: value })).status, 200)
      assert.equal((await update({ [field]: '' })).status, 200, `${field} was not cleared by an empty text.`)
      assert.deepEqual(await readField(endpoint, field), null)
    }
  })
}

for (const [name, field] of Object.entries(unclearableFields)) {
  test(`${name}: ${field} cannot be empty, so null leaves it unchanged`, async () => {
    const endpoint = updates.find(update => nameOf(update) === name) as Endpoint
    const update = (value: unknown) =>
      admin.put(urlOf(endpoint.path), { ...requiredFields[name], [field]: value })
    await update(field === 'status' ? 5 : true)
    assert.equal((await update(null)).status, 304)
    assert.deepEqual(await readField(endpoint, field), field === 'status' ? 5 : true)
  })
}

test('the tests above cover all fields that may be empty', () =>
  assert.ok(clearedFields > 75, String(clearedFields)))

test('only a PointToPoint consignment can lose its warehouse and its addresses', async () => {
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
    'warehouseCode cannot be empty: only a Point to point consignment has no warehouse.',
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

test('a field of the address of a warehouse may be null, and an absent one is not kept: an address is one value', async () => {
  const url = urlOf('/v1/warehouses/:warehouseId')
  await admin.put(url, { address: { city: 'Auckland', suburb: 'Penrose', latitude: -36.9 } })
  assert.equal((await admin.put(url, { address: { city: 'Auckland', suburb: null } })).status, 200)
  const { city, suburb, latitude } = (await admin.get(url)).body.address
  assert.deepEqual([city, suburb, latitude], ['Auckland', null, null])
  assert.equal((await admin.put(url, { address: { city: 'Auckland' } })).status, 304)
})

test('in a new record, null means the same as absent, in every optional field', async () => {
  const body = { name: 'Pear Co', code: 'PEAR', relationship: 1, email: null, rotationMethod: null }
  const { status, body: created } = await admin.post('/v1/partners', body)
  assert.equal(status, 201)
  const partner = (await admin.get(`/v1/partners/${created.partnerId}`)).body
  assert.deepEqual([partner.email, partner.rotationMethod], [null, 0])
})
