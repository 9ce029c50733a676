// Kinds of answers and endpoints beyond the plain ones: streams, a GET that writes, the signal that a client
// has left, and pages of other origins.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createConnection } from 'node:net'
import { after, before, test } from 'node:test'
import { pino } from 'pino'
import type { Database, Tx } from '../../../src/platform/database/db.ts'
import { endpoint, json, stream } from '../../../src/platform/http/endpoint.ts'
import { notFound } from '../../../src/platform/http/refusal.ts'
import { Type } from '../../../src/platform/http/schema.ts'
import { openServer } from '../../../src/platform/http/server.ts'
import { openMetrics } from '../../../src/platform/metrics.ts'

const tx = { afterCommit: () => {} } as Partial<Tx> as Tx
let transactions = 0
const database: Database = {
  db: {} as Tx,
  atomically: work => {
    transactions++
    return work(tx)
  },
  inOneStatement: work => work(tx),
  openConnection: () => assert.fail('no database here'),
  snapshot: () => assert.fail('no database here'),
  takeReadSlot: () => assert.fail('no database here'),
  connection: {},
  stats: () => ({ busy: 0, idle: 0, waiting: 0 }),
  state: () => ({ isUnavailable: false, sinceUtc: '' }),
  close: async () => {},
}

let made = 0
let isOver = false
let seen: AbortSignal | undefined
const departed = Promise.withResolvers<void>()

/** Pieces of 64 KiB, as many as are asked for, then the end that is wished for. */
async function* pieces(count: number, end: 'whole' | 'broken'): AsyncGenerator<Uint8Array> {
  isOver = false
  made = 0
  try {
    while (made < count) {
      made++
      yield Buffer.alloc(65_536, 'x')
    }
    if (end === 'broken') throw new Error('broken in the middle')
  } finally {
    isOver = true
  }
}

const Query = Type.Object({
  Count: Type.Integer({ default: 2 }),
  End: Type.Union([Type.Literal('whole'), Type.Literal('broken')], { type: 'string', default: 'whole' }),
})
const facts = { partners: 'all', scope: 'any', summary: 'A test' } as const
const app = openServer({
  endpoints: [
    endpoint({
      ...facts,
      get: '/v1/table',
      name: 'getTable',
      query: Query,
      answer: stream,
      handle: async ({ query }) => ({
        fileName: 'Tabelle für März.csv',
        contentType: 'text/csv; charset=utf-8',
        bytes: pieces(query.Count, query.End as 'whole'),
      }),
    }),
    endpoint({
      ...facts,
      get: '/v1/no-table',
      name: 'getNoTable',
      answer: stream,
      handle: async () => ({
        fileName: 'x',
        contentType: 'text/csv',
        bytes: (async function* () {
          yield* []
          throw notFound('Table')
        })(),
      }),
    }),
    endpoint({
      ...facts,
      get: '/v1/print',
      name: 'print',
      writes: true,
      answer: json(Type.Object({ isWriting: Type.Boolean(), requestId: Type.String() })),
      handle: async context => ({ isWriting: context.tx === tx, requestId: context.requestId }),
    }),
    endpoint({
      ...facts,
      get: '/v1/slow',
      name: 'getSlowly',
      answer: json(Type.Object({})),
      async handle({ signal }) {
        seen = signal
        await once(signal, 'abort')
        departed.resolve()
        return {}
      },
    }),
  ],
  database,
  metrics: openMetrics(),
  log: pino({ level: 'silent' }),
  authenticate: () => ({
    organisationId: 'o',
    connectionId: 'c',
    userId: 'u',
    clientId: 'a',
    partnerId: null,
    partnerKind: null,
    scopes: new Set<string>(),
  }),
  rateLimits: false,
  formats: {},
  corsOrigins: ['https://app.example.com'],
})

let url = ''
before(async () => {
  url = await app.listen({ host: '127.0.0.1', port: 0 })
})
after(() => app.close())

const connect = () => createConnection((app.server.address() as AddressInfo).port, '127.0.0.1')

test('a stream is sent whole, under its name', async () => {
  const answer = await fetch(`${url}/v1/table?Count=3`)
  assert.equal((await answer.arrayBuffer()).byteLength, 3 * 65_536)
  assert.equal(answer.headers.get('content-type'), 'text/csv; charset=utf-8')
  assert.match(answer.headers.get('content-disposition') ?? '', /filename\*=UTF-8''Tabelle%20f%C3%BCr/)
  assert.ok(isOver)
  assert.equal((await (await fetch(`${url}/v1/table?Count=0`)).arrayBuffer()).byteLength, 0)
})

test('a stream that fails before its first piece is answered as any refusal', async () => {
  const answer = await fetch(`${url}/v1/no-table`)
  assert.equal(answer.status, 404)
  assert.deepEqual(((await answer.json()) as { ErrorMessages: string[] }).ErrorMessages, ['Table not found.'])
})

test('a stream that fails in the middle breaks the connection, so that it never looks whole', async () => {
  const answer = await fetch(`${url}/v1/table?Count=3&End=broken`)
  await assert.rejects(answer.arrayBuffer())
  // Where the end of the connection is the end of the answer, only a reset tells.
  const socket = connect()
  socket.write('GET /v1/table?Count=200&End=broken HTTP/1.0\r\n\r\n')
  socket.resume()
  const [error] = await once(socket, 'close').then(
    () => [undefined],
    fault => [fault],
  )
  assert.equal((error as NodeJS.ErrnoException)?.code, 'ECONNRESET')
})

test('no more is made of a stream than the client takes, and nothing once it has left', async () => {
  const socket = connect()
  socket.write('GET /v1/table?Count=100000 HTTP/1.1\r\nHost: x\r\n\r\n')
  await once(socket, 'readable')
  let before = -1
  while (made !== before) {
    before = made
    await new Promise(resolve => setTimeout(resolve, 200))
  }
  assert.ok(made < 1_000, `${made} pieces were made.`)
  socket.destroy()
  while (!isOver) await new Promise(resolve => setTimeout(resolve, 5))
  assert.ok(made < 1_000)
})

test('HEAD of a stream answers its headers and makes no more than its beginning', async () => {
  const answer = await fetch(`${url}/v1/table?Count=100`, { method: 'HEAD' })
  assert.deepEqual([answer.status, answer.headers.get('content-type')], [200, 'text/csv; charset=utf-8'])
  assert.deepEqual([made, isOver], [1, true])
})

test('a GET that writes has an open transaction and no HEAD', async () => {
  const answer = await fetch(`${url}/v1/print`, { headers: { 'x-request-id': 'mine' } })
  assert.deepEqual(await answer.json(), { isWriting: true, requestId: 'mine' })
  assert.equal(transactions, 1)
  assert.equal((await fetch(`${url}/v1/print`, { method: 'HEAD' })).status, 405)
})

test('the signal of a handler fires when the client leaves', async () => {
  const socket = connect()
  socket.write('GET /v1/slow HTTP/1.1\r\nHost: x\r\n\r\n')
  while (seen === undefined) await new Promise(resolve => setTimeout(resolve, 5))
  assert.ok(!seen.aborted)
  socket.destroy()
  await departed.promise
})

test('pages of the origins that are set may call, others are told nothing', async () => {
  const origin = 'https://app.example.com'
  const preflight = (from: string) =>
    fetch(`${url}/v1/print`, {
      method: 'OPTIONS',
      headers: { origin: from, 'access-control-request-method': 'PUT' },
    })
  const allowed = await preflight(origin)
  assert.deepEqual([allowed.status, allowed.headers.get('access-control-allow-origin')], [204, origin])
  assert.match(allowed.headers.get('access-control-allow-headers') ?? '', /authorization.*if-match/)
  assert.equal((await preflight('https://evil.example')).headers.get('access-control-allow-origin'), null)
  for (const path of ['/v1/print', '/nope']) {
    const answer = await fetch(`${url}${path}`, { headers: { origin } })
    assert.equal(answer.headers.get('access-control-allow-origin'), origin, path)
    assert.match(answer.headers.get('access-control-expose-headers') ?? '', /etag/)
  }
})
