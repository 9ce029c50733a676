// Following the event feed, against a fake server with prepared responses and against the service itself.

import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { emit, serviceOrigin } from '../../src/events/emit.ts'
import { anEvent } from '../../test/support/given-feed.ts'
import { givenApp, openProcess } from '../../test/support/given-oauth.ts'
import { openTestDatabase } from '../../test/support/harness.ts'
import { createWaybill, FeedEventType, WaybillError } from '../src/waybill.ts'

/** A page, a status, or a broken connection. */
type FakeResponse = { events: number[]; next: number } | number | 'broken'

/** Starts a server that sends the given responses in order. */
async function openFake(responses: FakeResponse[]) {
  const requestedPaths: string[] = []
  const server = createServer((request, response) => {
    requestedPaths.push(decodeURIComponent(request.url ?? ''))
    const fake = responses.shift() ?? 'broken'
    if (fake === 'broken') return void response.destroy()
    if (typeof fake === 'number') {
      const body = { ErrorType: 'Some', ErrorMessages: ['Some reason.'] }
      return void response.writeHead(fake, { 'retry-after': '0' }).end(JSON.stringify(body))
    }
    const events = fake.events.map(sequence => ({ sequence, id: '', type: '', created: '', data: {} }))
    response.end(JSON.stringify({ events, next: fake.next }))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { requestedPaths, waybill: createWaybill({ baseUrl, token: () => 'token' }) }
}

test('the feed continues after each page, and reports its position once all earlier events are processed', async () => {
  const { requestedPaths, waybill } = await openFake([
    { events: [3, 4], next: 5 },
    { events: [], next: 9 },
    { events: [12], next: 12 },
  ])
  const log: string[] = []
  const feed = waybill.follow({
    after: 2,
    types: [FeedEventType.ConsignmentCreated, FeedEventType.JobCreated],
    onPosition: next => log.push(`up to ${next}`),
  })
  for await (const { sequence } of feed) {
    log.push(`event ${sequence}`)
    if (sequence === 12) break
  }
  assert.deepEqual(log, ['event 3', 'event 4', 'up to 5', 'up to 9', 'event 12'])
  assert.deepEqual(
    requestedPaths,
    [2, 5, 9].map(after => `/v1/events?WaitSeconds=25&After=${after}&Types=101,301`),
  )
})

test('requests are retried while the service is unavailable, overloaded or breaks the connection', async () => {
  const { requestedPaths, waybill } = await openFake(['broken', 500, 503, 429, { events: [1], next: 1 }])
  for await (const { sequence } of waybill.follow()) {
    assert.equal(sequence, 1)
    break
  }
  assert.deepEqual(new Set(requestedPaths), new Set(['/v1/events?WaitSeconds=25']))
  assert.equal(requestedPaths.length, 5)
})

test('a refusal ends the iteration and states its reason', async () => {
  const { waybill } = await openFake([400])
  await assert.rejects(waybill.follow({ after: 7 }).next(), (error: WaybillError) => {
    assert.ok(error instanceof WaybillError)
    assert.deepEqual([error.status, error.errorMessages], [400, ['Some reason.']])
    return true
  })
})

test('a signal ends the iteration without an error, during a request and between requests', async () => {
  const { waybill } = await openFake(['broken', 'broken', 'broken'])
  const events = []
  for await (const event of waybill.follow({ signal: AbortSignal.timeout(300) })) events.push(event)
  assert.deepEqual(events, [])
})

test('a program follows the service in five lines, and a second program continues where it stopped', async () => {
  const { database } = await openTestDatabase()
  const { url } = await openProcess(database)
  const { organisationId, clientId, clientSecret } = await givenApp(database)
  const emitEvents = (...marks: string[]) =>
    database.atomically(tx =>
      emit(
        tx,
        serviceOrigin(organisationId),
        marks.map(mark => anEvent(mark)),
      ),
    )
  await emitEvents('1', '2', '3')
  const waybill = createWaybill({ baseUrl: url, clientId, clientSecret })

  let lastSequence: number | undefined
  for await (const { sequence, type } of waybill.follow()) {
    assert.equal(type, 'consignment.created')
    lastSequence = sequence
    if (sequence === 2) break
  }
  assert.equal(lastSequence, 2)

  const sequences = []
  for await (const { sequence } of waybill.follow({ after: lastSequence })) {
    sequences.push(sequence)
    if (sequence === 3) await emitEvents('4')
    if (sequence === 4) break
  }
  assert.deepEqual(sequences, [3, 4])
})
