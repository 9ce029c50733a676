// The headers RateLimit and RateLimit-Policy, by which callers slow down before they are refused: the draft
// draft-ietf-httpapi-ratelimit-headers. Spec 8.

import { type LimitName, perMinute } from '../limits/limits.ts'

/** What may pass in a minute, by limit. */
const policies = mapLimits((limit, most) => `"${limit}";q=${most};w=60`)

/** What is left, by limit and number: made when first needed, so that requests make no texts of their own. */
const texts = mapLimits((): string[] => [])

function mapLimits<T>(make: (limit: LimitName, most: number) => T): Readonly<Record<LimitName, T>> {
  const made = Object.entries(perMinute).map(([limit, most]) => [limit, make(limit as LimitName, most)])
  return Object.fromEntries(made)
}

/**
 * Sets the headers of an answer. `waitSeconds` is above 0 where the request was refused: after so long the
 * next one may pass.
 */
export function setRateLimitHeaders(
  answer: { header(name: string, value: string): unknown },
  limit: LimitName,
  left: number,
  waitSeconds = 0,
): void {
  answer.header('ratelimit-policy', policies[limit])
  answer.header('ratelimit', waitSeconds > 0 ? `"${limit}";r=0;t=${waitSeconds}` : leftText(limit, left))
}

function leftText(limit: LimitName, left: number): string {
  const known = texts[limit]
  known[left] ??= `"${limit}";r=${left}`
  return known[left]
}
