// The headers RateLimit and RateLimit-Policy, which let callers slow down before they are refused:
// draft-ietf-httpapi-ratelimit-headers. Spec 8.

import type { RateLimits } from '../limits/limits.ts'

/**
 * Sets the headers of a response to an owner whose request was counted. If the request was refused,
 * `waitSeconds` is the time until the next one may pass.
 */
export type SetRateLimitHeaders = (
  reply: { header(name: string, value: string): unknown },
  limit: string,
  owner: string,
  waitSeconds?: number,
) => void

/** Makes the function that sets the headers. Both have few values, so their texts are made once. */
export function rateLimitHeaders(limits: RateLimits): SetRateLimitHeaders {
  const texts = new Map(
    Object.entries(limits.perMinute).map(([limit, max]) => [
      limit,
      { policy: `"${limit}";q=${max};w=60`, byLeft: [] as string[] },
    ]),
  )
  return (reply, limit, owner, waitSeconds = 0) => {
    const { policy, byLeft } = texts.get(limit)!
    const left = limits.left(limit, owner)
    byLeft[left] ??= `"${limit}";r=${left}`
    reply.header('ratelimit-policy', policy)
    reply.header('ratelimit', waitSeconds > 0 ? `"${limit}";r=0;t=${waitSeconds}` : byLeft[left])
  }
}
