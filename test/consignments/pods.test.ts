import assert from 'node:assert/strict'
import { test } from 'node:test'
import { v7 as uuidv7 } from 'uuid'
import { bytesOf, openSubRecords, uploaded } from '../support/given-sub-records.ts'

const { world, consignment, eventsOf } = await openSubRecords()
const { admin } = world

const create = async (path: string, body?: object): Promise<string> => {
  const { status, body: id, bytes } = await admin.post(`${path}/pods`, body)
  assert.equal(status, 200, JSON.stringify(id))
  assert.equal(String(bytes), `"${id}"`)
  return `${path}/pods/${id}`
}

test('an externalUrl is an http or https address, stored as it is parsed', async () => {
  const path = await consignment()
  const { body } = await admin.get(await create(path, { externalUrl: 'HTTPS://Pods.Example/a b' }))
  assert.equal(body.externalUrl, 'https://pods.example/a%20b')
  const refused = await admin.post(`${path}/pods`, { externalUrl: 'javascript:alert(1)' })
  assert.deepEqual(refused.body.ErrorMessages, [
    'externalUrl must be an address that begins with http:// or https://.',
  ])
})

test('a proof of delivery is stored with every field and raises an event', async () => {
  const path = await consignment()
  const pod = await create(path, {
    eventUtc: '2026-03-01T22:30:00.5+13:00',
    signatoryName: 'Hemi',
    description: 'Signed at the gate',
    externalUrl: 'https://pods.example/1',
    latitude: -36.8485,
    longitude: 174.7633,
    attachmentFile: uploaded('pod.png', 'image/png', { options: { printType: 2 } }),
  })
  const { body } = await admin.get(pod)
  assert.deepEqual(body, {
    id: pod.split('/').at(-1),
    eventUtc: '2026-03-01T09:30:00.500Z',
    deliveredByName: null,
    vehicleName: null,
    signatoryName: 'Hemi',
    signatureDescription: 'Signed at the gate',
    latitude: -36.8485,
    longitude: 174.7633,
    externalUrl: 'https://pods.example/1',
  })
  const [event, ...more] = await eventsOf(path)
  assert.deepEqual([event?.type, more], [109, []])
  const { deliveredByName, vehicleName, ...stored } = body
  assert.deepEqual(event?.changes, [
    { field: 'pods', from: null, to: { ...stored, fileName: 'pod.png', contentType: 'image/png' } },
  ])
})

test('a proof of delivery needs no field, and has the current time by default', async () => {
  const path = await consignment()
  for (const body of [undefined, {}, { signatoryName: null, attachmentFile: null }]) {
    const { eventUtc, signatoryName, latitude } = (await admin.get(await create(path, body))).body
    assert.ok(Math.abs(Date.parse(eventUtc) - Date.now()) < 60_000)
    assert.deepEqual([signatoryName, latitude], [null, null])
  }
})

test('the file of a proof can be downloaded, and is 404 if none was sent', async () => {
  const path = await consignment()
  const { status, bytes, headers } = await admin.get(
    `${await create(path, { attachmentFile: uploaded('pod.pdf', 'application/pdf') })}/attachment-file`,
  )
  assert.deepEqual([status, bytes.equals(bytesOf('application/pdf'))], [200, true])
  assert.deepEqual(
    [headers['content-type'], headers['x-content-type-options']],
    ['application/pdf', 'nosniff'],
  )
  assert.equal(headers['content-disposition'], 'attachment; filename=pod.pdf')
  const none = await admin.get(`${await create(path)}/attachment-file`)
  assert.deepEqual([none.status, none.body.ErrorMessages], [404, ['Attachment file not found.']])
  assert.equal((await admin.get(`${path}/pods/${uuidv7()}/attachment-file`)).status, 404)
  assert.equal((await admin.get(`${path}/pods/${uuidv7()}`)).status, 404)
})

test('content that does not match its type is 422, too large content 413, and an invalid request 400', async () => {
  const path = await consignment()
  const refused = async (attachmentFile: object, more: object = {}) => {
    const { status, body } = await admin.post(`${path}/pods`, { ...more, attachmentFile })
    return [status, body.ErrorType, ...body.ErrorMessages]
  }
  const file = uploaded('pod.png', 'image/png')
  const unprocessable = [422, 'Unprocessable']
  for (const content of ['%%%not base64%%%', 'aGVsbG8', 'aGVs bG8=', 'aGVsbG8=\n']) {
    assert.deepEqual(await refused({ ...file, content }), [
      ...unprocessable,
      'attachmentFile.content must be base64.',
    ])
  }
  assert.deepEqual(await refused({ ...file, content: '' }), [
    ...unprocessable,
    'attachmentFile.content must not be empty.',
  ])
  assert.deepEqual(await refused({ ...file, contentType: 'application/pdf' }), [
    ...unprocessable,
    'attachmentFile.content is not what attachmentFile.contentType says (application/pdf).',
  ])
  assert.deepEqual(
    await refused({ ...file, content: Buffer.alloc(10 * 1024 * 1024 + 1).toString('base64') }),
    [413, 'Payload Too Large', 'attachmentFile.content must not be larger than 10 MiB.'],
  )
  assert.deepEqual(await refused({ ...file, fileName: '' }), [
    400,
    'Validation Failed',
    'attachmentFile.fileName must not be empty.',
  ])
  assert.deepEqual(await refused({ content: file.content }), [
    400,
    'Validation Failed',
    'attachmentFile.fileName is required.',
    'attachmentFile.contentType is required.',
  ])
  assert.deepEqual(await refused(file, { latitude: 90.5, longitude: -181, eventUtc: 'yesterday' }), [
    400,
    'Validation Failed',
    'eventUtc must be an ISO 8601 date and time, such as 2026-03-31T09:30:00.',
    'latitude must be 90 or less.',
    'longitude must be -180 or more.',
  ])
  assert.deepEqual(await eventsOf(path), [])
  assert.equal((await admin.post(`/v1/consignments/${uuidv7()}/pods`, {})).status, 404)
})
