// A loop that does work claimed from a table: woken by hints, polling as the floor, and stopping cleanly.

import type { FastifyBaseLogger } from 'fastify'
import { databaseAway } from '../database/errors.ts'

/** A running loop. */
export interface WorkLoop {
  readonly name: string
  /** Looks for work now rather than at the next poll. */
  wake(): void
  /** Claims no more, finishes what is under way. */
  stop(): Promise<void>
}

export interface WorkLoopOptions {
  name: string
  log: Pick<FastifyBaseLogger, 'error'>
  /** longest time between two looks at the table, in milliseconds */
  pollMs: number
  /** Does what there is to do. True: there may be more, look again at once. */
  step(stopping: AbortSignal): Promise<boolean>
}

const longestBackOffMs = 2_000

/**
 * Starts a loop. An error in a step is logged and followed by a growing pause; the loop itself never ends by
 * an error.
 */
export function startWorkLoop({ name, log, pollMs, step }: WorkLoopOptions): WorkLoop {
  const stopping = new AbortController()
  let woken = false
  let backingOff = false
  let rouse = () => {}

  const rest = (ms: number) =>
    new Promise<void>(resolve => {
      if ((woken && !backingOff) || stopping.signal.aborted) return resolve()
      const timer = setTimeout(resolve, ms)
      rouse = () => {
        clearTimeout(timer)
        resolve()
      }
    })

  async function run(): Promise<void> {
    let failures = 0
    while (!stopping.signal.aborted) {
      woken = false
      try {
        const more = await step(stopping.signal)
        failures = 0
        if (!more) await rest(pollMs)
      } catch (error) {
        failures++
        // That the database is away is said once, not by every loop.
        if (!databaseAway(error))
          log.error({ err: error, loop: name }, 'a work loop failed and will try again')
        // No hint shortens this pause, or a database in trouble would be asked at every one.
        backingOff = true
        await rest(Math.min(longestBackOffMs, 100 * 2 ** failures))
        backingOff = false
      }
    }
  }

  const finished = run()
  return {
    name,
    wake() {
      woken = true
      if (!backingOff) rouse()
    },
    async stop() {
      stopping.abort()
      rouse()
      await finished
    },
  }
}
