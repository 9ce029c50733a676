// The sliding window is exact: it is compared with a log of all accepted requests. Spec 8.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SlidingWindow } from '../../../src/platform/limits/sliding-window.ts'
import fc from '../../support/properties.ts'

const windowMs = 60_000

/** The reference implementation: searches all accepted times. */
function exactLog(limit: number) {
  const accepted: number[] = []
  return {
    accepted,
    take(now: number): boolean {
      const passes = accepted.filter(at => at > now - windowMs).length < limit
      if (passes) accepted.push(now)
      return passes
    },
  }
}

/** Returns the maximum number of times in any half-open span of the window's length. */
function maxInAnyWindow(times: number[]): number {
  const sorted = [...times].sort((a, b) => a - b)
  let first = 0
  let max = 0
  for (let last = 0; last < sorted.length; last++) {
    while (sorted[last]! - sorted[first]! >= windowMs) first++
    max = Math.max(max, last - first + 1)
  }
  return max
}

// Difficult gaps between arrivals: bursts in one millisecond, steps to just before, onto and just after the
// edge of the window, and long silences. Fractional gaps are multiples of 1/1024, so that adding and
// subtracting them is exact and the window and the log agree on the edge.
const gap = fc.oneof(
  { weight: 8, arbitrary: fc.constant(0) },
  { weight: 4, arbitrary: fc.integer({ min: 1, max: 2_000 }) },
  {
    weight: 2,
    arbitrary: fc.constantFrom(windowMs - 1, windowMs, windowMs + 1, windowMs / 2, windowMs - 2_000),
  },
  { weight: 1, arbitrary: fc.constantFrom(2 * windowMs, 2 * windowMs + 1, 5 * windowMs) },
  { weight: 1, arbitrary: fc.integer({ min: 0, max: 1_024_000 }).map(parts => parts / 1_024) },
)

test('for any arrivals, the window and the full log accept the same requests and have the same number left', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 40 }), fc.array(gap, { maxLength: 400 }), (limit, gaps) => {
      const window = new SlidingWindow(limit, windowMs)
      const log = exactLog(limit)
      let now = 1_000
      for (const step of gaps) {
        now += step
        assert.equal(window.take('a', now) === 0, log.take(now))
        const counting = log.accepted.filter(at => at + windowMs > now).length
        assert.equal(window.left('a', now), limit - counting)
      }
      assert.ok(maxInAnyWindow(log.accepted) <= limit)
    }),
    { numRuns: 1_500 },
  )
})

test('after the seconds of Retry-After the next request passes, and a second earlier it does not', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 20 }), fc.array(gap, { maxLength: 200 }), (limit, gaps) => {
      const window = new SlidingWindow(limit, windowMs)
      let now = 0
      for (const step of gaps) {
        now += step
        const seconds = window.take('a', now)
        if (seconds === 0) continue
        assert.ok(Number.isInteger(seconds) && seconds >= 1 && seconds <= 60)
        assert.ok(window.take('a', now + (seconds - 1) * 1_000) > 0)
        now += seconds * 1_000
        assert.equal(window.take('a', now), 0)
      }
    }),
  )
})

test('when the clock steps back a little, still no window lets more than the limit through', () => {
  const step = fc.oneof(
    { weight: 5, arbitrary: gap },
    { weight: 2, arbitrary: fc.integer({ min: -windowMs + 1, max: -1 }) },
  )
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 30 }), fc.array(step, { maxLength: 400 }), (limit, steps) => {
      const window = new SlidingWindow(limit, windowMs)
      const passed: number[] = []
      let latest = 10 * windowMs
      for (const step of steps) {
        const now = latest + step
        latest = Math.max(latest, now)
        if (window.take('a', now) === 0) passed.push(now)
      }
      assert.ok(maxInAnyWindow(passed) <= limit)
    }),
    { numRuns: 1_500 },
  )
})

test('3,000 requests just before the edge of a window leave none for just after it', () => {
  const window = new SlidingWindow(3_000, windowMs)
  assert.equal(window.take('a', 0), 0)
  for (let i = 1; i < 3_000; i++) assert.equal(window.take('a', 59_999), 0)
  assert.equal(window.take('a', 59_999), 1)
  assert.equal(window.take('a', 60_000), 0)
  assert.equal(window.take('a', 60_000), 60)
  assert.equal(window.take('a', 119_998.5), 1)
  for (let i = 1; i < 3_000; i++) assert.equal(window.take('a', 119_999), 0)
  assert.ok(window.take('a', 119_999) > 0)
})

test('a full key stays full for exactly one window, whenever it began', () => {
  for (let began = 0; began < 200_000; began += 1_000) {
    const window = new SlidingWindow(2, windowMs)
    for (let now = 0; now <= began; now += 1_000) window.take('other', now)
    assert.deepEqual([window.take('a', began), window.take('a', began), window.take('a', began)], [0, 0, 60])
    for (let now = began; now < began + windowMs; now += 1_000) window.take('other', now)
    assert.deepEqual([window.take('a', began + windowMs - 1), window.take('a', began + windowMs)], [1, 0])
  }
})

test('no time is lost when the buffer of a key grows', () => {
  const window = new SlidingWindow(20, windowMs)
  const log = exactLog(20)
  // Three times expire and make room; then the ring must grow.
  const bursts = [
    [0, 3],
    [0.5 * windowMs, 5],
    [windowMs, 30],
    [1.5 * windowMs, 30],
    [2 * windowMs, 30],
  ] as const
  for (const [at, requests] of bursts) {
    for (let i = 0; i < requests; i++)
      assert.equal(window.take('a', at) === 0, log.take(at), `request ${i} at ${at}`)
  }
})

test('of a steady 55 requests a second 50 are accepted, and refused ones do not count', () => {
  const window = new SlidingWindow(3_000, windowMs)
  const passed: number[] = []
  for (let i = 0; i < 55 * 300; i++) {
    const now = Math.floor((i * 1_000) / 55)
    if (window.take('a', now) === 0) passed.push(now)
  }
  assert.equal(maxInAnyWindow(passed), 3_000)
  assert.equal(passed.length, 5 * 3_000)
})

test('keys do not share a window, and idle keys are dropped', () => {
  const window = new SlidingWindow(1, windowMs)
  for (let i = 0; i < 10_000; i++) assert.equal(window.take(`key ${i}`, i), 0)
  assert.equal(window.size, 10_000)
  assert.ok(window.take('key 9999', 60_000) > 0)
  for (let now = 60_000; now <= 6 * windowMs; now += windowMs) window.take('busy', now)
  assert.equal(window.size, 1)
  assert.equal(window.take('key 1', 6 * windowMs), 0)
})

test('a key with few requests takes little memory, even after days', () => {
  const before = process.memoryUsage().arrayBuffers
  const window = new SlidingWindow(3_000, windowMs)
  for (let key = 0; key < 1_000; key++) for (let i = 0; i < 2_000; i++) window.take(String(key), i * windowMs)
  assert.ok(process.memoryUsage().arrayBuffers - before < 1_000 * 200)
  assert.equal(window.size, 1_000)
})
