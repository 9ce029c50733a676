// Rules for all records of a consignment: who may see and change them, and that those of a Closed
// consignment cannot change.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openSubRecords, uploaded } from '../support/given-sub-records.ts'

const { world, consignment, eventsOf, types, clientId, carrierId, close, made } = await openSubRecords()
const { admin, as, stranger } = world

/** A consignment with one record of each kind. */
async function withRecords() {
  const path = await consignment()
  const trackingId = await made(`${path}/tracking`, { carrierName: 'Swift' })
  const { body: noteId } = await admin.post(`${path}/notes`, {
    note: 'One',
    attachments: [uploaded('a.pdf', 'application/pdf')],
  })
  const { body: podId } = await admin.post(`${path}/pods`, {
    attachmentFile: uploaded('a.pdf', 'application/pdf'),
  })
  await admin.post(`${path}/consumables/${types.film}`, { value: 1 })
  await admin.post(`${path}/tasks/${types.label}`, { value: 1 })
  await admin.post(`${path}/service-types/${types.cold}`)
  const [{ id: attachmentId }] = (await admin.get(`${path}/notes/${noteId}`)).body.attachments
  return { path, trackingId, noteId, podId, attachmentId }
}
type Records = Awaited<ReturnType<typeof withRecords>>

const reads = ({ trackingId, noteId, podId, attachmentId }: Omit<Records, 'path'>) => [
  'tracking',
  `tracking/${trackingId}`,
  `notes/${noteId}`,
  `notes/${noteId}/attachments/${attachmentId}/file`,
  'consumables',
  'tasks',
  'service-types',
  `pods/${podId}`,
  `pods/${podId}/attachment-file`,
]

/** One request for every write endpoint, each of which would change something. */
const writes = ({
  trackingId,
  noteId,
}: Omit<Records, 'path'>): ['post' | 'put' | 'delete', string, object?][] => [
  ['post', 'tracking', {}],
  ['put', `tracking/${trackingId}`, { status: 5 }],
  ['post', `tracking/${trackingId}/event`, { status: 4 }],
  ['post', 'notes', { note: 'Two' }],
  ['put', `notes/${noteId}`, { note: 'Three' }],
  ['put', `notes/${noteId}/display-on-printout`, { displayOnPrintOut: true }],
  ['put', 'consumables', { consumables: [{ consumableTypeId: types.film, value: 5 }] }],
  ['post', `consumables/${types.strap}`, { value: 1 }],
  ['put', `consumables/${types.film}`, { value: 6 }],
  ['delete', `consumables/${types.film}`],
  ['put', 'tasks', { tasks: [{ taskTypeId: types.label, value: 5 }] }],
  ['post', `tasks/${types.weigh}`, { value: 1 }],
  ['put', `tasks/${types.label}`, { value: 6 }],
  ['delete', `tasks/${types.label}`],
  ['put', 'service-types', { serviceTypeIds: [types.cold, types.tail] }],
  ['post', `service-types/${types.tail}`],
  ['delete', `service-types/${types.cold}`],
  ['post', 'pods', {}],
  ['delete', `notes/${noteId}`],
]

test('the client and carrier of a consignment can read its records, other partners and organisations get 404', async () => {
  const records = await withRecords()
  const { path } = records
  const otherClient = await made('/v1/partners', { name: 'Other', code: 'OTHER', relationship: 1 })
  for (const nobody of [await stranger(), as(admin, { partnerId: otherClient })]) {
    for (const read of reads(records)) assert.equal((await nobody.get(`${path}/${read}`)).status, 404, read)
    for (const [method, at, body] of writes(records)) {
      const { status } = await nobody[method](`${path}/${at}`, body)
      // 403 for what no client may change, even of its own consignments.
      assert.ok(status === 404 || (nobody.actor.partnerId !== null && status === 403), at)
    }
  }
  for (const partnerId of [clientId, carrierId]) {
    const partner = as(admin, { partnerId })
    const own = await withRecords()
    for (const read of reads(own)) assert.equal((await partner.get(`${own.path}/${read}`)).status, 200, read)
  }
})

test('reading needs consignment.read and writing consignment', async () => {
  const records = await withRecords()
  const reader = as(admin, { scopes: ['consignment.read'] })
  for (const read of reads(records))
    assert.equal((await reader.get(`${records.path}/${read}`)).status, 200, read)
  for (const [method, at, body] of writes(records))
    assert.equal((await reader[method](`${records.path}/${at}`, body)).status, 403, at)
})

test('a record is only found under its own consignment', async () => {
  const records = await withRecords()
  const other = await consignment()
  for (const read of reads(records).filter(at => at.split('/').length > 1))
    assert.equal((await admin.get(`${other}/${read}`)).status, 404, read)
  for (const [method, at, body] of writes(records).filter(([, at]) => /^(tracking|notes)\//.test(at))) {
    assert.equal((await admin[method](`${other}/${at}`, body)).status, 404, at)
  }
  assert.deepEqual(await eventsOf(other), [])
})

test('a Closed consignment cannot change until it is reopened, but can be read as before', async () => {
  const records = await withRecords()
  const { path } = records
  await close(path)
  const before = await Promise.all([admin.get(path), eventsOf(path)])
  for (const [method, at, body] of writes(records)) {
    const answer = await admin[method](`${path}/${at}`, body)
    assert.deepEqual([answer.status, answer.body.ErrorType], [400, 'Verification Failed'], at)
    assert.match(
      answer.body.ErrorMessages[0],
      /^Consignment .+ is Closed; it cannot change until it is reopened\.$/,
    )
  }
  for (const read of reads(records)) assert.equal((await admin.get(`${path}/${read}`)).status, 200, read)
  const after = await Promise.all([admin.get(path), eventsOf(path)])
  assert.deepEqual([after[0].body, after[1]], [before[0].body, before[1]])
  assert.equal((await admin.put(`${path}/reopen`)).status, 200)
  for (const [method, at, body] of writes(records))
    assert.equal((await admin[method](`${path}/${at}`, body)).status, 200, at)
})

test('events name the consignment, and a subscription can filter by its client', async () => {
  const { path } = await withRecords()
  const [event] = await eventsOf(path)
  const { id, consignmentNumber, status } = (await admin.get(path)).body
  assert.deepEqual(event?.data, {
    organisationId: admin.actor.organisationId,
    consignmentId: id,
    consignmentNumber,
    referenceNumber: null,
    clientId,
    carrierId,
    type: 1,
    status,
  })
})

test('the detail contains every record with the fields of its own endpoint', async () => {
  const { path, trackingId, noteId, podId } = await withRecords()
  const { body } = await admin.get(path)
  const { trackingEvents, ...tracking } = (await admin.get(`${path}/tracking/${trackingId}`)).body
  assert.deepEqual(body.consignmentTracking, [tracking])
  assert.deepEqual(body.notes, [{ id: noteId, note: 'One', displayOnPrintOut: false, attachmentCount: 1 }])
  const { eventUtc } = (await admin.get(`${path}/pods/${podId}`)).body
  assert.deepEqual(body.pods, [{ id: podId, eventUtc, signatoryName: null, externalUrl: null }])
  const [consumable] = body.consumables
  assert.deepEqual(body.consumables, [
    { id: consumable.id, consumableTypeId: types.film, consumableTypeName: 'Film', value: 1 },
  ])
  const [task] = body.tasks
  assert.deepEqual(body.tasks, [
    { id: task.id, taskTypeId: types.label, taskTypeName: 'Labelling', value: 1 },
  ])
  assert.deepEqual(body.serviceTypes, [{ id: types.cold, code: 'COLD', name: 'Cold chain' }])
  assert.deepEqual(body.serviceTypeCodes, ['COLD'])
})
