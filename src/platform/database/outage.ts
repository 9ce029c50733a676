// Reports once that the database is away and once that it is back, however many requests and loops notice.

import { setTimeout as pause } from 'node:timers/promises'
import { isDatabaseUnavailable } from './errors.ts'

const probeEveryMs = 500

/** What to call when an outage begins and when it ends. */
export interface OutageListener {
  onOutage?: (error: Error) => void
  onRecovery?: () => void
}

/** Whether the database answers, and since when it has been so. */
export interface DatabaseState {
  isUnavailable: boolean
  sinceUtc: string
}

/** A watch for outages. */
export interface OutageWatch {
  /** What is known of the database. */
  state(): DatabaseState
  /** Takes note of an error of a query or a connection. Ignores those that do not mean an outage. */
  note(error: unknown): void
  /** Ends the watch; nothing is reported any more. */
  stop(): void
}

/** Opens the watch. `probe` is false, or rejects, for as long as the database is away. */
export function watchForOutages(
  probe: () => Promise<boolean>,
  { onOutage, onRecovery }: OutageListener,
): OutageWatch {
  let isUnavailable = false
  let sinceUtc = new Date().toISOString()
  let isStopped = false
  function change(to: boolean): void {
    isUnavailable = to
    sinceUtc = new Date().toISOString()
  }
  async function untilBack(): Promise<void> {
    while (!isStopped) {
      await pause(probeEveryMs, undefined, { ref: false })
      const isBack = await probe().catch(() => false)
      if (!isBack || isStopped) continue
      change(false)
      return onRecovery?.()
    }
  }
  return {
    state: () => ({ isUnavailable, sinceUtc }),
    note(error) {
      if (isUnavailable || isStopped || !isDatabaseUnavailable(error)) return
      change(true)
      onOutage?.(error as Error)
      void untilBack()
    },
    stop() {
      isStopped = true
    },
  }
}
