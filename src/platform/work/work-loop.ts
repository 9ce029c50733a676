// A loop that does work claimed from a table. Hints wake it, it also polls, and it stops cleanly.

import type { FastifyBaseLogger } from 'fastify'
import { isDatabaseUnavailable } from '../database/errors.ts'

export interface WorkLoop {
  readonly name: string
  /** Makes the loop look for work now rather than at its next poll. */
  wake(): void
  /** Starts no further step, and waits for the running one. */
  stop(): Promise<void>
}

/** What a loop does, and how often it polls. */
export interface WorkLoopOptions {
  name: string
  log: Pick<FastifyBaseLogger, 'error'>
  /** the maximum time between two polls, in milliseconds */
  pollMs: number
  /**
   * Does one step of the work. Returns true if there may be more, which makes the next step follow at once.
   */
  step(stopping: AbortSignal): Promise<boolean>
}

const maxBackOffMs = 2_000

/**
 * Starts a loop. An error in a step is logged and followed by a growing pause (exponential backoff); it never
 * ends the loop.
 */
export function startWorkLoop({ name, log, pollMs, step }: WorkLoopOptions): WorkLoop {
  const stopping = new AbortController()
  let isWoken = false
  let isBackingOff = false
  let endSleep = () => {}

  const sleep = (ms: number) =>
    new Promise<void>(resolve => {
      if ((isWoken && !isBackingOff) || stopping.signal.aborted) return resolve()
      const timer = setTimeout(resolve, ms)
      endSleep = () => {
        clearTimeout(timer)
        resolve()
      }
    })

  async function run(): Promise<void> {
    let failures = 0
    while (!stopping.signal.aborted) {
      isWoken = false
      try {
        const hasMore = await step(stopping.signal)
        failures = 0
        if (!hasMore) await sleep(pollMs)
      } catch (error) {
        failures++
        // An outage of the database is logged once, not by every loop.
        if (!isDatabaseUnavailable(error))
          log.error({ err: error, loop: name }, 'a work loop failed and will try again')
        // Hints do not shorten this pause; otherwise each of them would bother a database in trouble again.
        isBackingOff = true
        await sleep(Math.min(maxBackOffMs, 100 * 2 ** failures))
        isBackingOff = false
      }
    }
  }

  const finished = run()
  return {
    name,
    wake() {
      isWoken = true
      if (!isBackingOff) endSleep()
    },
    async stop() {
      stopping.abort()
      endSleep()
      await finished
    },
  }
}
