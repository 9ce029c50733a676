// Rate limits that are exact across all processes of a database. Spec 8.
//
// A process that is alone counts in memory. If there are several processes, each takes permits from a row in
// the database, in blocks that get smaller as fewer permits are left, and reports to the row when they were
// used. A permit counts from the moment it is granted, so the limit holds even if a process dies.
//
// While the database is unreachable, a process uses up the permits that it holds, which are its share of what
// was left. After that it refuses all requests, because it cannot know what the others have used. It also
// stops using permits when its heartbeats have failed for so long that the others may soon consider it dead.
//
// A process that starts takes permits as if there were others. It may count alone after a heartbeat has
// announced that and no other process has served requests for a minute. A process that starts later waits
// until the first one has reported what it counted and takes permits too.

import type { HeartbeatListener } from '../presence/presence.ts'
import { createWindows, type PerMinute, type RateLimits } from './limits.ts'
import { PermitPool, type TakePermits } from './permit-pool.ts'

/**
 * After this time without a heartbeat, a process uses no permits. After five seconds, others consider it
 * dead.
 */
const maxSilenceMs = 4_000

/** Rate limits across processes. A process learns of the others from the replies to its heartbeats. */
export interface SharedLimits extends RateLimits, HeartbeatListener {
  /** Reports the counted requests, and returns the permits. */
  close(): Promise<void>
}

/** Opens the limits of this process. `now` is a monotonic clock in milliseconds; tests pass their own. */
export function createSharedLimits(
  perMinute: PerMinute,
  takePermits: TakePermits,
  now: () => number = () => performance.now(),
): SharedLimits {
  const windows = createWindows(perMinute)
  // The windows count these requests too, so that they are right if this process becomes the only one.
  const onPass = (limit: string, owner: string, at: number) => void windows.get(limit)!.take(owner, at)
  const permits = new PermitPool(takePermits, { perMinute, now, onPass })
  let isAlone = false
  let aloneSince = 0
  let sharesPermits = true
  let lastHeartbeatAt = Number.NEGATIVE_INFINITY

  /** Passes the requests that were counted in memory to the pool, which will report them. */
  function stopCountingAlone(): void {
    if (!isAlone) return
    isAlone = false
    for (const [limit, window] of windows)
      for (const [owner, times] of window.since(aloneSince)) permits.addUnreported(limit, owner, times)
  }

  return {
    perMinute,
    take: (limit, owner) =>
      isAlone
        ? windows.get(limit)!.take(owner, now())
        : permits.take(limit, owner, now() - lastHeartbeatAt <= maxSilenceMs),
    left: (limit, owner) => (isAlone ? windows.get(limit)!.left(owner, now()) : permits.left(limit, owner)),
    sharesPermits: () => sharesPermits,
    async onHeartbeat({ sentAt, reportedSharing, recentApiCount, doAllShare }) {
      lastHeartbeatAt = sentAt
      permits.setCanTake(doAllShare)
      if (recentApiCount === 0 && reportedSharing) sharesPermits = false
      else if (recentApiCount === 0 && !isAlone) {
        isAlone = true
        aloneSince = now()
        await permits.reportAll(true).catch(() => {})
      } else if (recentApiCount > 0 && !sharesPermits) {
        stopCountingAlone()
        await permits.reportAll(false)
        sharesPermits = true
      }
      permits.tidy()
    },
    onMissedHeartbeat: error => permits.rejectLate(error),
    async close() {
      stopCountingAlone()
      await permits.reportAll(true).catch(() => {})
    },
  }
}
