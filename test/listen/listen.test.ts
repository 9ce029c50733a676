// `./waybill listen`: events of the feed reach a local receiver, signed like webhooks.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { verifySignature, verifyStandardSignature } from '../../client/src/signature.ts'
import { type ListenLine, type ListenRequest, listen } from '../../src/listen/listen.ts'
import { clientCredentials, givenApp, openProcess, until } from '../support/given-oauth.ts'
import { freeAddress } from '../support/given-people.ts'
import { openTestDatabase } from '../support/harness.ts'
import { openReceiver } from '../support/receiver.ts'

const { database } = await openTestDatabase()
const { url: service } = await openProcess(database)
const app = await givenApp(database, { scopes: ['partner', 'job', 'warehouse'] })
const { access_token: token } = (await clientCredentials(service, app)).body

async function create(path: string, body: object): Promise<Record<string, string>> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const response = await fetch(`${service}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  assert.ok(response.ok, `${path} answered ${response.status}`)
  return (await response.json()) as Record<string, string>
}
const { partnerId: clientId } = await create('/v1/partners', { name: 'Rimu', code: 'RIMU', relationship: 1 })
const nelson = { name: 'Nelson', code: 'NSN', timezoneId: 'Pacific/Auckland' }
const { warehouseId } = await create('/v1/warehouses', nelson)

/** Raises the event job.created, and returns the id of the job. */
const aJob = async () => (await create('/v1/jobs/wave-pick', { warehouseId, clientId })).jobId

/** Listens until the test ends. */
function startListening(t: { after(fn: () => unknown): void }, options: Partial<ListenRequest>) {
  const stop = new AbortController()
  const lines: ListenLine[] = []
  const ended = listen({
    service,
    ...app,
    url: '',
    signal: stop.signal,
    log: line => lines.push(line),
    ...options,
  })
  t.after(() => {
    stop.abort()
    return ended.catch(() => {})
  })
  return { lines, ended, isListening: () => until(() => lines.length > 0) }
}

test('only new events are delivered, with the body and the signatures of a webhook', async t => {
  await aJob()
  const receiver = await openReceiver()
  const { lines, isListening } = startListening(t, { url: receiver.url, signingKey: 'a key' })
  await isListening()
  const id = await aJob()
  await until(() => lines.length > 1)
  const [arrival] = receiver.arrived
  assert.ok(arrival)
  assert.equal(arrival.path, '/hook')
  assert.deepEqual(Object.keys(arrival.body), ['id', 'type', 'created', 'data', 'operationId'])
  assert.equal(arrival.body.type, 'job.created')
  assert.equal(arrival.body.data.jobId, id)
  const { raw, headers } = arrival
  assert.ok(await verifySignature(raw, headers['x-service-signature'], app.clientSecret))
  assert.ok(await verifyStandardSignature(raw, headers, 'a key'))
  const { sequence, status, error } = lines[1] as Exclude<ListenLine, { notice: string }>
  assert.deepEqual([sequence, status, error], [2, 204, null])
})

test('a receiver that is not there is reported, and --after delivers the events again', async t => {
  const receiver = await openReceiver()
  const { lines } = startListening(t, { url: `${await freeAddress()}/hook`, after: 0 })
  await until(() => lines.length > 1)
  const { status, error } = lines[1] as Exclude<ListenLine, { notice: string }>
  assert.equal(status, null)
  assert.match(String(error), /ECONNREFUSED/)
  startListening(t, { url: receiver.url, after: 0 })
  await until(() => receiver.arrived.length >= 2)
})

test('a wrong secret ends it with the answer of the service', async t => {
  const { ended } = startListening(t, { clientSecret: 'wrong', url: await freeAddress() })
  await assert.rejects(ended, /401 .*invalid_client/)
})
