// The statement that takes permits from the rows of limits (migrations/020-processes.sql), and is told what
// is left of each (migrations/025-operation.sql): many keys in one.

import type { Session } from '../database/session.ts'

/** What a process says and wants of one limit. */
export interface PermitRequest {
  /** `<limit> <whose>` */
  key: string
  /** what was let through since it last said so, by age in milliseconds */
  passed: readonly { age: number; n: number }[]
  /** permits that it has and has not used */
  holding: number
  wanted: number
  /** requests that may pass in any minute */
  most: number
}

/** What it gets. */
export interface PermitGrant {
  granted: number
  /** when the next request may pass, where none was granted */
  waitMs: number
  /** requests that may pass now besides those for which processes hold permits */
  left: number
}

/**
 * Takes permits for a process; `number` rises with each of its statements. Returns in the order of requests.
 */
export async function takePermits(
  session: Session,
  processId: string,
  number: number,
  requests: readonly PermitRequest[],
): Promise<PermitGrant[]> {
  // The rows are locked in one order, so that no two processes wait for each other.
  const sorted = requests.toSorted((a, b) => (a.key < b.key ? -1 : 1))
  const rows = await session.rows<PermitGrant & { key: string }>(
    `select r.key, t.granted, t.wait_ms as "waitMs", permits_left(r.key, r.most) as "left"
    from json_to_recordset($3) as r (key text, passed jsonb, holding integer, wanted integer, most integer)
    cross join lateral take_permits(r.key, $1::uuid, $2::bigint, r.passed, r.holding, r.wanted, r.most) t`,
    [processId, number, JSON.stringify(sorted)],
  )
  const byKey = new Map(rows.map(row => [row.key, row]))
  return requests.map(({ key }) => byKey.get(key) ?? { granted: 0, waitMs: 1_000, left: 0 })
}
