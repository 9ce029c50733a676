// The lane for large requests: it responds exactly like a server without it, other requests are served
// meanwhile, and requests fail cleanly if their thread hangs, dies, runs out of memory or has to end.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { pino } from 'pino'
import { accessRules } from '../../../src/access/access-rules.ts'
import { openServer } from '../../../src/platform/http/server.ts'
import { openLane } from '../../../src/platform/lane/lane.ts'
import type { LaneLimits } from '../../../src/platform/lane/lane-thread.ts'
import { createMetrics } from '../../../src/platform/metrics.ts'
import { onHint } from '../../../src/platform/work/hints.ts'
import { endpointsBehind } from '../../support/lane-endpoints.ts'
import { noDatabase } from '../../support/no-database.ts'
import { until } from '../../support/service-process.ts'

const text = 'x'.repeat(1_500_000)

/** Opens a server with a lane and one without. Handlers that block wait until the gate is opened. */
async function openServers(t: TestContext, limits: Partial<LaneLimits> = {}) {
  const gate = new Int32Array(new SharedArrayBuffer(4))
  const lines: string[] = []
  const log = pino({ level: 'info', base: null }, { write: line => lines.push(line) })
  const metrics = createMetrics()
  const lane = openLane({
    file: new URL('../../support/lane-thread.ts', import.meta.url),
    data: gate.buffer,
    log,
    metrics,
    limits,
  })
  const common = {
    endpoints: endpointsBehind(gate),
    database: noDatabase,
    log,
    authenticate: (organisationId = '') => ({
      organisationId,
      connectionId: 'c',
      userId: 'u',
      clientId: 'a',
      partnerId: null,
      partnerKind: null,
      scopes: new Set<string>(),
    }),
    access: accessRules,
    formats: {},
  }
  const app = openServer({ ...common, metrics, lane, corsOrigins: ['https://shop.example.com'] })
  const without = openServer({
    ...common,
    metrics: createMetrics(),
    corsOrigins: ['https://shop.example.com'],
  })
  const open = () => {
    Atomics.store(gate, 0, 1)
    Atomics.notify(gate, 0)
  }
  t.after(async () => {
    open()
    await app.close()
    await lane.close()
    await without.close()
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  const figure = async (name: string) =>
    Number(new RegExp(`^waybill_${name} (\\d+)`, 'm').exec((await metrics.text()).body)?.[1] ?? 0)
  const inLane = (state: string) => figure(`large_requests{state="${state}"}`)
  return { app, without, lane, open, lines, metrics, figure, inLane }
}

type Servers = Awaited<ReturnType<typeof openServers>>

/** Sends a body to a server. */
const send = (
  server: Servers['app'],
  body: object,
  { organisation = 'a', path = randomUUID() as string, headers = {} } = {},
) =>
  server.inject({
    method: 'POST',
    url: `/v1/things/${path}`,
    headers: { authorization: organisation, 'content-type': 'application/json', ...headers },
    payload: JSON.stringify(body),
  })

/** Resolves when the handler in the thread has begun an action. */
const begun = (does: string) =>
  new Promise<void>(resolve => {
    const unhint = onHint(`began ${does}`, () => resolve(unhint()))
  })

test('the lane responds exactly like a server without it: success, refusal and defect', async t => {
  const { app, without } = await openServers(t)
  const headers = { 'x-request-id': 'mine', origin: 'https://shop.example.com' }
  const cases: [body: object, path: string][] = [
    [{ does: 'answer', text }, randomUUID()],
    [{ does: 'refuse', text }, randomUUID()],
    [{ does: 'fail', text }, randomUUID()],
    [{ does: 'nothing', text, further: '\0' }, `no-id?Page=x`],
    [[text], randomUUID()],
  ]
  for (const [body, path] of cases) {
    const [withLane, withoutLane] = await Promise.all(
      [app, without].map(server => send(server, body, { path, headers })),
    )
    const { date: _, connection: __, ...actual } = withLane?.headers ?? {}
    const { date: ___, connection: ____, ...expected } = withoutLane?.headers ?? {}
    assert.deepEqual(
      [withLane?.statusCode, actual, withLane?.body],
      [withoutLane?.statusCode, expected, withoutLane?.body],
    )
  }
})

test('an endpoint may leave smaller bodies to the thread, and pass on a request whose work is large', async t => {
  const { app, without } = await openServers(t)
  const ask = async (server: Servers['app'], body?: object) => {
    const response = await server.inject({
      ...{ method: body === undefined ? 'GET' : 'POST', url: '/v1/threads' },
      headers: { authorization: 'a', ...(body && { 'content-type': 'application/json' }) },
      ...(body && { payload: JSON.stringify(body) }),
    })
    return response.json()
  }
  const long = 'ü'.repeat(1_000)
  assert.deepEqual(await ask(app, { isPassedOn: false, text: 'x' }), { isInThread: false, text: 'x' })
  assert.deepEqual(await ask(app, { isPassedOn: false, text: long }), { isInThread: true, text: long })
  assert.deepEqual(await ask(app, { isPassedOn: true, text: 'ü' }), { isInThread: true, text: 'ü' })
  assert.deepEqual(await ask(app), { isInThread: true })
  assert.deepEqual(await ask(without, { isPassedOn: true, text: 'x' }), { isInThread: false, text: 'x' })
})

test('other requests are served while the thread is busy, and its response follows when it is done', async t => {
  const { app, open } = await openServers(t)
  const isBlocked = begun('block')
  const large = send(app, { does: 'block', text })
  await isBlocked
  assert.equal((await send(app, { does: 'answer' }, { organisation: 'b' })).statusCode, 202)
  open()
  const { organisationId, length } = (await large).json()
  assert.deepEqual([organisationId, length], ['a', text.length])
})

test('the thread has three requests at a time, one per organisation; others wait until their client disconnects', async t => {
  const { app, open, inLane, figure } = await openServers(t)
  const sent = ['a', 'a', 'b', 'd', 'e'].map(organisation =>
    send(app, { does: 'wait', text }, { organisation }),
  )
  await until(async () => (await inLane('running')) === 3, 'Three did not run.')
  assert.equal(
    await inLane('waiting'),
    1,
    'the second request of a waits for its turn before it reaches the lane',
  )
  const disconnecting = request({
    port: (app.server.address() as AddressInfo).port,
    host: '127.0.0.1',
    method: 'POST',
    path: `/v1/things/${randomUUID()}`,
    headers: { authorization: 'c', 'content-type': 'application/json' },
  })
  disconnecting.on('error', () => {}).end(JSON.stringify({ does: 'wait', text }))
  await until(async () => (await inLane('waiting')) === 2, 'It does not wait.')
  disconnecting.destroy()
  await until(
    async () => (await inLane('waiting')) === 1,
    'It still waits although its client has disconnected.',
  )
  open()
  assert.deepEqual(
    (await Promise.all(sent)).map(({ statusCode }) => statusCode),
    Array(5).fill(202),
  )
  assert.equal(await figure('unexpected_errors_total'), 0)
})

test('the signal of the handler fires when its client disconnects', async t => {
  const { app } = await openServers(t)
  const awaits = begun('await')
  const hasLeft = new Promise<void>(resolve => onHint('left', resolve))
  const sent = request({
    port: (app.server.address() as AddressInfo).port,
    host: '127.0.0.1',
    method: 'POST',
    path: `/v1/things/${randomUUID()}`,
    headers: { authorization: 'a', 'content-type': 'application/json' },
  })
  sent.on('error', () => {}).end(JSON.stringify({ does: 'await', text }))
  await awaits
  sent.destroy()
  await hasLeft
})

test('hints, metrics and log lines are passed from the thread to the process', async t => {
  const { app, lines, figure } = await openServers(t)
  const hinted = new Promise<void>(resolve => onHint('things', resolve))
  await send(app, { does: 'hint', text })
  await hinted
  const { statusCode } = await send(app, { does: 'fail', text }, { headers: { 'x-request-id': 'mine' } })
  assert.equal(statusCode, 500)
  assert.equal(await figure('unexpected_errors_total'), 1)
  const logged = lines.map(line => JSON.parse(line))
  const [defect] = logged.filter(({ msg }) => msg === 'unexpected error')
  assert.deepEqual([defect.reqId, defect.err.message], ['mine', 'a defect'])
  assert.match(defect.err.stack, /lane-endpoints/)
  assert.equal(logged.filter(({ msg, status }) => msg === 'request' && status === 500).length, 1)
})

const failures: [how: string, does: string, limits: Partial<LaneLimits>][] = [
  ['dies', 'die', {}],
  ['runs out of memory', 'exhaust', { maxHeapMb: 96 }],
  ['hangs', 'hang', { maxMs: 5_000 }],
]
for (const [how, does, limits] of failures) {
  test(`the requests of a thread that ${how} get 503 with Retry-After, and the next one gets a new thread`, async t => {
    const { app, inLane, lines } = await openServers(t, limits)
    // On a busy machine, the start alone may take longer than the limit.
    const isStarted = async () => (await send(app, { does: 'answer', text })).statusCode === 202
    await until(isStarted, 'The thread does not start.')
    const hasBegun = begun('wait')
    const bystander = send(app, { does: 'wait', text }, { organisation: 'b' })
    await hasBegun
    for (const refused of await Promise.all([send(app, { does, text }), bystander])) {
      assert.deepEqual([refused.statusCode, refused.headers['retry-after']], [503, '2'])
      assert.deepEqual(refused.json().ErrorMessages, [
        'The request was interrupted. It may have been stored: repeat it with its idempotency key, or look it up.',
      ])
      assert.equal(refused.headers.outcome, 'unknown')
    }
    assert.equal(await inLane('running'), 0)
    assert.ok(
      lines.some(line => /"level":50.*thread/.test(line)),
      lines.join(''),
    )
    assert.equal((await send(app, { does: 'answer', text })).statusCode, 202)
  })
}

test('an idle thread ends after a while, and closing waits for running requests', async t => {
  const { app, lane, open } = await openServers(t, { idleMs: 20 })
  assert.equal((await send(app, { does: 'answer', text })).statusCode, 202)
  const threads = () => process.getActiveResourcesInfo().filter(name => name === 'MessagePort').length
  await until(async () => threads() === 0, 'The thread does not end.')
  const hasBegun = begun('wait')
  const running = send(app, { does: 'wait', text })
  await hasBegun
  const closed = lane.close()
  const refused = await send(app, { does: 'answer', text }, { organisation: 'b' })
  assert.deepEqual([refused.statusCode, refused.headers['retry-after']], [503, '2'])
  open()
  assert.equal((await running).statusCode, 202)
  await closed
  assert.equal(threads(), 0)
})
