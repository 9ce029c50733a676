// Large bodies are joined as they arrive, and the memory of their chunks is released at once. Spec 8.

import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import fastify from 'fastify'
import { LargeBody } from '../../../src/platform/http/large-body.ts'
import { receiveBodies } from '../../../src/platform/http/receive-body.ts'

const mebibyte = 1_048_576

/** Sends a body in chunks to a server that leaves large bodies unparsed. Returns the received bytes. */
async function receive(chunks: Iterable<Buffer>): Promise<Buffer> {
  const app = fastify({ bodyLimit: 8 * mebibyte })
  receiveBodies(app, { limits: undefined, leaveLargeUnparsed: true })
  app.addHook('preParsing', async () => Readable.from(chunks))
  let bytes: Buffer | undefined
  app.post('/', ({ body }) => {
    assert.ok(body instanceof LargeBody)
    bytes = Buffer.from(body.bytes)
    return {}
  })
  const headers = { 'content-type': 'application/json' }
  const { statusCode } = await app.inject({ method: 'POST', url: '/', headers, payload: '{}' })
  assert.equal(statusCode, 200)
  await app.close()
  return bytes as Buffer
}

test('a large body arrives complete, however it is split into chunks', async () => {
  const chunks = [2 * mebibyte, 1, mebibyte, 65_536, 700].map((length, n) => Buffer.alloc(length, n + 1))
  const whole = Buffer.concat(chunks)
  assert.ok((await receive(chunks)).equals(whole))
})

test('the memory of a chunk of a large body is released, unless other data shares it', async () => {
  const shared = Buffer.alloc(2 * mebibyte, 7)
  const [own, part] = [Buffer.alloc(mebibyte, 1), shared.subarray(0, mebibyte)]
  await receive([Buffer.alloc(2 * mebibyte), own, part])
  await nextTurn()
  assert.equal(own.length, 0)
  assert.ok(shared.every(byte => byte === 7))
})

test('other requests have a turn between the chunks of a large body', async () => {
  let turn = 0
  let isFinished = false
  const next = () => {
    turn++
    if (!isFinished) setImmediate(next)
  }
  next()
  const turns: number[] = []
  function* chunks() {
    for (let i = 0; i < 8; i++) {
      turns.push(turn)
      yield Buffer.alloc(mebibyte)
    }
  }
  await receive(chunks())
  isFinished = true
  // A body is large above 1 MiB, and the stream is one chunk ahead of its reader.
  assert.equal(new Set(turns.slice(3)).size, 5, `chunks were read in the turns ${turns}`)
})
