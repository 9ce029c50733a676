// Streams of events, over sockets: what they send, and when they end.

import assert from 'node:assert/strict'
import { EventEmitter, once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import Fastify, { type FastifyReply } from 'fastify'
import { sendError } from '../../../src/platform/http/error-response.ts'
import {
  EventStream,
  type EventStreams,
  openEventStreams,
  type StreamMessage,
  type StreamTimes,
} from '../../../src/platform/http/event-stream.ts'
import type { Refusal } from '../../../src/platform/http/refusal.ts'
import { openMetrics } from '../../../src/platform/metrics.ts'

const quick: StreamTimes = { heartbeatMs: 100, checkMs: 20, maxStallMs: 200 }

/** A server with one stream, for whoever the header Authorization names. */
async function given(open: EventStream['open'], times: Partial<StreamTimes> = {}) {
  const stopping = new AbortController()
  const refused = new Set<string | undefined>()
  const app = Fastify()
  app.decorateRequest('actor', undefined)
  app.setErrorHandler((error, _request, reply) => sendError(error, reply, openMetrics()))
  const streams: EventStreams = openEventStreams(
    authorization => !refused.has(authorization),
    stopping.signal,
    { ...quick, ...times },
  )
  app.get('/', async (request, reply) => {
    const person = request.headers.authorization ?? ''
    Object.assign(request, { actor: { organisationId: 'o', userId: person } })
    return streams.send(reply, new EventStream(open))
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  after(() => {
    stopping.abort()
    app.server.closeAllConnections()
    return app.close()
  })
  const { port } = app.server.address() as AddressInfo
  const ask = async (person = 'ada'): Promise<IncomingMessage> => {
    const request = get({ port, host: '127.0.0.1', headers: { authorization: person }, agent: false })
    request.on('error', () => {})
    const [response] = await once(request, 'response')
    return response
  }
  return { ask, streams, stopping, refused }
}

/** Everything that comes until the stream ends. */
async function textOf(response: IncomingMessage): Promise<string> {
  let text = ''
  for await (const piece of response) text += piece
  return text
}

const ended = (signal: AbortSignal) =>
  signal.aborted ? Promise.resolve() : once(signal, 'abort').then(() => undefined)

async function* silent(signal: AbortSignal): AsyncGenerator<StreamMessage[]> {
  await ended(signal)
  yield []
}

test('messages have their numbers as ids, and a stream begins at once', async () => {
  const { ask } = await given(async function* () {
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

test('while nothing comes there is a sign of life, which says how far the stream has come', async () => {
  const { ask, stopping } = await given(async function* (signal) {
    yield [{ id: 7 }]
    await ended(signal)
  })
  const response = await ask()
  let text = ''
  for await (const piece of response) {
    text += piece
    if (text.split(': alive').length > 2) stopping.abort()
  }
  assert.match(text, /^: events\n\n(: alive\nid: 7\n\n){2,}$/)
})

test('a stream ends with its token, and the others go on', async () => {
  const { ask, streams, refused } = await given(silent)
  const [one, two] = [await ask('ada'), await ask('bob')]
  refused.add('ada')
  await textOf(one)
  assert.equal(two.complete, false)
  while (streams.count > 1) await pause(5)
  two.destroy()
  while (streams.count > 0) await pause(5)
})

test('streams end when the service begins to stop', async () => {
  const { ask, stopping } = await given(silent)
  const response = await ask()
  stopping.abort()
  assert.equal(await textOf(response), ': events\n\n')
})

test('a person has five streams at a time, and another when one has ended', async () => {
  const { ask, streams } = await given(silent)
  const open = await Promise.all(Array.from({ length: 5 }, () => ask('ada')))
  const refused = await ask('ada')
  assert.equal(refused.statusCode, 429)
  assert.equal(refused.headers['retry-after'], '5')
  assert.deepEqual(JSON.parse(await textOf(refused)).ErrorMessages, [
    'A person may have 5 streams at a time. End one first.',
  ])
  assert.equal((await ask('bob')).statusCode, 200)
  open[0]?.destroy()
  while (streams.count > 5) await pause(5)
  assert.equal((await ask('ada')).statusCode, 200)
})

test('a process has 2,000 streams, whoever asks', () => {
  const streams = openEventStreams(() => true, new AbortController().signal, quick)
  const raws: EventEmitter[] = []
  const send = (person: number) => {
    const raw = new EventEmitter()
    raws.push(raw)
    const reply = {
      ...{ raw, header: () => reply, send: () => reply },
      request: { headers: {}, actor: { organisationId: 'o', userId: `person ${person}` } },
    }
    return streams.send(reply as unknown as FastifyReply, new EventStream(silent))
  }
  for (let person = 0; person < 2_000; person++) send(person)
  const tooMany = (error: Refusal) => error.status === 429 && /as many streams/.test(error.message)
  assert.throws(() => send(2_000), tooMany)
  raws[7]?.emit('close')
  send(2_001)
  for (const raw of raws) raw.emit('close')
  assert.equal(streams.count, 0)
})

test('a reader that takes nothing costs a bounded buffer and is cut off; a slow one gets everything', async () => {
  const piece = 'x'.repeat(100_000)
  let made = 0
  async function* messages(signal: AbortSignal) {
    for (let id = 1; id <= 400 && !signal.aborted; id++) {
      made = id
      yield [{ id, data: piece }]
    }
  }
  const { ask, streams } = await given(messages, { maxStallMs: 2_000 })
  const slow = await ask('slow')
  let bytes = 0
  for await (const chunk of slow) {
    bytes += chunk.length
    if (Math.random() < 0.1) await pause(1)
  }
  assert.ok(bytes > 400 * piece.length)

  const stalled = await ask('stalled')
  stalled.pause()
  stalled.on('error', () => {})
  const closed = new Promise(resolve => stalled.on('close', resolve))
  while (streams.count > 0) await pause(10)
  assert.ok(made < 200, `${made} of 400 messages were made for a reader that takes none`)
  stalled.resume()
  await closed
  assert.equal(stalled.complete, false, 'nobody takes the part for the whole')
})

test('a stream that fails ends, so that its reader comes back', async () => {
  const { ask, streams } = await given(async function* () {
    yield [{ id: 1, data: '1' }]
    throw new Error('The database is away.')
  })
  assert.equal(await textOf(await ask()), ': events\n\nid: 1\ndata: 1\n\n')
  while (streams.count > 0) await pause(5)
})

test('what makes the messages ends when the reader leaves', async () => {
  const left = Promise.withResolvers<void>()
  const { ask } = await given(async function* (signal) {
    yield [{ id: 1, data: '1' }]
    await ended(signal)
    left.resolve()
  })
  const response = await ask()
  response.on('error', () => {})
  response.destroy()
  await left.promise
})
