// Large bodies are put together as they come, and what they came in is given back at once. Spec 8.

import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { setImmediate as pass } from 'node:timers/promises'
import fastify from 'fastify'
import { LargeBody } from '../../../src/platform/http/large-body.ts'
import { receiveBodies } from '../../../src/platform/http/receive-body.ts'

const mebibyte = 1_048_576

/** Sends a body in these pieces to a server that leaves large ones unread; returns the bytes it received. */
async function received(pieces: Iterable<Buffer>): Promise<Buffer> {
  const app = fastify({ bodyLimit: 8 * mebibyte })
  receiveBodies(app, { limits: undefined, leaveLargeUnparsed: true })
  app.addHook('preParsing', async () => Readable.from(pieces))
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

test('a large body arrives whole, whatever it came in', async () => {
  const pieces = [2 * mebibyte, 1, mebibyte, 65_536, 700].map((length, n) => Buffer.alloc(length, n + 1))
  const whole = Buffer.concat(pieces)
  assert.ok((await received(pieces)).equals(whole))
})

test('the memory that a piece of a large body came in is given back, unless something else is in it', async () => {
  const shared = Buffer.alloc(2 * mebibyte, 7)
  const [own, part] = [Buffer.alloc(mebibyte, 1), shared.subarray(0, mebibyte)]
  await received([Buffer.alloc(2 * mebibyte), own, part])
  await pass()
  assert.equal(own.length, 0)
  assert.ok(shared.every(byte => byte === 7))
})

test('between the pieces of a large body the others have their turn', async () => {
  let turn = 0
  let isOver = false
  const next = () => {
    turn++
    if (!isOver) setImmediate(next)
  }
  next()
  const turns: number[] = []
  function* pieces() {
    for (let piece = 0; piece < 8; piece++) {
      turns.push(turn)
      yield Buffer.alloc(mebibyte)
    }
  }
  await received(pieces())
  isOver = true
  // A body is large from 1 MiB on, and the stream is a piece ahead of who reads it.
  assert.equal(new Set(turns.slice(3)).size, 5, `pieces were read in the turns ${turns}`)
})
