import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openPace } from '../../src/webhook-subscriptions/pace.ts'

test('a subscription begins with two, earns up to 50 and falls back to one after a failure', () => {
  const pace = openPace()
  assert.equal(pace.allowance('a', 0), 2)
  for (let i = 0; i < 100; i++) {
    pace.start('a', i)
    pace.end('a', true, i)
  }
  assert.deepEqual(pace.allowances(100), { a: 50 })
  pace.start('a', 100)
  assert.deepEqual(pace.allowances(100), { a: 49 })
  pace.end('a', false, 100)
  assert.equal(pace.allowance('a', 100), 1)
  pace.start('a', 100)
  assert.equal(pace.allowance('a', 100), 0)
  pace.end('a', true, 100)
  assert.equal(pace.allowance('a', 100), 2)
  assert.equal(pace.allowance('b', 100), 2)
})

test('a subscription that does not answer for a second gets nothing more until it does', () => {
  const pace = openPace()
  for (let i = 0; i < 10; i++) {
    pace.start('a', 0)
    pace.end('a', true, 0)
  }
  pace.start('a', 5_000)
  pace.start('a', 5_900)
  assert.equal(pace.allowance('a', 6_000), 10)
  assert.equal(pace.allowance('a', 6_001), 0)
  assert.deepEqual(pace.allowances(6_001), { a: 0 })
  pace.end('a', true, 7_000)
  assert.equal(pace.allowance('a', 7_000), 12)
})

test('what has nothing under way for a minute is forgotten', () => {
  const pace = openPace()
  pace.start('a', 0)
  pace.start('b', 0)
  pace.end('a', false, 0)
  assert.deepEqual(pace.allowances(60_000), { a: 1, b: 0 })
  assert.deepEqual(pace.allowances(60_001), { b: 0 })
})
