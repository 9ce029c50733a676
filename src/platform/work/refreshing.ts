// Keeps a copy of something from the database in memory, read again at a steady pace. An outage leaves the
// copy as it was.

import type { FastifyBaseLogger } from 'fastify'
import { databaseAway } from '../database/errors.ts'

/** A copy that is kept fresh. */
export interface Refreshing {
  /**
   * Reads once more; what was committed before the call is seen. Never rejects: a failure is logged and the
   * copy stays as it was.
   */
  now(): Promise<void>
  close(): void
}

export interface RefreshingOptions {
  /** what it is, for the log */
  name: string
  everyMs: number
  log: Pick<FastifyBaseLogger, 'warn'>
  /** Reads and stores the copy. */
  load(): Promise<void>
}

/**
 * Reads the first time, or throws what went wrong then, and goes on reading until it is closed. It keeps no
 * process alive.
 */
export async function keepFresh({ name, everyMs, log, load }: RefreshingOptions): Promise<Refreshing> {
  let closed = false
  let running: Promise<void> | undefined
  let next: Promise<void> | undefined

  async function run(): Promise<void> {
    try {
      await load()
    } catch (error) {
      if (!closed && !databaseAway(error))
        log.warn({ err: error }, `${name} could not be read and will be tried again`)
    } finally {
      running = undefined
    }
  }

  /** One read at a time; a call during a read gets one that begins after it, shared by all such calls. */
  function now(): Promise<void> {
    if (closed) return Promise.resolve()
    if (running === undefined) {
      running = run()
      return running
    }
    next ??= running.then(() => {
      next = undefined
      return now()
    })
    return next
  }

  await load()
  const timer = setInterval(now, everyMs)
  timer.unref()
  return {
    now,
    close() {
      closed = true
      clearInterval(timer)
    },
  }
}
