import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  createConcurrency,
  type SubscriptionKey,
} from '../../../src/webhook-subscriptions/delivery/concurrency.ts'

const [a, b] = ['a', 'b'].map(subscriptionId => ({ organisationId: 'one', subscriptionId })) as [
  SubscriptionKey,
  SubscriptionKey,
]

test('a subscription begins with a window of two, which grows to 50 and falls to one after a failure', () => {
  const concurrency = createConcurrency()
  assert.equal(concurrency.allowance('a', 0), 2)
  for (let i = 0; i < 100; i++) {
    concurrency.start(a, i)
    concurrency.end(a, true, i)
  }
  assert.deepEqual(concurrency.allowances(100), { a: 50 })
  concurrency.start(a, 100)
  assert.deepEqual(concurrency.allowances(100), { a: 49 })
  concurrency.end(a, false, 100)
  assert.equal(concurrency.allowance('a', 100), 1)
  concurrency.start(a, 100)
  assert.equal(concurrency.allowance('a', 100), 0)
  concurrency.end(a, true, 100)
  assert.equal(concurrency.allowance('a', 100), 2)
  assert.equal(concurrency.allowance('b', 100), 2)
})

test('a subscription that does not respond for a second gets nothing more until it does', () => {
  const concurrency = createConcurrency()
  for (let i = 0; i < 10; i++) {
    concurrency.start(a, 0)
    concurrency.end(a, true, 0)
  }
  concurrency.start(a, 5_000)
  concurrency.start(a, 5_900)
  assert.equal(concurrency.allowance('a', 6_000), 10)
  assert.equal(concurrency.allowance('a', 6_001), 0)
  assert.deepEqual(concurrency.allowances(6_001), { a: 0 })
  concurrency.end(a, true, 7_000)
  assert.equal(concurrency.allowance('a', 7_000), 12)
})

test('a subscription without deliveries in progress for a minute is forgotten', () => {
  const concurrency = createConcurrency()
  concurrency.start(a, 0)
  concurrency.start(b, 0)
  concurrency.end(a, false, 0)
  assert.deepEqual(concurrency.allowances(60_000), { a: 1, b: 0 })
  assert.deepEqual(concurrency.allowances(60_001), { b: 0 })
})

test('an organisation gets no more slots while it holds as many as are free', () => {
  const concurrency = createConcurrency()
  const of = (organisationId: string, n: number) => ({
    organisationId,
    subscriptionId: `${organisationId} ${n}`,
  })
  /**
   * Starts as many deliveries of an organisation as are allowed, each to another subscription, and returns
   * how many that is.
   */
  function fill(organisationId: string): number {
    let n = 0
    while (!concurrency.saturatedOrganisations().includes(organisationId) && concurrency.claimLimit() > 0)
      for (let i = concurrency.claimLimit(); i > 0; i--) concurrency.start(of(organisationId, n++), 0)
    return n
  }
  const organisations = ['one', 'two', 'three', 'four', 'five']
  const held = organisations.map(fill)
  assert.ok((held[0] as number) >= 500 && (held[0] as number) < 750, `the first holds ${held}`)
  assert.ok(
    held.every(n => n > 0),
    `each has some: ${held}`,
  )
  assert.ok(concurrency.claimLimit() > 0, 'and slots are left for others')
  assert.equal(concurrency.allowance('one 0', 0), 0)
  assert.equal(concurrency.allowances(0)['one 0'], 0)
  for (const [i, organisationId] of organisations.entries()) {
    for (let n = 0; n < (held[i] as number); n++) concurrency.end(of(organisationId, n), true, 0)
  }
  assert.deepEqual(
    [concurrency.saturatedOrganisations(), concurrency.claimLimit(), concurrency.allowance('one 0', 0)],
    [[], 250, 3],
  )
})
