// Answers that are made while they are sent: whole where they are short, and cut where nobody takes them.

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
let made = 0
const piece = 'x'.repeat(65_536)

/** So many pieces, each after a while; notes when nobody wants more of them. */
async function* pieces(name: string, count: number, everyMs = 0): AsyncGenerator<string> {
  try {
    for (let i = 0; i < count; i++) {
      if (everyMs > 0) await pause(everyMs)
      made++
      yield piece
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
    sendStream(reply, { contentType: 'text/plain', bytes: pieces(name, count, everyMs) }, 100),
  )

const owned: Uint8Array<ArrayBuffer>[] = []
const ownedCount = 400

/** Pieces of bytes, each full of its number. */
async function* numbered(): AsyncGenerator<Uint8Array> {
  for (let n = 0; n < ownedCount; n++) {
    const bytes = new Uint8Array(65_536).fill(n)
    owned.push(bytes)
    yield bytes
  }
}

for (const mayReleaseChunks of [true, false])
  app.get(`/${mayReleaseChunks ? 'given' : 'lent'}`, async (_request, reply) =>
    sendStream(reply, { contentType: 'text/plain', bytes: numbered(), mayReleaseChunks }),
  )
await app.listen({ port: 0 })
after(() => app.close())
const { port } = app.server.address() as AddressInfo

/** The response, of which nothing is read yet. */
const ask = async (path: string): Promise<IncomingMessage> => {
  // What goes wrong is told by the response.
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

test('an answer of one piece has its length, and one of many none', async () => {
  const one = await ask('/one')
  assert.equal(one.headers['content-length'], '65536')
  assert.equal(await lengthOf(one), 65_536)
  const many = await ask('/many')
  assert.equal(many.headers['content-length'], undefined)
  assert.equal(await lengthOf(many), 2_000 * 65_536)
})

test('a client that takes nothing is cut, and what it asked for is given up', async () => {
  ended.length = 0
  made = 0
  const response = await ask('/many')
  const errors: NodeJS.ErrnoException[] = []
  response.on('error', error => errors.push(error)).pause()
  while (ended.length === 0) await pause(10)
  response.resume()
  while (errors.length === 0) await pause(10)
  assert.equal(errors[0]?.code, 'ECONNRESET')
  // What the sockets of both sides hold at most.
  assert.ok(made < 500, `${made} of 2,000 pieces were made for a client that takes none`)
})

test('a client that is slow gets everything, and so does one whose answer is made slowly', async () => {
  const slow = await ask('/many')
  let length = 0
  for await (const bytes of slow) {
    length += bytes.length
    // Many times as long as a client may take nothing, in all.
    if (length < 3_000_000) await pause(10)
  }
  assert.equal(length, 2_000 * 65_536)
  assert.equal(await lengthOf(await ask('/seldom')), 4 * 65_536)
})

for (const everyMs of [0, 1])
  test(`pieces that are given are let go when they are sent, not before${everyMs ? ', to a slow client' : ''}`, async () => {
    owned.length = 0
    let taken = 0
    for await (const bytes of await ask('/given')) {
      for (const byte of bytes as Buffer)
        if (byte !== Math.floor(taken++ / 65_536) % 256) assert.fail(`byte ${taken - 1} is ${byte}`)
      if (everyMs > 0) await pause(everyMs)
    }
    assert.equal(taken, ownedCount * 65_536)
    const kept = owned.filter(({ buffer }) => !buffer.detached)
    // The last ones may be on their way while nothing is left to be asked for.
    assert.ok(kept.length < 10, `${kept.length} of ${ownedCount} are kept`)
  })

test('pieces that somebody else may have are left as they are', async () => {
  owned.length = 0
  assert.equal(await lengthOf(await ask('/lent')), ownedCount * 65_536)
  assert.ok(owned.every(({ buffer }) => !buffer.detached))
})
