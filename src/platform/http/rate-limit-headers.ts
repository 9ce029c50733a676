// The headers RateLimit and RateLimit-Policy, which let callers slow down before they are refused:
// draft-ietf-httpapi-ratelimit-headers. Spec 8.

import { type LimitName, perMinute } from '../limits/limits.ts'

/** The values of RateLimit-Policy, by limit. */
const policies = mapLimits((limit, max) => `"${limit}";q=${max};w=60`)

/** Cached values of RateLimit, by limit and by the number of requests that are left. */
const cachedValues = mapLimits((): string[] => [])

function mapLimits<T>(map: (limit: LimitName, max: number) => T): Readonly<Record<LimitName, T>> {
  const entries = Object.entries(perMinute).map(([limit, max]) => [limit, map(limit as LimitName, max)])
  return Object.fromEntries(entries)
}

/**
 * Sets the headers of a response. `left` is how many more requests may pass now. If the request was refused,
 * `waitSeconds` is the time until the next one may pass.
 */
export function setRateLimitHeaders(
  reply: { header(name: string, value: string): unknown },
  limit: LimitName,
  left: number,
  waitSeconds = 0,
): void {
  reply.header('ratelimit-policy', policies[limit])
  reply.header('ratelimit', waitSeconds > 0 ? `"${limit}";r=0;t=${waitSeconds}` : valueFor(limit, left))
}

function valueFor(limit: LimitName, left: number): string {
  const cached = cachedValues[limit]
  cached[left] ??= `"${limit}";r=${left}`
  return cached[left]
}
