// What users of a client and of a carrier may change in a consignment, and until when. Decision 3.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { v7 as uuidv7 } from 'uuid'
import { sql } from '../../src/platform/database/db.ts'
import { openSubRecords } from '../support/given-sub-records.ts'
import type { ApiResponse, Caller } from '../support/harness.ts'

const { world, consignment, imported, types, eventsOf, close, clientId, carrierId, warehouseId } =
  await openSubRecords()
const { admin, as, database } = world
const [client, carrier] = [as(admin, { partnerId: clientId }), as(admin, { partnerId: carrierId })]

type Attempt = (by: Caller, path: string, round: number) => Promise<ApiResponse>

/** Creates a note of the organisation, to be changed and deleted. */
const noteIn = async (path: string) =>
  `${path}/notes/${(await admin.post(`${path}/notes`, { note: 'Old' })).body}`

const noteChanges: Record<string, Attempt> = {
  'POST notes': (by, path) => by.post(`${path}/notes`, { note: 'Ring twice' }),
  'PUT notes': async (by, path) => by.put(await noteIn(path), { note: 'Ring once' }),
  'PUT display-on-printout': async (by, path) =>
    by.put(`${await noteIn(path)}/display-on-printout`, { displayOnPrintOut: true }),
  'DELETE notes': async (by, path) => by.delete(await noteIn(path)),
}

const clientChanges: Record<string, Attempt> = {
  'PUT general': (by, path, round) => by.put(`${path}/general`, { poNumber: `P${round}` }),
  'PUT container': (by, path, round) => by.put(`${path}/container`, { containerNumber: `C${round}` }),
  'PUT route': (by, path, round) => by.put(`${path}/route`, { originAddressAttention: `Ann ${round}` }),
  'PUT tasks': (by, path, round) =>
    by.put(`${path}/tasks`, { tasks: [{ taskTypeId: types.label, value: round }] }),
  'POST task': (by, path, round) => by.post(`${path}/tasks/${types.weigh}`, { value: round }),
  'PUT task': (by, path, round) => by.put(`${path}/tasks/${types.weigh}`, { value: round + 100 }),
  'DELETE task': (by, path) => by.delete(`${path}/tasks/${types.weigh}`),
  'PUT consumables': (by, path, round) =>
    by.put(`${path}/consumables`, { consumables: [{ consumableTypeId: types.film, value: round }] }),
  'POST consumable': (by, path, round) => by.post(`${path}/consumables/${types.strap}`, { value: round }),
  'PUT consumable': (by, path, round) => by.put(`${path}/consumables/${types.strap}`, { value: round + 100 }),
  'DELETE consumable': (by, path) => by.delete(`${path}/consumables/${types.strap}`),
  'PUT service-types': (by, path, round) =>
    by.put(`${path}/service-types`, { serviceTypeIds: round % 2 === 1 ? [types.cold] : [] }),
  'POST service-type': (by, path) => by.post(`${path}/service-types/${types.tail}`),
  'DELETE service-type': (by, path) => by.delete(`${path}/service-types/${types.tail}`),
}

const carrierChanges: Record<string, Attempt> = {
  'POST tracking': (by, path, round) => by.post(`${path}/tracking`, { trackingNumber: `T${round}` }),
  'PUT tracking': async (by, path, round) =>
    by.put(await trackingIn(path), { trackingUrl: `https://example.com/${round}` }),
  'POST event': async (by, path) => by.post(`${await trackingIn(path)}/event`, { status: 5 }),
  'POST pods': (by, path) => by.post(`${path}/pods`, { signatoryName: 'Ann' }),
}

/** Creates a tracking record of the organisation. */
const trackingIn = async (path: string) =>
  `${path}/tracking/${(await admin.post(`${path}/tracking`, {})).body.consignmentTrackingId}`

/** Changes that no user of a partner may make. */
const organisationChanges: Record<string, Attempt> = {
  'PUT status': (by, path) => by.put(`${path}/status`, { status: 0 }),
  'PUT reopen': (by, path) => by.put(`${path}/reopen`),
  'PUT priority': (by, path) => by.put(`${path}/priority`, { priority: 4 }),
  'POST trigger-action': (by, path) => by.post(`${path}/trigger-action`),
}

const move = async (path: string, status: number) =>
  assert.ok((await admin.put(`${path}/status`, { status })).status < 400)
const [Draft, Pending, ReadyToReceive, Complete] = [8, 1, 4, 0]
const refusalOf = ({ status, body }: ApiResponse) => [status, body?.ErrorType, body?.ErrorMessages?.[0]]

test("a client's user can change its consignment while it is Draft or Pending", async () => {
  const path = await consignment()
  for (const [round, status] of [Draft, Pending].entries()) {
    await move(path, status)
    for (const [name, attempt] of Object.entries({ ...noteChanges, ...clientChanges }))
      assert.equal((await attempt(client, path, round + 1)).status, 200, `${name} in ${status}`)
  }
})

test("a client's user cannot change its consignment once it is ready, complete, closed or void", async () => {
  const [path, voided] = [await consignment(), await consignment()]
  const { consignmentNumber } = (await admin.get(path)).body
  for (const [status, name] of [
    [ReadyToReceive, 'Ready to receive'],
    [Complete, 'Complete'],
  ] as const) {
    await move(path, status)
    for (const [of, attempt] of Object.entries({ ...noteChanges, ...clientChanges })) {
      const before = await eventsOf(path)
      const refused = await attempt(client, path, 1)
      assert.deepEqual(
        refusalOf(refused),
        [
          400,
          'Verification Failed',
          `Consignment ${consignmentNumber} is ${name}; a token that belongs to a client can change it only ` +
            'while it is Draft or Pending.',
        ],
        of,
      )
      // The only event is about the organisation's own note, if the attempt needs one.
      const later = (await eventsOf(path)).slice(before.length)
      assert.ok(
        later.every(({ changes }) => changes[0]?.field === 'notes'),
        of,
      )
    }
  }
  await admin.put(`${voided}/void`)
  assert.equal((await client.post(`${voided}/notes`, { note: 'Why?' })).status, 400)
  const closed = await consignment()
  await close(closed)
  assert.equal((await client.put(`${closed}/general`, { poNumber: 'P' })).status, 400)
})

test("a client's user can never add tracking or proofs of delivery, or change the status of its consignment", async () => {
  const path = await consignment()
  for (const [name, attempt] of Object.entries({ ...carrierChanges, ...organisationChanges })) {
    const [status, type, message] = refusalOf(await attempt(client, path, 1))
    assert.deepEqual([status, type], [403, 'Forbidden'], name)
    assert.match(message, /^A token that belongs to a client cannot [a-z][^.]+\.$/)
  }
})

test("a carrier's user can add tracking, proofs and notes in every status, and change nothing else", async () => {
  const path = await consignment()
  for (const [round, status] of [Draft, Pending, ReadyToReceive, Complete].entries()) {
    await move(path, status)
    for (const [name, attempt] of Object.entries({ ...noteChanges, ...carrierChanges }))
      assert.equal((await attempt(carrier, path, round)).status, 200, `${name} in ${status}`)
    const others = { ...clientChanges, ...organisationChanges, void: voidConsignment }
    for (const [name, attempt] of Object.entries(others)) {
      const [answered, type, message] = refusalOf(await attempt(carrier, path, round))
      assert.deepEqual([answered, type], [403, 'Forbidden'], name)
      assert.match(message, /^A token that belongs to a carrier cannot [a-z][^.]+\.$/)
    }
  }
})

const voidConsignment: Attempt = (by, path) => by.put(`${path}/void`, { reason: 'Not needed' })

test('consignments of another carrier or client are unknown to them', async () => {
  const path = `/v1/consignments/${await imported()}`
  for (const attempt of [...Object.values(noteChanges), ...Object.values(carrierChanges)])
    assert.equal((await attempt(carrier, path, 1)).status, 404)
  const otherId = (await admin.post('/v1/partners', { name: 'Rimu', code: 'RIMU', relationship: 1 })).body
    .partnerId
  const other = as(admin, { partnerId: otherId })
  for (const attempt of [voidConsignment, ...Object.values(noteChanges), ...Object.values(clientChanges)])
    assert.equal((await attempt(other, path, 1)).status, 404)
})

test('users of both can acknowledge exports to their own connection and set its ediStatus, in every status', async () => {
  const path = await consignment()
  for (const by of [client, carrier]) {
    const { webhookSubscriptionId } = (
      await by.post('/v1/webhook-subscriptions/create', {
        webhookUrl: 'https://127.0.0.1:1/',
        eventType: 112,
      })
    ).body
    await move(path, ReadyToReceive)
    const { deliveries } = (await by.get(`/v1/webhook-subscriptions/${webhookSubscriptionId}/deliveries`))
      .body
    const acknowledge = (operationId: string) =>
      by.put(`${path}/connection-result`, { operationId, result: 1 })
    assert.equal((await acknowledge(deliveries[0].id)).status, 200)
    assert.equal((await acknowledge(uuidv7())).status, 404)
    assert.equal((await by.post(`${path}/edi-detail`, { ediStatus: by === client ? 10 : 11 })).status, 200)
    await move(path, Pending)
  }
})

const ends = [
  ['Outwards', 2, ['destinationAddress', 'destinationAddressAttention', 'destinationAuthorityToLeave']],
  ['Inwards', 1, ['originAddress', 'originAddressAttention']],
  ['PointToPoint', 0, ['destinationAddress', 'destinationAddressAttention', 'destinationAuthorityToLeave']],
] as const
const routeChanges: Record<string, unknown> = {
  carrierCode: 'SWF',
  carrierReference: 'R-1',
  carrierRunNumber: 'RUN-1',
  carrierRunOrdinal: 3,
  warehouseCode: 'SYD',
  originAddress: { name: 'Mill' },
  originAddressAttention: 'Ann',
  destinationAddress: { name: 'Shop' },
  destinationAddressAttention: 'Ben',
  destinationAuthorityToLeave: true,
  loadShippingPortCode: 'NZAKL',
  dischargeShippingPortCode: 'AUSYD',
}
const createdWarehouse = await admin.post('/v1/warehouses', {
  name: 'Sydney',
  code: 'SYD',
  timezoneId: 'Australia/Sydney',
})
assert.equal(createdWarehouse.status, 201)

for (const [name, consignmentType, own] of ends) {
  test(`a client's user can change only ${own.join(', ')} of the route of a consignment that is ${name}`, async () => {
    const type = { consignmentType, ...(consignmentType === 0 ? { warehouseCode: undefined } : {}) }
    const path = `/v1/consignments/${await imported(type)}`
    for (const [field, value] of Object.entries(routeChanges)) {
      const answered = await client.put(`${path}/route`, { [field]: value })
      if ((own as readonly string[]).includes(field)) assert.equal(answered.status, 200, field)
      else {
        assert.deepEqual(
          refusalOf(answered),
          [
            403,
            'Forbidden',
            `A token that belongs to a client cannot change ${field}; of the route of this consignment it can ` +
              `change ${own.join(', ')}.`,
          ],
          field,
        )
      }
    }
    // Sending a field of the other side with its current value is not a change.
    await admin.put(`${path}/route`, { carrierReference: 'R-2' })
    const same = { carrierReference: 'R-2', [own[1]]: 'Cleo' }
    assert.equal((await client.put(`${path}/route`, same)).status, 200)
  })
}

test("a client's user can void a consignment while it is Draft or Pending", async () => {
  for (const status of [Draft, Pending]) {
    const path = await consignment()
    await move(path, status)
    assert.equal((await voidConsignment(client, path, 1)).status, 200)
    assert.equal((await voidConsignment(client, path, 1)).status, 304)
    assert.equal((await admin.get(path)).body.status, -2)
  }
  const [ready, complete] = [await consignment(), await consignment()]
  await move(ready, ReadyToReceive)
  await move(complete, Complete)
  for (const path of [ready, complete])
    assert.deepEqual(refusalOf(await voidConsignment(client, path, 1)).slice(0, 2), [
      400,
      'Verification Failed',
    ])
  assert.equal((await voidConsignment(admin, ready, 1)).status, 200)
  assert.equal((await voidConsignment(admin, complete, 1)).status, 400, 'its goods were received')
})

test("a client's user cannot void a consignment that a job has started to pick", async () => {
  const id = await imported({ consignmentType: 2 })
  const path = `/v1/consignments/${id}`
  const job = (await admin.post('/v1/jobs/wave-pick', { warehouseId, clientId })).body
  const wavePick = `/v1/jobs/${job.jobId}/wave-pick`
  assert.equal((await admin.post(`${wavePick}/consignments/add`, { consignmentIds: [id] })).status, 200)
  const { jobNumber } = (await admin.get(wavePick)).body
  const { consignmentNumber } = (await admin.get(path)).body
  for (const status of [3, 4]) {
    assert.equal((await admin.put(`${wavePick}/status`, { status })).status, 200)
    // The job has moved it to ReadyToPick.
    await move(path, Pending)
    assert.deepEqual(refusalOf(await voidConsignment(client, path, 1)), [
      400,
      'Verification Failed',
      `A token that belongs to a client cannot void consignment ${consignmentNumber}: it was picked by job ` +
        `${jobNumber}.`,
    ])
  }
  const unbegun = await imported({ consignmentType: 2 })
  const other = (await admin.post('/v1/jobs/wave-pick', { warehouseId, clientId })).body.jobId
  await admin.post(`/v1/jobs/${other}/wave-pick/consignments/add`, { consignmentIds: [unbegun] })
  assert.equal((await voidConsignment(client, `/v1/consignments/${unbegun}`, 1)).status, 200)
})

test("a client's user cannot void a billed consignment until the bill is void", async () => {
  // None of its goods are in stock, so closing it dispatches nothing.
  const id = await imported({
    consignmentType: 2,
    products: [{ productCode: 'PEAR', items: [{ quantity: 1 }] }],
  })
  const path = `/v1/consignments/${id}`
  const taxRateId = (await admin.post('/v1/tax-rates', { name: 'GST', percent: 15 })).body.taxRateId
  const charge = { chargeApplication: 2, chargeRateExclTax: 5, taxRateId }
  assert.equal((await admin.post(`${path}/charges/client-activity/adhoc`, charge)).status, 200)
  await close(path)
  // Stands for anything that bills an open consignment; the row is that of a closed one.
  const put = (status: number) =>
    database.atomically(tx => tx.run(sql`update consignment set status = ${status} where id = ${id}`))
  await put(Pending)
  const { consignmentNumber } = (await admin.get(path)).body
  assert.deepEqual(refusalOf(await voidConsignment(client, path, 1)), [
    400,
    'Verification Failed',
    `A token that belongs to a client cannot void consignment ${consignmentNumber}: it was billed.`,
  ])
  await put(6)
  assert.equal((await admin.put(`${path}/reopen`)).status, 200)
  await move(path, Pending)
  assert.equal((await voidConsignment(client, path, 1)).status, 200)
})
