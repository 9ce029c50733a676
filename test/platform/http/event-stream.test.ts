// Event streams over sockets: what they send, and when they end.

import assert from 'node:assert/strict'
import { EventEmitter, once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import Fastify, { type FastifyReply } from 'fastify'
import { sendError } from '../../../src/platform/http/error-response.ts'
import {
  createEventStreams,
  EventStream,
  type EventStreams,
  type StreamMessage,
  type StreamTimes,
} from '../../../src/platform/http/event-stream.ts'
import type { Refusal } from '../../../src/platform/http/refusal.ts'
import { createMetrics } from '../../../src/platform/metrics.ts'

const shortTimes: StreamTimes = { heartbeatMs: 100, checkMs: 20, maxStallMs: 200 }

/** Opens a server with one stream. The Authorization header is the id of the user. */
async function openStreamServer(open: EventStream['open'], times: Partial<StreamTimes> = {}) {
  const stopping = new AbortController()
  const revoked = new Set<string | undefined>()
  const app = Fastify()
  app.decorateRequest('actor', undefined)
  app.setErrorHandler((error, _request, reply) => sendError(error, reply, createMetrics()))
  const streams: EventStreams = createEventStreams(
    authorization => !revoked.has(authorization),
    stopping.signal,
    { ...shortTimes, ...times },
  )
  app.get('/', async (request, reply) => {
    const userId = request.headers.authorization ?? ''
    Object.assign(request, { actor: { organisationId: 'o', userId } })
    return streams.send(reply, new EventStream(open))
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  after(() => {
    stopping.abort()
    app.server.closeAllConnections()
    return app.close()
  })
  const { port } = app.server.address() as AddressInfo
  const ask = async (user = 'ada'): Promise<IncomingMessage> => {
    const request = get({ port, host: '127.0.0.1', headers: { authorization: user }, agent: false })
    request.on('error', () => {})
    const [response] = await once(request, 'response')
    return response
  }
  return { ask, streams, stopping, revoked }
}

/** Everything that is received until the stream ends. */
async function textOf(response: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of response) text += chunk
  return text
}

const ended = (signal: AbortSignal) =>
  signal.aborted ? Promise.resolve() : once(signal, 'abort').then(() => undefined)

async function* silent(signal: AbortSignal): AsyncGenerator<StreamMessage[]> {
  await ended(signal)
  yield []
}

test('messages have their ids, and a stream begins at once', async () => {
  const { ask } = await openStreamServer(async function* () {
    yield [
      { id: 1, data: '{"a":1}' },
      { id: 2, data: '{\n"b":\r\n2}' },
    ]
  })
  const response = await ask()
  assert.equal(response.headers['content-type'], 'text/event-stream; charset=utf-8')
  assert.equal(response.headers['x-accel-buffering'], 'no')
  assert.equal(
    await textOf(response),
    ': events\n\nid: 1\ndata: {"a":1}\n\nid: 2\ndata: {\ndata: "b":\ndata: 2}\n\n',
  )
})

test('while there are no messages, heartbeats are sent with the current position', async () => {
  const { ask, stopping } = await openStreamServer(async function* (signal) {
    yield [{ id: 7 }]
    await ended(signal)
  })
  const response = await ask()
  let text = ''
  for await (const chunk of response) {
    text += chunk
    if (text.split(': alive').length > 2) stopping.abort()
  }
  assert.match(text, /^: events\n\n(: alive\nid: 7\n\n){2,}$/)
})

test('a stream ends when its token is revoked, and other streams continue', async () => {
  const { ask, streams, revoked } = await openStreamServer(silent)
  const [ended, continuing] = [await ask('ada'), await ask('bob')]
  revoked.add('ada')
  await textOf(ended)
  assert.equal(continuing.complete, false)
  while (streams.count > 1) await pause(5)
  continuing.destroy()
  while (streams.count > 0) await pause(5)
})

test('streams end when the service begins to stop', async () => {
  const { ask, stopping } = await openStreamServer(silent)
  const response = await ask()
  stopping.abort()
  assert.equal(await textOf(response), ': events\n\n')
})

test('a user may have five streams at a time, and another one when one has ended', async () => {
  const { ask, streams } = await openStreamServer(silent)
  const open = await Promise.all(Array.from({ length: 5 }, () => ask('ada')))
  const refused = await ask('ada')
  assert.equal(refused.statusCode, 429)
  assert.equal(refused.headers['retry-after'], '5')
  assert.deepEqual(JSON.parse(await textOf(refused)).ErrorMessages, [
    'At most 5 streams per user; close one first.',
  ])
  assert.equal((await ask('bob')).statusCode, 200)
  open[0]?.destroy()
  while (streams.count > 5) await pause(5)
  assert.equal((await ask('ada')).statusCode, 200)
})

test('an organisation has at most 200 streams, and a process 2,000', () => {
  const streams = createEventStreams(() => true, new AbortController().signal, shortTimes)
  const raws: EventEmitter[] = []
  const send = (person: number, organisation = Math.floor(person / 200)) => {
    const raw = new EventEmitter()
    raws.push(raw)
    const reply = {
      ...{ raw, header: () => reply, send: () => reply },
      request: { headers: {}, actor: { organisationId: `o ${organisation}`, userId: `person ${person}` } },
    }
    return streams.send(reply as unknown as FastifyReply, new EventStream(silent))
  }
  for (let person = 0; person < 200; person++) send(person)
  const tooManyOfOne = (error: Refusal) => error.status === 429 && /200 .* organisation/.test(error.message)
  assert.throws(() => send(200, 0), tooManyOfOne)
  for (let person = 200; person < 2_000; person++) send(person)
  const tooMany = (error: Refusal) => error.status === 429 && /as many streams/.test(error.message)
  assert.throws(() => send(2_000), tooMany)
  raws[7]?.emit('close')
  send(2_001)
  for (const raw of raws) raw.emit('close')
  assert.equal(streams.count, 0)
})

test('a client that reads nothing takes bounded memory and is disconnected; a slow client gets everything', async () => {
  const data = 'x'.repeat(100_000)
  let produced = 0
  async function* messages(signal: AbortSignal) {
    for (let id = 1; id <= 400 && !signal.aborted; id++) {
      produced = id
      yield [{ id, data }]
    }
  }
  const { ask, streams } = await openStreamServer(messages, { maxStallMs: 2_000 })
  const slow = await ask('slow')
  let bytes = 0
  for await (const chunk of slow) {
    bytes += chunk.length
    if (Math.random() < 0.1) await pause(1)
  }
  assert.ok(bytes > 400 * data.length)

  const stalled = await ask('stalled')
  stalled.pause()
  stalled.on('error', () => {})
  const closed = new Promise(resolve => stalled.on('close', resolve))
  while (streams.count > 0) await pause(10)
  assert.ok(produced < 200, `${produced} of 400 messages were produced for a client that reads none`)
  stalled.resume()
  await closed
  assert.equal(stalled.complete, false, 'the client must see that the response is incomplete')
})

test('a stream that fails ends, so that its client reconnects', async () => {
  const { ask, streams } = await openStreamServer(async function* () {
    yield [{ id: 1, data: '1' }]
    throw new Error('The database is away.')
  })
  assert.equal(await textOf(await ask()), ': events\n\nid: 1\ndata: 1\n\n')
  while (streams.count > 0) await pause(5)
})

test('the source of the messages ends when the client disconnects', async () => {
  const sourceEnded = Promise.withResolvers<void>()
  const { ask } = await openStreamServer(async function* (signal) {
    yield [{ id: 1, data: '1' }]
    await ended(signal)
    sourceEnded.resolve()
  })
  const response = await ask()
  response.on('error', () => {})
  response.destroy()
  await sourceEnded.promise
})
