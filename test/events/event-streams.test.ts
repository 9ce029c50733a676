// Streams of the feed over sockets, with tokens of the service's own OAuth server.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { v7 as uuidv7 } from 'uuid'
import { disableCustomApp } from '../../src/custom-apps/create-app.ts'
import { emit, serviceOrigin } from '../../src/events/emit.ts'
import { EventType } from '../../src/vocabulary/events.ts'
import { anEvent, type FeedEvent } from '../support/given-feed.ts'
import { clientCredentials, givenApp, openProcess, until } from '../support/given-oauth.ts'
import { openTestDatabase } from '../support/harness.ts'

const { database } = await openTestDatabase()
const { url } = await openProcess(database)

async function givenToken(scopes = ['consignment']) {
  const app = await givenApp(database, { scopes })
  const { access_token: token } = (await clientCredentials(url, app)).body
  return { ...app, token: token as string }
}

const emitMarks = (organisationId: string, ...marks: string[]) =>
  database.atomically(tx =>
    emit(
      tx,
      serviceOrigin(organisationId),
      marks.map(mark => anEvent(mark)),
    ),
  )

/** A stream that is being read. */
async function openStream(token: string, headers: Record<string, string> = {}, query = '') {
  const response = await fetch(`${url}/v1/events?${query}`, {
    headers: { authorization: `Bearer ${token}`, accept: 'text/event-stream', ...headers },
  })
  const stream = { response, text: '', isEnded: false, events: [] as FeedEvent[] }
  const reading = (async () => {
    for await (const piece of (response.body ?? []) as AsyncIterable<Uint8Array>) {
      stream.text += Buffer.from(piece).toString()
      stream.events = [...stream.text.matchAll(/^data: (.*)\n/gm)].map(([, data]) =>
        JSON.parse(data as string),
      )
    }
    stream.isEnded = true
  })()
  return Object.assign(stream, { reading })
}
const marks = ({ events }: { events: FeedEvent[] }) => events.map(({ data }) => data.mark)

test('a stream sends existing and new events, and continues where another ended', async () => {
  const { token, organisationId } = await givenToken()
  await emitMarks(organisationId, '1', '2')
  const stream = await openStream(token)
  assert.equal(stream.response.headers.get('content-type'), 'text/event-stream; charset=utf-8')
  await until(() => stream.events.length === 2)
  await emitMarks(organisationId, '3')
  await until(() => stream.events.length === 3)
  assert.deepEqual(marks(stream), ['1', '2', '3'])
  assert.deepEqual(
    [...stream.text.matchAll(/^id: (\d+)\ndata: /gm)].map(([, id]) => Number(id)),
    stream.events.map(({ sequence }) => sequence),
  )
  const next = await openStream(token, { 'last-event-id': '2' }, 'After=0')
  await until(() => next.events.length === 1)
  assert.deepEqual(marks(next), ['3'], 'Last-Event-ID takes precedence over After')
})

test('a stream from the latest on sends only what happens from now on', async () => {
  const { token, organisationId } = await givenToken()
  await emitMarks(organisationId, 'before')
  const stream = await openStream(token, {}, 'After=latest')
  await emitMarks(organisationId, 'after')
  await until(() => stream.events.length > 0)
  assert.deepEqual(marks(stream), ['after'])
})

test('many streams get the same events, whenever they began', async () => {
  const { organisationId, token } = await givenToken()
  const other = await givenToken(['job.read'])
  const streams = []
  for (let n = 0; n < 100; n++) {
    if (n % 20 === 0) streams.push(await openStream(token, {}, `After=0`))
    await emitMarks(organisationId, String(n))
  }
  const ofOther = await openStream(other.token)
  const all = Array.from({ length: 100 }, (_, n) => String(n))
  for (const stream of streams) {
    await until(() => stream.events.length >= 100)
    assert.deepEqual(marks(stream), all)
  }
  assert.deepEqual(ofOther.events, [])
  assert.equal((await openStream(token)).response.status, 429)
})

test('a stream has only events that its token may read', async () => {
  const { organisationId, token } = await givenToken(['job.read'])
  const stream = await openStream(token)
  await emitMarks(organisationId, 'consignment')
  await database.atomically(tx =>
    emit(tx, serviceOrigin(organisationId), [
      anEvent('job', { type: EventType.JobCreated, subjectId: uuidv7() }),
    ]),
  )
  await until(() => stream.events.length > 0)
  assert.deepEqual(
    stream.events.map(({ sequence, data }) => [sequence, data.mark]),
    [[2, 'job']],
  )
})

test('a stream ends when its app is disabled', async () => {
  const { clientId, organisationId, token } = await givenToken()
  const stream = await openStream(token)
  await emitMarks(organisationId, '1')
  await until(() => stream.events.length === 1)
  await database.atomically(tx => disableCustomApp(tx, clientId))
  await until(() => stream.isEnded)
  assert.equal((await openStream(token)).response.status, 401)
})

test('a request that cannot be streamed is refused before the stream begins', async () => {
  const { token } = await givenToken()
  for (const [headers, query, status, message] of [
    [{ 'last-event-id': 'x' }, '', 400, /^Last-Event-ID must be the number of an event\.$/],
    [{ 'last-event-id': '7' }, '', 400, /^There is no event 7 yet/],
    [{}, 'Types=301', 403, /^The token needs the scope job\.read\.$/],
  ] as const) {
    const stream = await openStream(token, headers, query)
    await stream.reading
    assert.equal(stream.response.status, status)
    assert.match(JSON.parse(stream.text).ErrorMessages[0], message)
  }
})
