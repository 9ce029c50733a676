// The budget of request bodies in memory, and the turns of large bodies: in isolation and over HTTP. Spec 8.

import assert from 'node:assert/strict'
import { type AddressInfo, createConnection, type Socket } from 'node:net'
import { after, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { pino } from 'pino'
import { accessRules } from '../../../src/access/access-rules.ts'
import { endpoint } from '../../../src/access/endpoint.ts'
import { createBodyBudget } from '../../../src/platform/http/body-budget.ts'
import { done } from '../../../src/platform/http/endpoint.ts'
import { Type } from '../../../src/platform/http/schema.ts'
import { openServer } from '../../../src/platform/http/server.ts'
import { createMetrics } from '../../../src/platform/metrics.ts'
import { noDatabase } from '../../support/no-database.ts'

test('the budget limits each organisation and all together, and released bytes are available again', () => {
  const shareFor = createBodyBudget({ total: 100, perOrganisation: 60, maxLarge: 2, pauseShare: 0 })
  const [a, again, b] = [shareFor('a'), shareFor('a'), shareFor('b')]
  assert.ok(a.add(60))
  assert.ok(!again.add(1))
  assert.ok(b.add(40))
  assert.ok(!b.add(1))
  a.release()
  a.release()
  assert.ok(again.add(60))
  assert.ok(!shareFor('c').add(1))
})

test('two large bodies of an organisation have their turn, and others wait in order', async () => {
  const shareFor = createBodyBudget({ total: 9, perOrganisation: 9, maxLarge: 2, pauseShare: 0 })
  const order: string[] = []
  const ask = (organisation: string, name: string) => {
    const share = shareFor(organisation)
    void share.turn().then(hasTurn => order.push(hasTurn ? name : `${name} released`))
    return share
  }
  const [first, second, third] = [ask('a', '1'), ask('a', '2'), ask('a', '3'), ask('a', '4')]
  ask('b', 'other')
  await nextTurn()
  assert.deepEqual(order.toSorted(), ['1', '2', 'other'])
  third?.release()
  first?.release()
  second?.release()
  while (order.length < 5) await nextTurn()
  assert.deepEqual(order.slice(3), ['3 released', '4'])
})

test('after a large body the organisation pauses for a share of the time that it took, others do not', async () => {
  const shareFor = createBodyBudget({ total: 9, perOrganisation: 9, maxLarge: 1, pauseShare: 2 })
  const first = shareFor('a')
  await first.turn()
  const startedAt = performance.now()
  while (performance.now() - startedAt < 20) await nextTurn()
  first.release()
  const releasedAt = performance.now()
  const order: string[] = []
  const ask = async (name: string) => {
    assert.ok(await shareFor(name).turn())
    order.push(name)
  }
  await Promise.all([ask('a'), ask('b')])
  assert.deepEqual(order, ['b', 'a'])
  assert.ok(performance.now() - releasedAt >= 39)
})

test('a body beyond the budget of its organisation returns 503 with Retry-After, and others are served', async () => {
  const app = openServer({
    endpoints: [
      endpoint({
        post: '/v1/thing',
        name: 'sendThing',
        partners: 'all',
        scope: 'any',
        summary: 'Send',
        body: Type.Object({}),
        response: done,
        handle: async () => {},
      }),
    ],
    database: noDatabase,
    metrics: createMetrics(),
    log: pino({ level: 'silent' }),
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
    bodyLimits: { total: 3_000_000, perOrganisation: 1_000_000, maxLarge: 2, pauseShare: 0 },
  })
  after(() => app.close())
  await app.listen({ host: '127.0.0.1', port: 0 })
  const send = (organisation: string) =>
    app.inject({
      method: 'POST',
      url: '/v1/thing',
      headers: { authorization: organisation, 'content-type': 'application/json' },
      payload: JSON.stringify({ text: 'x'.repeat(300_000) }),
    })
  const holding: Socket[] = Array.from({ length: 2 }, () => {
    const socket = createConnection((app.server.address() as AddressInfo).port, '127.0.0.1')
    socket.on('error', () => {})
    const head = 'POST /v1/thing HTTP/1.1\r\nHost: x\r\nAuthorization: a\r\nContent-Type: application/json'
    socket.write(`${head}\r\nContent-Length: 900000\r\n\r\n{"text":"${'x'.repeat(430_000)}`)
    return socket
  })
  const until = async (status: number) => {
    while ((await send('a')).statusCode !== status) await nextTurn()
  }
  await until(503)
  const refused = await send('a')
  assert.deepEqual([refused.statusCode, refused.headers['retry-after']], [503, '5'])
  assert.equal(refused.json().ErrorDetails[0].code, 'unavailable')
  assert.equal((await send('b')).statusCode, 200)
  for (const socket of holding) socket.destroy()
  await until(200)
})
