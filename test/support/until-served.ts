// A client's patience: a request that the service was too busy for is sent again.

import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'

// Longer than the slowest machine needs to work off what a test sends at once.
const patienceMs = 180_000

/**
 * Sends a request until it is answered with something else than 503, and returns that answer. A 503 says that
 * nothing was done, so the request may be sent again after a moment; of many at once on a slow machine, some
 * wait too long for a connection. Fails after three minutes of 503s.
 */
export async function untilServed<Answer extends { status: number }>(
  send: () => Promise<Answer>,
): Promise<Answer> {
  const end = performance.now() + patienceMs
  for (;;) {
    const answer = await send()
    if (answer.status !== 503) return answer
    assert.ok(performance.now() < end, 'For three minutes the service was too busy.')
    await pause(100)
  }
}
