import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../src/platform/database/db.ts'
import { openImports } from '../support/given-imports.ts'

const { world, imported: importedAs } = await openImports()
const { admin, database } = world

await admin.post('/v1/partners', { name: 'Retired', code: 'OLD', relationship: 2, status: 1 })
const { partnerId: fastCarrierId } = (
  await admin.post('/v1/partners', { name: 'Fast', code: 'FST', relationship: 2 })
).body
await admin.post('/v1/warehouses', { name: 'Sydney', code: 'SYD', timezoneId: 'Australia/Sydney' })
await database.atomically(tx =>
  tx.run(
    sql`insert into shipping_port (id, code, name, country) values (gen_random_uuid(), 'NZAKL', 'Auckland',
      'New Zealand') on conflict do nothing`,
  ),
)

/** A consignment of the first warehouse. */
const imported = (more: object = {}) => importedAs({ warehouseCode: 'AKL', ...more })
const put = (id: string, part: string, body: object) => admin.put(`/v1/consignments/${id}/${part}`, body)
const read = async (id: string) => (await admin.get(`/v1/consignments/${id}`)).body
const eventsOf = async (id: string) =>
  await database.db.rows<{ type: number; data: Record<string, unknown>; changes: object[] }>(
    sql`select type, data, changes from event where subject_id = ${id} and type <> 101 order by created_utc,
      id`,
  )

test('general fields change, absent fields stay, null empties, and repeating the request changes nothing', async () => {
  const id = await imported({ referenceNumber: 'R-1', poNumber: 'PO-1', soNumber: 'SO-1' })
  const change = {
    referenceNumber: 'R-2',
    poNumber: null,
    deliveryInstructions: 'Ring.',
    expectedArrivalDateTime: '2026-01-05T08:00:00Z',
  }
  assert.equal((await put(id, 'general', change)).status, 200)
  assert.equal((await put(id, 'general', change)).status, 304)
  assert.equal((await put(id, 'general', {})).status, 304)
  const { referenceNumber, poNumber, soNumber, deliveryInstructions, expectedArrivalDateTime } =
    await read(id)
  assert.deepEqual(
    [referenceNumber, poNumber, soNumber, deliveryInstructions, expectedArrivalDateTime],
    ['R-2', null, 'SO-1', 'Ring.', '2026-01-05T08:00:00Z'],
  )
  const [event, ...more] = await eventsOf(id)
  assert.deepEqual(more, [])
  assert.equal(event?.type, 102)
  assert.equal(event?.data.referenceNumber, 'R-2')
  assert.deepEqual(event?.changes, [
    { field: 'referenceNumber', from: 'R-1', to: 'R-2' },
    { field: 'expectedArrivalDateTime', from: null, to: '2026-01-05T08:00:00Z' },
    { field: 'deliveryInstructions', from: null, to: 'Ring.' },
    { field: 'poNumber', from: 'PO-1', to: null },
  ])
})

test('a field of another part is refused with the endpoint that takes it', async () => {
  const id = await imported()
  const parts = {
    general: 'poNumber',
    route: 'carrierReference',
    container: 'containerNumber',
    priority: 'priority',
  }
  const neighbours = Object.entries(parts).flatMap(([part, field]) =>
    Object.keys(parts)
      .filter(other => other !== part)
      .map(other => [other, part, field] as const),
  )
  for (const [sentTo, takenBy, field] of neighbours) {
    const body = {
      [field]: field === 'priority' ? 3 : 'X',
      ...(sentTo === 'priority' ? { priority: 4 } : {}),
    }
    const answer = await put(id, sentTo, body)
    assert.equal(answer.status, 400, `${field} to ${sentTo}`)
    assert.deepEqual(answer.body, {
      ErrorType: 'Validation Failed',
      ErrorMessages: [
        `${field} must be sent to PUT /v1/consignments/{consignmentId}/${takenBy}, which takes it.`,
      ],
    })
  }
  const both = await put(id, 'general', { carrierReference: null, containerSize: 2, colour: 'red' })
  assert.equal(both.body.ErrorMessages.length, 2, 'unknown fields are ignored, fields of neighbours are not')
  assert.equal((await read(id)).priority, 2)
})

test('the same instant with another offset changes nothing', async () => {
  const id = await imported({ expectedDeliveryDateTime: '2026-07-01T12:00:00+12:00' })
  assert.equal(
    (await put(id, 'general', { expectedDeliveryDateTime: '2026-07-01T10:00:00+10:00' })).status,
    304,
  )
  assert.equal((await put(id, 'general', { expectedDeliveryDateTime: '2026-07-01T12:00:00Z' })).status, 304)
})

test('the route takes the carrier and ports by code, and replaces addresses as a whole', async () => {
  const id = await imported({ carrierCode: 'SWF' })
  assert.equal((await put(id, 'route', { carrierCode: 'swf' })).status, 304)
  const change = {
    carrierCode: 'fst',
    loadShippingPortCode: 'nzakl',
    originAddress: { city: 'Napier', name: 'Orchard', extra: 1 },
  }
  assert.equal((await put(id, 'route', change)).status, 200)
  assert.equal(
    (await put(id, 'route', { ...change, originAddress: { name: 'Orchard', city: 'Napier', code: null } }))
      .status,
    304,
  )
  const after = await read(id)
  assert.deepEqual(
    [after.carrierId, after.carrierCode, after.loadShippingPortCode],
    [fastCarrierId, 'FST', 'NZAKL'],
  )
  assert.deepEqual(after.originAddress, { name: 'Orchard', city: 'Napier' })
  const [event] = await eventsOf(id)
  assert.equal(event?.type, 103)
  assert.equal(event?.data.carrierId, fastCarrierId)
  assert.deepEqual(event?.changes[0], { field: 'carrierCode', from: 'SWF', to: 'FST' })
})

test('all codes without an active record are reported, and nothing is written', async () => {
  const id = await imported()
  const { status, body } = await put(id, 'route', {
    carrierCode: 'OLD',
    dischargeShippingPortCode: 'XXXXX',
    originAddressAttention: 'Ann',
  })
  assert.equal(status, 400)
  assert.deepEqual(body, {
    ErrorType: 'Verification Failed',
    ErrorMessages: [
      'carrierCode: no active carrier has the code OLD.',
      'dischargeShippingPortCode: no active shipping port has the code XXXXX.',
    ],
  })
  assert.equal((await read(id)).originAddressAttention, null)
  assert.deepEqual(await eventsOf(id), [])
})

test('the warehouse side of a consignment with lines cannot change', async () => {
  const inwards = await imported()
  const { body } = await put(inwards, 'route', {
    warehouseCode: 'SYD',
    destinationAddress: { city: 'Sydney' },
  })
  assert.deepEqual(body.ErrorMessages, [
    'warehouseCode cannot change once the consignment has lines.',
    'destinationAddress cannot change once the consignment has lines.',
  ])
  assert.equal(
    (await put(inwards, 'route', { warehouseCode: 'akl', originAddress: { city: 'Sydney' } })).status,
    200,
  )
  const outwards = await imported({ consignmentType: 2 })
  assert.equal((await put(outwards, 'route', { originAddress: { city: 'Sydney' } })).status, 400)
  assert.equal((await put(outwards, 'route', { destinationAddress: { city: 'Sydney' } })).status, 200)
})

test('the container and the priority have their own events', async () => {
  const id = await imported()
  assert.equal(
    (
      await put(id, 'container', {
        containerNumber: 'MSCU1',
        containerSize: 3,
        containerTareWeightKG: 2200.25,
      })
    ).status,
    200,
  )
  assert.equal((await put(id, 'container', { containerTareWeightKG: 2200.25 })).status, 304)
  assert.equal((await put(id, 'priority', { priority: 4 })).status, 200)
  assert.equal((await put(id, 'priority', { priority: 4 })).status, 304)
  assert.equal((await put(id, 'priority', {})).body.ErrorMessages[0], 'priority is required.')
  assert.deepEqual(
    (await eventsOf(id)).map(({ type }) => type),
    [104, 102],
  )
  assert.deepEqual([(await read(id)).containerSize, (await read(id)).priority], [3, 4])
})

test('parallel changes of different fields do not overwrite each other', async () => {
  const id = await imported()
  const fields = ['poNumber', 'soNumber', 'sendersReference', 'receiversReference', 'pickingInstructions']
  const answers = await Promise.all(fields.map(field => put(id, 'general', { [field]: `${field} 1` })))
  assert.deepEqual(
    answers.map(({ status }) => status),
    fields.map(() => 200),
  )
  const after = await read(id)
  for (const field of fields) assert.equal(after[field], `${field} 1`)
})
