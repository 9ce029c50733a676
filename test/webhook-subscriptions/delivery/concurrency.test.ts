import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Destination, openPace } from '../../../src/webhook-subscriptions/delivery/concurrency.ts'

const [a, b] = ['a', 'b'].map(subscriptionId => ({ organisationId: 'one', subscriptionId })) as [
  Destination,
  Destination,
]

test('a subscription begins with two, earns up to 50 and falls back to one after a failure', () => {
  const pace = openPace()
  assert.equal(pace.allowance('a', 0), 2)
  for (let i = 0; i < 100; i++) {
    pace.start(a, i)
    pace.end(a, true, i)
  }
  assert.deepEqual(pace.allowances(100), { a: 50 })
  pace.start(a, 100)
  assert.deepEqual(pace.allowances(100), { a: 49 })
  pace.end(a, false, 100)
  assert.equal(pace.allowance('a', 100), 1)
  pace.start(a, 100)
  assert.equal(pace.allowance('a', 100), 0)
  pace.end(a, true, 100)
  assert.equal(pace.allowance('a', 100), 2)
  assert.equal(pace.allowance('b', 100), 2)
})

test('a subscription that does not answer for a second gets nothing more until it does', () => {
  const pace = openPace()
  for (let i = 0; i < 10; i++) {
    pace.start(a, 0)
    pace.end(a, true, 0)
  }
  pace.start(a, 5_000)
  pace.start(a, 5_900)
  assert.equal(pace.allowance('a', 6_000), 10)
  assert.equal(pace.allowance('a', 6_001), 0)
  assert.deepEqual(pace.allowances(6_001), { a: 0 })
  pace.end(a, true, 7_000)
  assert.equal(pace.allowance('a', 7_000), 12)
})

test('what has nothing under way for a minute is forgotten', () => {
  const pace = openPace()
  pace.start(a, 0)
  pace.start(b, 0)
  pace.end(a, false, 0)
  assert.deepEqual(pace.allowances(60_000), { a: 1, b: 0 })
  assert.deepEqual(pace.allowances(60_001), { b: 0 })
})

test('an organisation gets no more places while it holds as many as are free', () => {
  const pace = openPace()
  const of = (organisationId: string, n: number) => ({
    organisationId,
    subscriptionId: `${organisationId} ${n}`,
  })
  /**
   * Starts as much for an organisation as it may have, with subscriptions without end, and returns how much
   * that is.
   */
  function fill(organisationId: string): number {
    let n = 0
    while (!pace.crowded().includes(organisationId) && pace.room() > 0)
      for (let i = pace.room(); i > 0; i--) pace.start(of(organisationId, n++), 0)
    return n
  }
  const organisations = ['one', 'two', 'three', 'four', 'five']
  const held = organisations.map(fill)
  assert.ok((held[0] as number) >= 500 && (held[0] as number) < 750, `the first holds ${held}`)
  assert.ok(
    held.every(n => n > 0),
    `each has some: ${held}`,
  )
  assert.ok(pace.room() > 0, 'and more are left for others')
  assert.equal(pace.allowance('one 0', 0), 0)
  assert.equal(pace.allowances(0)['one 0'], 0)
  for (const [i, organisationId] of organisations.entries()) {
    for (let n = 0; n < (held[i] as number); n++) pace.end(of(organisationId, n), true, 0)
  }
  assert.deepEqual([pace.crowded(), pace.room(), pace.allowance('one 0', 0)], [[], 250, 3])
})
