import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DeliveryStatus } from '../../../src/vocabulary/webhooks.ts'
import {
  describeLastFailure,
  maxAttempts,
  nextState,
} from '../../../src/webhook-subscriptions/delivery/failure-rule.ts'

const delays = [5, 30, 120, 600, 3600]
const { Pending, Delivered, Failed } = DeliveryStatus

const cases: [failuresBefore: number, hasSucceeded: boolean, status: number, delaySeconds: number][] = [
  [0, true, Delivered, 0],
  [0, false, Pending, 5],
  [1, false, Pending, 30],
  [2, false, Pending, 120],
  [3, false, Pending, 600],
  [3, true, Delivered, 0],
  [4, false, Failed, 0],
  [4, true, Delivered, 0],
  [5, false, Failed, 0],
]

test('an attempt succeeds, is repeated after the next delay, or is the fifth and fails its delivery', () => {
  assert.equal(maxAttempts, 5)
  for (const [failuresBefore, hasSucceeded, status, delaySeconds] of cases) {
    assert.deepEqual(
      nextState(failuresBefore, hasSucceeded, delays),
      { status, delaySeconds },
      `${hasSucceeded ? 'a success' : 'a failure'} after ${failuresBefore}`,
    )
  }
})

test('without a configured delay the next attempt is due at once', () => {
  assert.deepEqual(nextState(1, false, [5]), { status: Pending, delaySeconds: 0 })
})

test('the reason of a failed subscription names the delivery and its last error', () => {
  assert.equal(describeLastFailure('d', 'No.'), 'Delivery d failed 5 times, at last with: No.')
})
