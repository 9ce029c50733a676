// The statement that takes permits from the rows of limits, for many keys at once
// (migrations/022-processes.sql). It also returns how many permits are left for each key
// (migrations/022-processes.sql).

import type { Session } from '../database/session.ts'

/** What a process reports and requests for one key. */
export interface PermitRequest {
  /** `<limit> <owner>` */
  key: string
  /** the requests that it let through since its last report: how many (`n`), by age in milliseconds */
  passed: readonly { age: number; n: number }[]
  /** its unused permits */
  holding: number
  /** the largest number of permits that it wants */
  wanted: number
  /** how many requests may pass in any 60 seconds */
  max: number
}

/** The reply for one key. */
export interface PermitGrant {
  granted: number
  /** if none was granted: the milliseconds until the next request may pass */
  waitMs: number
  /** requests that may pass now in addition to those for which processes hold permits */
  left: number
}

/**
 * Takes permits for a process. `number` must rise with each statement of the process. Returns the grants in
 * the order of the requests.
 */
export async function takePermits(
  session: Session,
  processId: string,
  number: number,
  requests: readonly PermitRequest[],
): Promise<PermitGrant[]> {
  // All processes lock the rows in the same order, which prevents deadlocks.
  const sorted = requests.toSorted((a, b) => (a.key < b.key ? -1 : 1))
  const rows = await session.rows<PermitGrant & { key: string }>(
    `select r.key, t.granted, t.wait_ms as "waitMs", permits_left(r.key, r.max) as "left"
    from json_to_recordset($3) as r (key text, passed jsonb, holding integer, wanted integer, max integer)
    cross join lateral take_permits(r.key, $1::uuid, $2::bigint, r.passed, r.holding, r.wanted, r.max) t`,
    [processId, number, JSON.stringify(sorted)],
  )
  const byKey = new Map(rows.map(row => [row.key, row]))
  return requests.map(({ key }) => byKey.get(key) ?? { granted: 0, waitMs: 1_000, left: 0 })
}
