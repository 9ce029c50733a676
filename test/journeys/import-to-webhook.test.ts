// The main use case of a shop: over HTTP, with a separate service process and a receiver that checks every
// signature.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { anImport, apiCaller, newApp, openReceiver, preparedDataDir, setUp } from '../support/processes.ts'
import { startServiceProcess, until } from '../support/service-process.ts'

const settings = { DATA_DIR: await preparedDataDir(), WEBHOOK_ALLOW_PRIVATE: 'on' }
const service = await startServiceProcess(settings)
after(() => service.stop())
const app = await newApp(settings)
const api = apiCaller(() => service.baseUrl, app)
const receiver = await openReceiver(() => app.clientSecret)
await setUp(api)
for (const eventType of [101, 110, 111, 112]) {
  await api.must('POST', '/v1/webhook-subscriptions/create', { webhookUrl: receiver.url, eventType })
}

const waitForEvent = (type: string, consignmentId: unknown) =>
  until(
    async () =>
      receiver.arrived.find(
        ({ type: arrivedType, data }) => arrivedType === type && data.consignmentId === consignmentId,
      ),
    `No ${type} arrived for ${consignmentId}.`,
  )

const isConsignment = (consignmentId: unknown) => async () => {
  const { status } = await api.call('GET', `/v1/consignments/${consignmentId}/check-exists`)
  return status === 201
}

test('an import becomes a consignment, and a signed webhook reports it', async () => {
  const posted = await api.call(
    'POST',
    '/v1/consignment-imports',
    anImport({ referenceNumber: 'SHOP-1', idempotencyKey: 'shop-1' }),
  )
  assert.equal(posted.status, 202)
  const { consignmentId } = posted.body
  await until(isConsignment(consignmentId), 'The import did not become a consignment.')
  const consignment = await api.must('GET', `/v1/consignments/${consignmentId}`)
  assert.equal(consignment.referenceNumber, 'SHOP-1')
  assert.match(String(consignment.consignmentNumber), /^JRN-\d{6}-OUT$/)

  const event = await waitForEvent('consignment.created', consignmentId)
  assert.equal(event.data.consignmentNumber, consignment.consignmentNumber)
  assert.equal(event.data.organisationId, app.organisationId)
  assert.equal(event.data.status, 1)
  assert.ok(event.operationId)

  const acknowledged = await api.call('PUT', `/v1/consignments/${consignmentId}/connection-result`, {
    operationId: event.operationId,
    result: 1,
  })
  assert.equal(acknowledged.status, 200)
  const { consignments } = (await api.must('GET', '/v1/consignments?EdiStatus=1')) as {
    consignments: { id: string }[]
  }
  assert.deepEqual(
    consignments.map(({ id }) => id),
    [consignmentId],
  )
})

test('a repeated idempotency key is refused, and the refusal names the first import', async () => {
  const first = await api.must('POST', '/v1/consignment-imports', anImport({ idempotencyKey: 'only-once' }))
  const again = await api.call('POST', '/v1/consignment-imports', anImport({ idempotencyKey: 'only-once' }))
  assert.equal(again.status, 409)
  assert.match(JSON.stringify(again.body), new RegExp(String(first.consignmentId)))
})

test('an import with a wrong code waits for reconciliation, and a replacement turns it into a consignment', async () => {
  const { consignmentId } = await api.must(
    'POST',
    '/v1/consignment-imports',
    anImport({ carrierCode: 'NOPE' }),
  )
  const waiting = await waitForEvent('consignment.import.pending-reconciliation', consignmentId)
  assert.match(JSON.stringify(waiting.data.reasons), /NOPE/)
  const replacements = [{ kind: 'carrier', code: 'NOPE', replacement: 'SWF' }]
  const reconciled = await api.must('PUT', `/v1/consignment-imports/${consignmentId}/reconcile`, {
    replacements,
  })
  assert.equal(reconciled.consignmentId, consignmentId)
  await waitForEvent('consignment.import.reconciled', consignmentId)
  await waitForEvent('consignment.created', consignmentId)
})

test('a waiting import continues automatically when the missing record is created', async () => {
  const { consignmentId } = await api.must(
    'POST',
    '/v1/consignment-imports',
    anImport({ carrierCode: 'LATE' }),
  )
  await waitForEvent('consignment.import.pending-reconciliation', consignmentId)
  await api.must('POST', '/v1/partners', { name: 'Late Lorries', code: 'LATE', relationship: 2 })
  await waitForEvent('consignment.import.reconciled', consignmentId)
  const { carrierCode } = await api.must('GET', `/v1/consignments/${consignmentId}`)
  assert.equal(carrierCode, 'LATE')
})

test('the event of a status change contains the previous status', async () => {
  const { consignmentId } = await api.must('POST', '/v1/consignment-imports', anImport())
  await until(isConsignment(consignmentId), 'The import did not become a consignment.')
  await api.must('PUT', `/v1/consignments/${consignmentId}/status`, { status: 2 })
  const event = await waitForEvent('consignment.status.updated', consignmentId)
  assert.deepEqual([event.data.previousStatus, event.data.status], [1, 2])
})

test('every delivery is signed, and every operationId is unique', () => {
  assert.deepEqual(receiver.forged, [])
  const operationIds = receiver.arrived.map(({ operationId }) => operationId)
  assert.equal(new Set(operationIds).size, operationIds.length)
})
