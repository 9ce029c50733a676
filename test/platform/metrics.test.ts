// The text that Prometheus reads.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMetrics } from '../../src/platform/metrics.ts'

test('requests are counted by method, route and status, with their duration', async () => {
  const metrics = createMetrics()
  metrics.request('GET', '/v1/partners/:partnerId', 200, 0.002)
  metrics.request('GET', '/v1/partners/:partnerId', 200, 0.2)
  metrics.request('GET', 'unknown', 404, 0.001)
  const { contentType, body } = await metrics.text()
  assert.match(contentType, /^text\/plain; version=0\.0\.4/)
  assert.match(
    body,
    /http_request_duration_seconds_count\{method="GET",route="\/v1\/partners\/:partnerId",status="200"\} 2/,
  )
  assert.match(
    body,
    /http_request_duration_seconds_bucket\{le="0\.0025",method="GET",route="\/v1\/partners\/:partnerId",status="200"\} 1/,
  )
  assert.match(body, /http_request_duration_seconds_sum\{method="GET",route="unknown",status="404"\} 0\.001/)
  assert.match(body, /^process_resident_memory_bytes \d/m)
})

test('counters grow, alone and under labels', async () => {
  const metrics = createMetrics()
  metrics.count('imports_total', 'Imports.', { outcome: 'created' })
  metrics.count('imports_total', 'Imports.', { outcome: 'created' }, 4)
  metrics.count('imports_total', 'Imports.', { outcome: 'refused' })
  metrics.count('plain_total', 'Plain.')
  const { body } = await metrics.text()
  assert.match(body, /^# HELP waybill_imports_total Imports\.$/m)
  assert.match(body, /^waybill_imports_total\{outcome="created"\} 5$/m)
  assert.match(body, /^waybill_imports_total\{outcome="refused"\} 1$/m)
  assert.match(body, /^waybill_plain_total 1$/m)
})

test('a gauge is read at each scrape, and keeps no labels of an earlier scrape', async () => {
  const metrics = createMetrics()
  let depth: Record<string, number> = { imports: 3, deliveries: 2 }
  metrics.gaugeBy('queue', 'queue_depth', 'Depth.', async () => depth)
  metrics.gauge('one', 'One.', () => 1)
  const first = (await metrics.text()).body
  assert.match(first, /^waybill_queue_depth\{queue="imports"\} 3$/m)
  assert.match(first, /^waybill_one 1$/m)
  depth = { imports: 1 }
  const { body } = await metrics.text()
  assert.match(body, /^waybill_queue_depth\{queue="imports"\} 1$/m)
  assert.doesNotMatch(body, /deliveries/)
})

test('a gauge that cannot be read is left out, and everything else is reported', async () => {
  const metrics = createMetrics()
  metrics.gauge('broken', 'Broken.', () => Promise.reject(new Error('The database is away.')))
  metrics.gauge('broken_at_once', 'Broken.', () => {
    throw new Error('The database is away.')
  })
  metrics.gauge('fine', 'Fine.', () => 1)
  const { body } = await metrics.text()
  assert.match(body, /^waybill_fine 1$/m)
  assert.doesNotMatch(body, /^waybill_broken\S* /m)
})
