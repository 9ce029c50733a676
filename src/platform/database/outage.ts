// Reports once that the database is away and once that it is back, however many requests and loops notice.

import { setTimeout as pause } from 'node:timers/promises'
import { databaseAway } from './errors.ts'

const probeEveryMs = 500

/** What to call when an outage begins and when it ends. */
export interface OutageListener {
  onAway?: (error: Error) => void
  onBack?: () => void
}

/** A watch for outages. */
export interface OutageWatch {
  /** Takes note of an error of a query or a connection. Ignores those that do not mean an outage. */
  note(error: unknown): void
  /** Ends the watch; nothing is reported any more. */
  stop(): void
}

/** Opens the watch. `probe` rejects for as long as the database is away. */
export function watchForOutages(
  probe: () => Promise<unknown>,
  { onAway, onBack }: OutageListener,
): OutageWatch {
  let isAway = false
  let isStopped = false
  async function untilBack(): Promise<void> {
    while (!isStopped) {
      await pause(probeEveryMs, undefined, { ref: false })
      const isBack = await probe().then(
        () => true,
        () => false,
      )
      if (!isBack || isStopped) continue
      isAway = false
      return onBack?.()
    }
  }
  return {
    note(error) {
      if (isAway || isStopped || !databaseAway(error)) return
      isAway = true
      onAway?.(error as Error)
      void untilBack()
    },
    stop() {
      isStopped = true
    },
  }
}
