// Special kinds of responses and endpoints: streams, a GET that writes, the signal of a disconnected client,
// and pages of other origins.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createConnection } from 'node:net'
import { after, before, test } from 'node:test'
import { pino } from 'pino'
import { accessRules } from '../../../src/access/access-rules.ts'
import { endpoint } from '../../../src/access/endpoint.ts'
import type { Database, Tx } from '../../../src/platform/database/db.ts'
import { json, stream } from '../../../src/platform/http/endpoint.ts'
import { notFound } from '../../../src/platform/http/refusal.ts'
import { Type } from '../../../src/platform/http/schema.ts'
import { openServer } from '../../../src/platform/http/server.ts'
import { createMetrics } from '../../../src/platform/metrics.ts'
import { noDatabase } from '../../support/no-database.ts'

const tx = { afterCommit: () => {} } as Partial<Tx> as Tx
let transactions = 0
const database: Database = {
  ...noDatabase,
  atomically: work => {
    transactions++
    return work(tx)
  },
  inOneStatement: work => work(tx),
  get original() {
    return database
  },
}

let produced = 0
let isFinished = false
let handlerSignal: AbortSignal | undefined
const logged: string[] = []
const disconnected = Promise.withResolvers<void>()

/** Yields chunks of 64 KiB, and then ends as requested. */
async function* chunks(count: number, end: 'whole' | 'broken'): AsyncGenerator<Uint8Array> {
  isFinished = false
  produced = 0
  try {
    while (produced < count) {
      produced++
      yield Buffer.alloc(65_536, 'x')
    }
    if (end === 'broken') throw new Error('broken in the middle')
  } finally {
    isFinished = true
  }
}

const Query = Type.Object({
  Count: Type.Integer({ default: 2 }),
  End: Type.Union([Type.Literal('whole'), Type.Literal('broken')], { type: 'string', default: 'whole' }),
})
const common = { partners: 'all', scope: 'any', summary: 'A test' } as const
const metrics = createMetrics()
const app = openServer({
  endpoints: [
    endpoint({
      ...common,
      get: '/v1/table',
      name: 'getTable',
      query: Query,
      response: stream,
      handle: async ({ query }) => ({
        fileName: 'Tabelle für März.csv',
        contentType: 'text/csv; charset=utf-8',
        bytes: chunks(query.Count, query.End as 'whole'),
      }),
    }),
    endpoint({
      ...common,
      get: '/v1/no-table',
      name: 'getNoTable',
      response: stream,
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
      ...common,
      get: '/v1/print',
      name: 'print',
      writes: true,
      response: json(Type.Object({ isWriting: Type.Boolean(), requestId: Type.String() })),
      handle: async context => ({ isWriting: context.tx === tx, requestId: context.requestId }),
    }),
    endpoint({
      ...common,
      get: '/v1/slow',
      name: 'getSlowly',
      response: json(Type.Object({})),
      async handle({ signal }) {
        handlerSignal = signal
        await once(signal, 'abort')
        disconnected.resolve()
        signal.throwIfAborted()
        return {}
      },
    }),
  ],
  database,
  metrics,
  log: pino({ level: 'info' }, { write: line => void logged.push(line) }),
  authenticate: () => ({
    organisationId: 'o',
    connectionId: 'c',
    userId: 'u',
    clientId: 'a',
    partnerId: null,
    partnerKind: null,
    scopes: new Set<string>(),
  }),
  access: accessRules,
  formats: {},
  corsOrigins: ['https://app.example.com'],
})

let url = ''
before(async () => {
  url = await app.listen({ host: '127.0.0.1', port: 0 })
})
after(() => app.close())

const connect = () => createConnection((app.server.address() as AddressInfo).port, '127.0.0.1')

test('a stream is sent completely, with its file name', async () => {
  const response = await fetch(`${url}/v1/table?Count=3`)
  assert.equal((await response.arrayBuffer()).byteLength, 3 * 65_536)
  assert.equal(response.headers.get('content-type'), 'text/csv; charset=utf-8')
  assert.match(response.headers.get('content-disposition') ?? '', /filename\*=UTF-8''Tabelle%20f%C3%BCr/)
  assert.ok(isFinished)
  assert.equal((await (await fetch(`${url}/v1/table?Count=0`)).arrayBuffer()).byteLength, 0)
})

test('a stream that fails before its first chunk becomes an ordinary error response', async () => {
  const response = await fetch(`${url}/v1/no-table`)
  assert.equal(response.status, 404)
  assert.deepEqual(((await response.json()) as { ErrorMessages: string[] }).ErrorMessages, [
    'Table not found.',
  ])
})

test('a stream that fails part-way resets the connection, so that it never looks complete', async () => {
  const response = await fetch(`${url}/v1/table?Count=3&End=broken`)
  await assert.rejects(response.arrayBuffer())
  // Over HTTP/1.0 the response ends with the connection, so only a reset reveals the failure.
  const socket = connect()
  socket.write('GET /v1/table?Count=200&End=broken HTTP/1.0\r\n\r\n')
  socket.resume()
  const [error] = await once(socket, 'close').then(
    () => [undefined],
    fault => [fault],
  )
  assert.equal((error as NodeJS.ErrnoException)?.code, 'ECONNRESET')
})

test('no more of a stream is produced than the client reads, and nothing after it disconnects', async () => {
  const socket = connect()
  socket.write('GET /v1/table?Count=100000 HTTP/1.1\r\nHost: x\r\n\r\n')
  await once(socket, 'readable')
  // The server is in this process: it has stopped once many turns of the event loop bring nothing more.
  let before = -1
  while (produced !== before) {
    before = produced
    for (let turn = 0; turn < 100; turn++) await new Promise(resolve => setImmediate(resolve))
  }
  assert.ok(produced < 1_000, `${produced} chunks were produced.`)
  socket.destroy()
  while (!isFinished) await new Promise(resolve => setTimeout(resolve, 5))
  assert.ok(produced < 1_000)
})

test('HEAD of a stream returns its headers and produces only the first chunk', async () => {
  const response = await fetch(`${url}/v1/table?Count=100`, { method: 'HEAD' })
  assert.deepEqual([response.status, response.headers.get('content-type')], [200, 'text/csv; charset=utf-8'])
  assert.deepEqual([produced, isFinished], [1, true])
})

test('a GET that writes has an open transaction and no HEAD', async () => {
  const response = await fetch(`${url}/v1/print`, { headers: { 'x-request-id': 'mine' } })
  assert.deepEqual(await response.json(), { isWriting: true, requestId: 'mine' })
  assert.equal(transactions, 1)
  assert.equal((await fetch(`${url}/v1/print`, { method: 'HEAD' })).status, 405)
})

test('the signal of a handler fires when the client disconnects, which is no defect', async () => {
  const socket = connect()
  socket.write('GET /v1/slow HTTP/1.1\r\nHost: x\r\n\r\n')
  while (handlerSignal === undefined) await new Promise(resolve => setTimeout(resolve, 5))
  assert.ok(!handlerSignal.aborted)
  socket.destroy()
  await disconnected.promise
  // By the answer to the next request, the first is over.
  assert.equal((await fetch(`${url}/v1/print`)).status, 200)
  assert.deepEqual(
    logged.filter(line => line.includes('unexpected error')),
    [],
  )
  assert.doesNotMatch((await metrics.text()).body, /^waybill_unexpected_errors_total/m)
})

test('pages of configured origins may call the API, others get no CORS headers', async () => {
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
    const response = await fetch(`${url}${path}`, { headers: { origin } })
    assert.equal(response.headers.get('access-control-allow-origin'), origin, path)
    assert.match(response.headers.get('access-control-expose-headers') ?? '', /etag/)
  }
})
