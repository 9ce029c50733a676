// Following the event feed: against a server that says what it is told to say, and against the service itself.

import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { byService, emit } from '../../src/events/emit.ts'
import { anEvent } from '../../test/support/given-feed.ts'
import { givenApp, openProcess } from '../../test/support/given-oauth.ts'
import { openTestDatabase } from '../../test/support/harness.ts'
import { createWaybill, FeedEventType, WaybillError } from '../src/waybill.ts'

/** A page, a status, or no answer at all. */
type Told = { events: number[]; next: number } | number | 'nothing'

/** A server that answers with what is told, one after the other. */
async function openFake(told: Told[]) {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(decodeURIComponent(request.url ?? ''))
    const answer = told.shift() ?? 'nothing'
    if (answer === 'nothing') return void response.destroy()
    if (typeof answer === 'number') {
      const body = { ErrorType: 'Some', ErrorMessages: ['Some reason.'] }
      return void response.writeHead(answer, { 'retry-after': '0' }).end(JSON.stringify(body))
    }
    const events = answer.events.map(sequence => ({ sequence, id: '', type: '', created: '', data: {} }))
    response.end(JSON.stringify({ events, next: answer.next }))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { asked, waybill: createWaybill({ baseUrl, token: () => 'token' }) }
}

test('a walk goes on behind what came, and says how far it is once everything before was dealt with', async () => {
  const { asked, waybill } = await openFake([
    { events: [3, 4], next: 5 },
    { events: [], next: 9 },
    { events: [12], next: 12 },
  ])
  const heard: string[] = []
  const walk = waybill.follow({
    after: 2,
    types: [FeedEventType.ConsignmentCreated, FeedEventType.JobCreated],
    onPosition: next => heard.push(`up to ${next}`),
  })
  for await (const { sequence } of walk) {
    heard.push(`event ${sequence}`)
    if (sequence === 12) break
  }
  assert.deepEqual(heard, ['event 3', 'event 4', 'up to 5', 'up to 9', 'event 12'])
  assert.deepEqual(
    asked,
    [2, 5, 9].map(after => `/v1/events?WaitSeconds=25&After=${after}&Types=101,301`),
  )
})

test('a service that is away, that is too busy or breaks off is waited out', async () => {
  const { asked, waybill } = await openFake(['nothing', 500, 503, 429, { events: [1], next: 1 }])
  for await (const { sequence } of waybill.follow()) {
    assert.equal(sequence, 1)
    break
  }
  assert.deepEqual(new Set(asked), new Set(['/v1/events?WaitSeconds=25']))
  assert.equal(asked.length, 5)
})

test('a refusal ends the walk with its reason', async () => {
  const { waybill } = await openFake([400])
  await assert.rejects(waybill.follow({ after: 7 }).next(), (error: WaybillError) => {
    assert.ok(error instanceof WaybillError)
    assert.deepEqual([error.status, error.errorMessages], [400, ['Some reason.']])
    return true
  })
})

test('a signal ends the walk without an error, in a request and between two', async () => {
  const { waybill } = await openFake(['nothing', 'nothing', 'nothing'])
  const events = []
  for await (const event of waybill.follow({ signal: AbortSignal.timeout(300) })) events.push(event)
  assert.deepEqual(events, [])
})

test('a program follows the service in five lines, and a second one goes on where it stopped', async () => {
  const { database } = await openTestDatabase()
  const { url } = await openProcess(database)
  const { organisationId, clientId, clientSecret } = await givenApp(database)
  const tell = (...marks: string[]) =>
    database.atomically(tx =>
      emit(
        tx,
        byService(organisationId),
        marks.map(mark => anEvent(mark)),
      ),
    )
  await tell('1', '2', '3')
  const waybill = createWaybill({ baseUrl: url, clientId, clientSecret })

  let seen: number | undefined
  for await (const { sequence, type } of waybill.follow()) {
    assert.equal(type, 'consignment.created')
    seen = sequence
    if (sequence === 2) break
  }
  assert.equal(seen, 2)

  const sequences = []
  for await (const { sequence } of waybill.follow({ after: seen })) {
    sequences.push(sequence)
    if (sequence === 3) await tell('4')
    if (sequence === 4) break
  }
  assert.deepEqual(sequences, [3, 4])
})
