// Limits that are exact over all processes of a database. Spec 8; reliability 20 and 21.
//
// A process that is alone counts in memory. Where there are several, each takes permits from a row of the
// database, in blocks that get smaller as fewer are left, and tells the row when they were used. A permit
// counts from when it is given, so that whoever dies, no minute has more than the limit.
//
// While the row cannot be had, a process lets through what it holds, which is its share of what was left, and
// after that nobody: what the others have used in the meantime it cannot know. It also stops when it has not
// been heard of for so long that the others may soon take it for dead.
//
// A process that starts takes permits as if others were there. It may count alone once it has told so and
// nobody has answered requests for a minute. One that comes later waits until the first has written what it
// counted and takes permits too.

import type { HeartbeatListener } from '../presence/presence.ts'
import { HeldPermits, type TakePermits } from './held-permits.ts'
import { type LimitName, openWindows, type RateLimits } from './limits.ts'

/** A process that was not heard of for so long uses no permit; others take it for dead after five seconds. */
const maxSilenceMs = 4_000

/** Limits over processes, which hear of the others by the beats of their own. */
export interface SharedLimits extends RateLimits, HeartbeatListener {
  /** Writes what was counted, and gives back what is held. */
  close(): Promise<void>
}

/** Opens the limits of this process. `now` is a clock that does not jump; tests have their own. */
export function openSharedLimits(
  takePermits: TakePermits,
  now: () => number = () => performance.now(),
): SharedLimits {
  const windows = openWindows()
  // So that a process that is left alone knows what it has let through.
  const onPass = (limit: LimitName, whose: string, at: number) => void windows[limit].take(whose, at)
  const permits = new HeldPermits(takePermits, { now, onPass })
  let isAlone = false
  let aloneSince = 0
  let sharesPermits = true
  let heardAt = Number.NEGATIVE_INFINITY

  /** What was counted in memory becomes what the rows have to be told. */
  function stopCountingAlone(): void {
    if (!isAlone) return
    isAlone = false
    for (const limit of Object.keys(windows) as LimitName[])
      for (const [whose, times] of windows[limit].since(aloneSince)) permits.addUntold(limit, whose, times)
  }

  return {
    take: (limit, whose) =>
      isAlone
        ? windows[limit].take(whose, now())
        : permits.take(limit, whose, now() - heardAt <= maxSilenceMs),
    left: (limit, whose) => (isAlone ? windows[limit].left(whose, now()) : permits.left(limit, whose)),
    sharesPermits: () => sharesPermits,
    async onHeartbeat({ sentAt, reportedSharing, recentApiCount, doAllShare }) {
      heardAt = sentAt
      permits.letAsk(doAllShare)
      if (recentApiCount === 0 && reportedSharing) sharesPermits = false
      else if (recentApiCount === 0 && !isAlone) {
        isAlone = true
        aloneSince = now()
        await permits.tellAll(true).catch(() => {})
      } else if (recentApiCount > 0 && !sharesPermits) {
        stopCountingAlone()
        await permits.tellAll(false)
        sharesPermits = true
      }
      permits.tidy()
    },
    onMissedHeartbeat: error => permits.refuseLate(error),
    async close() {
      stopCountingAlone()
      await permits.tellAll(true).catch(() => {})
    },
  }
}
