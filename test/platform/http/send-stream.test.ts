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
