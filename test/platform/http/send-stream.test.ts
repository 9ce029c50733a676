// Responses that are sent while they are produced: short ones are sent whole, and stalled clients are cut
// off.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import Fastify from 'fastify'
import { sendStream } from '../../../src/platform/http/send-stream.ts'

const app = Fastify()
const ended: string[] = []
let produced = 0
const chunk = 'x'.repeat(65_536)
const maxStallMs = 100

/** Yields `count` chunks, each after a pause. Records when no more are requested. */
async function* chunks(name: string, count: number, everyMs = 0): AsyncGenerator<string> {
  try {
    for (let i = 0; i < count; i++) {
      if (everyMs > 0) await pause(everyMs)
      produced++
      yield chunk
    }
  } finally {
    ended.push(name)
  }
}

for (const [name, count, everyMs] of [
  ['one', 1, 0],
  ['many', 2_000, 0],
  ['seldom', 4, 150],
] as const)
  app.get(`/${name}`, async (_request, reply) =>
    sendStream(reply, { contentType: 'text/plain', bytes: chunks(name, count, everyMs) }, maxStallMs),
  )

const numberedChunks: Uint8Array<ArrayBuffer>[] = []
const numberedCount = 400

/** Yields chunks that are filled with their number. */
async function* numbered(): AsyncGenerator<Uint8Array> {
  for (let n = 0; n < numberedCount; n++) {
    const bytes = new Uint8Array(65_536).fill(n)
    numberedChunks.push(bytes)
    yield bytes
  }
}

for (const mayReleaseChunks of [true, false])
  app.get(`/${mayReleaseChunks ? 'released' : 'kept'}`, async (_request, reply) =>
    sendStream(reply, { contentType: 'text/plain', bytes: numbered(), mayReleaseChunks }),
  )
await app.listen({ port: 0 })
after(() => app.close())
const { port } = app.server.address() as AddressInfo

/** Sends a request. Nothing of the response has been read yet. */
const ask = async (path: string): Promise<IncomingMessage> => {
  // Errors are also emitted by the response.
  const request = get({ port, path, agent: false }).on('error', () => {})
  const [response] = await once(request, 'response')
  return response
}

async function lengthOf(response: IncomingMessage, everyMs = 0): Promise<number> {
  let length = 0
  for await (const bytes of response) {
    length += bytes.length
    if (everyMs > 0) await pause(everyMs)
  }
  return length
}

test('a response of one chunk has a length, one of many chunks has none', async () => {
  const one = await ask('/one')
  assert.equal(one.headers['content-length'], '65536')
  assert.equal(await lengthOf(one), 65_536)
  const many = await ask('/many')
  assert.equal(many.headers['content-length'], undefined)
  assert.equal(await lengthOf(many), 2_000 * 65_536)
})

test('a client that reads nothing is disconnected, and its response is abandoned', async () => {
  ended.length = 0
  produced = 0
  const response = await ask('/many')
  const errors: NodeJS.ErrnoException[] = []
  response.on('error', error => errors.push(error)).pause()
  while (ended.length === 0) await pause(10)
  response.resume()
  while (errors.length === 0) await pause(10)
  assert.equal(errors[0]?.code, 'ECONNRESET')
  // The sockets of both sides buffer less than this.
  assert.ok(produced < 500, `${produced} of 2,000 chunks were produced for a client that reads none`)
})

/**
 * Reads many chunks slowly: in total, many times as long as a client may read nothing. Returns their length;
 * undefined if this process itself came to a standstill, which made it a client that reads nothing.
 */
async function readSlowly(): Promise<number | undefined> {
  let length = 0
  let read = performance.now()
  let longestMs = 0
  try {
    for await (const bytes of await ask('/many')) {
      length += bytes.length
      if (length < 3_000_000) await pause(10)
      longestMs = Math.max(longestMs, performance.now() - read)
      read = performance.now()
    }
  } catch (error) {
    if (Math.max(longestMs, performance.now() - read) < maxStallMs / 2) throw error
    return undefined
  }
  return length
}

test('a slow client receives everything, and so does the client of a slowly produced response', async () => {
  let length: number | undefined
  while (length === undefined) length = await readSlowly()
  assert.equal(length, 2_000 * 65_536)
  assert.equal(await lengthOf(await ask('/seldom')), 4 * 65_536)
})

for (const everyMs of [0, 1])
  test(`chunks are released once they are sent, not before${everyMs ? ', to a slow client' : ''}`, async () => {
    numberedChunks.length = 0
    let received = 0
    for await (const bytes of await ask('/released')) {
      for (const byte of bytes as Buffer)
        if (byte !== Math.floor(received++ / 65_536) % 256) assert.fail(`byte ${received - 1} is ${byte}`)
      if (everyMs > 0) await pause(everyMs)
    }
    assert.equal(received, numberedCount * 65_536)
    const kept = numberedChunks.filter(({ buffer }) => !buffer.detached)
    // The last chunks may still be on their way when no more are requested.
    assert.ok(kept.length < 10, `${kept.length} of ${numberedCount} are kept`)
  })

test('chunks that may be used elsewhere are not released', async () => {
  numberedChunks.length = 0
  assert.equal(await lengthOf(await ask('/kept')), numberedCount * 65_536)
  assert.ok(numberedChunks.every(({ buffer }) => !buffer.detached))
})
