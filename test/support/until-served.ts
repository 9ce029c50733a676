// Resends requests that the service was too busy for, as a patient client does.

import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'

// Longer than the slowest machine needs for everything that a test sends at once.
const patienceMs = 180_000

/**
 * Sends a request until its response is not 503, and returns that response. A 503 means that nothing was
 * done, so the request may be sent again: if a slow machine gets many at once, some wait too long for a
 * connection. Fails after three minutes of 503s.
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
