// Keeps a copy of data from the database in memory and reads it again at regular intervals. During an outage
// the copy stays as it was.

import type { FastifyBaseLogger } from 'fastify'
import { isDatabaseUnavailable } from '../database/errors.ts'

export interface FreshCopy {
  /**
   * Reads the data again, including everything that was committed before the call. Never rejects: a failure
   * is logged and the copy stays as it was.
   */
  refresh(): Promise<void>
  close(): void
}

/** What is copied, and how often it is refreshed. */
export interface FreshCopyOptions {
  /** what the copy is, for the log */
  name: string
  intervalMs: number
  log: Pick<FastifyBaseLogger, 'warn'>
  /** Reads the data and stores the copy. */
  load(): Promise<void>
}

/**
 * Loads the copy, and refreshes it at intervals until it is closed. Throws if the first load fails. The timer
 * does not keep the process alive.
 */
export async function keepFresh({ name, intervalMs, log, load }: FreshCopyOptions): Promise<FreshCopy> {
  let isClosed = false
  let running: Promise<void> | undefined
  let next: Promise<void> | undefined

  async function run(): Promise<void> {
    try {
      await load()
    } catch (error) {
      if (!isClosed && !isDatabaseUnavailable(error))
        log.warn({ err: error }, `${name} could not be read and will be tried again`)
    } finally {
      running = undefined
    }
  }

  /** Reads once at a time. All calls during a read share the next one, which begins after it. */
  function refresh(): Promise<void> {
    if (isClosed) return Promise.resolve()
    if (running === undefined) {
      running = run()
      return running
    }
    next ??= running.then(() => {
      next = undefined
      return refresh()
    })
    return next
  }

  await load()
  const timer = setInterval(refresh, intervalMs)
  timer.unref()
  return {
    refresh,
    close() {
      isClosed = true
      clearInterval(timer)
    },
  }
}
