// Readiness, and who may read metrics: programs on this machine, and callers with the token.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import Fastify from 'fastify'
import { pino } from 'pino'
import type { Database } from '../../src/platform/database/db.ts'
import type { Refusal } from '../../src/platform/http/refusal.ts'
import { createMetrics } from '../../src/platform/metrics.ts'
import { addHealth, addMetrics, type MetricsAccess, openMetricsServer } from '../../src/process/operations.ts'
import { freeAddress } from '../support/given-people.ts'

const token = 'a-token-for-prometheus'

function statusOf(access: MetricsAccess) {
  const app = Fastify({ trustProxy: true })
  addMetrics(app, createMetrics(), access)
  app.setErrorHandler((error: { status?: number }, _request, reply) => reply.code(error.status ?? 500).send())
  return async (remoteAddress: string, headers: Record<string, string> = {}) =>
    (await app.inject({ url: '/metrics', remoteAddress, headers: { host: 'localhost:8080', ...headers } }))
      .statusCode
}

test("ready means started and not stopping, whatever the database's state, which only ?verbose reports", async () => {
  const sinceUtc = '2026-11-22T10:00:00.000Z'
  const now = { isUnavailable: false, isStopping: false }
  const app = Fastify()
  app.setErrorHandler((error: Refusal, _request, reply) => reply.code(error.status).send(error.body))
  // A database that cannot be queried; only its known state can be read.
  const database = { state: () => ({ isUnavailable: now.isUnavailable, sinceUtc }) } as Database
  addHealth(app, { database, isStopping: () => now.isStopping })
  const asked = async (url: string) => {
    const { statusCode, body } = await app.inject({ url })
    return [statusCode, JSON.parse(body)]
  }
  for (const isUnavailable of [false, true]) {
    now.isUnavailable = isUnavailable
    assert.deepEqual(await asked('/health/ready'), [200, { status: 'ok' }])
    const verbose = { status: 'ok', database: isUnavailable ? 'away' : 'up', sinceUtc }
    assert.deepEqual(await asked('/health/ready?verbose'), [200, verbose])
  }
  now.isStopping = true
  for (const path of ['/health/ready', '/health/ready?verbose'])
    assert.deepEqual((await asked(path))[0], 503, path)
  assert.deepEqual(await asked('/health/live'), [200, { status: 'ok' }])
})

test('without a token, only programs on this machine may read metrics', async () => {
  const status = statusOf({ token: undefined, isLocalOnly: true })
  for (const address of ['127.0.0.1', '127.8.9.1', '::1', '::ffff:127.0.0.1'])
    assert.equal(await status(address), 200, address)
  for (const host of ['127.0.0.1:8080', '[::1]:8080', 'LOCALHOST'])
    assert.equal(await status('127.0.0.1', { host }), 200, host)
  for (const address of ['10.0.0.1', '192.0.2.1', '::2', '2001:db8::1', '::ffff:10.0.0.1', 'unknown'])
    assert.equal(await status(address), 403, address)
})

test('a request through a proxy on this machine does not count as local', async () => {
  const status = statusOf({ token: undefined, isLocalOnly: true })
  for (const name of [
    'x-forwarded-for',
    'X-Forwarded-Proto',
    'x-forwarded-host',
    'forwarded',
    'via',
    'x-real-ip',
    'cf-connecting-ip',
  ])
    assert.equal(await status('127.0.0.1', { [name]: '127.0.0.1' }), 403, name)
  // Nor does a request of a web page under its own domain (DNS rebinding).
  for (const host of ['waybill.example.com', 'localhost.example.com', '127.0.0.1.example.com', '10.0.0.1'])
    assert.equal(await status('127.0.0.1', { host }), 403, host)
})

test('with a token, only callers that send it may read metrics', async () => {
  for (const isLocalOnly of [true, false]) {
    const status = statusOf({ token, isLocalOnly })
    assert.equal(await status('192.0.2.1', { authorization: `Bearer ${token}` }), 200)
    for (const authorization of ['', token, `Bearer ${token}x`, `Bearer ${token.slice(1)}`, 'Bearer'])
      assert.equal(await status('127.0.0.1', { authorization }), 401, authorization)
    assert.equal(await status('127.0.0.1'), 401)
  }
})

test('a separate port serves only metrics, and requires the token too', async t => {
  const url = await freeAddress()
  const config = { host: '127.0.0.1', metricsPort: Number(new URL(url).port), metricsToken: token }
  const close = await openMetricsServer(createMetrics(), config, pino({ level: 'silent' }))
  t.after(close)
  assert.equal((await fetch(`${url}/metrics`)).status, 401)
  const response = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${token}` } })
  assert.equal(response.status, 200)
  assert.match(await response.text(), /^# HELP/m)
  assert.equal((await fetch(`${url}/health/live`)).status, 404)
})
