// Detects outages of the database. An outage and its end are each reported once, however many requests and
// loops notice them.

import { setTimeout as pause } from 'node:timers/promises'
import { isDatabaseUnavailable } from './errors.ts'

const probeEveryMs = 500

/** Is told when an outage begins and when it ends. */
export interface OutageListener {
  onOutage?: (error: Error) => void
  onRecovery?: () => void
}

/** Whether the database is available, and since when it has been in this state. */
export interface DatabaseState {
  isUnavailable: boolean
  sinceUtc: string
}

export interface OutageWatch {
  /** The latest known state of the database. */
  state(): DatabaseState
  /** Reports an error of a query or a connection to the watch, which ignores those that mean no outage. */
  note(error: unknown): void
  /** Ends the watch; nothing is reported after that. */
  stop(): void
}

/** Starts the watch. `probe` returns false, or rejects, while the database is unavailable. */
export function watchForOutages(
  probe: () => Promise<boolean>,
  { onOutage, onRecovery }: OutageListener,
): OutageWatch {
  let isUnavailable = false
  let sinceUtc = new Date().toISOString()
  let isStopped = false
  function setUnavailable(value: boolean): void {
    isUnavailable = value
    sinceUtc = new Date().toISOString()
  }
  async function waitForRecovery(): Promise<void> {
    while (!isStopped) {
      await pause(probeEveryMs, undefined, { ref: false })
      const isBack = await probe().catch(() => false)
      if (!isBack || isStopped) continue
      setUnavailable(false)
      return onRecovery?.()
    }
  }
  return {
    state: () => ({ isUnavailable, sinceUtc }),
    note(error) {
      if (isUnavailable || isStopped || !isDatabaseUnavailable(error)) return
      setUnavailable(true)
      onOutage?.(error as Error)
      void waitForRecovery()
    },
    stop() {
      isStopped = true
    },
  }
}
