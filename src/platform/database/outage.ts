// Says once that the database is away, and once that it is back, however many requests and loops find out.

import { setTimeout as pause } from 'node:timers/promises'
import { databaseAway } from './errors.ts'

const askEveryMs = 500

/** Who wants to know. */
export interface OutageListener {
  onAway?: (error: Error) => void
  onBack?: () => void
}

/** What is told of outages. */
export interface Outage {
  /**
   * Notes an error of a query or a connection; what does not say that the database is away is passed over.
   */
  note(error: unknown): void
  /** No more is said. */
  end(): void
}

/** `ask` rejects for as long as the database is away. */
export function watchForOutages(ask: () => Promise<unknown>, { onAway, onBack }: OutageListener): Outage {
  let isAway = false
  let isOver = false
  async function untilBack(): Promise<void> {
    while (!isOver) {
      await pause(askEveryMs, undefined, { ref: false })
      const isBack = await ask().then(
        () => true,
        () => false,
      )
      if (!isBack || isOver) continue
      isAway = false
      return onBack?.()
    }
  }
  return {
    note(error) {
      if (isAway || isOver || !databaseAway(error)) return
      isAway = true
      onAway?.(error as Error)
      void untilBack()
    },
    end() {
      isOver = true
    },
  }
}
