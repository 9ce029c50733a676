// Keeps a copy of something from the database in memory and reads it again at regular intervals. During an
// outage the copy stays as it was.

import type { FastifyBaseLogger } from 'fastify'
import { isDatabaseUnavailable } from '../database/errors.ts'

/** A copy that is kept fresh. */
export interface FreshCopy {
  /**
   * Reads the copy again, and so everything that was committed before the call. Never rejects: a failure is
   * logged and the copy stays as it was.
   */
  refresh(): Promise<void>
  close(): void
}

/** What is copied, and how often it is read. */
export interface FreshCopyOptions {
  /** what the copy is, for the log */
  name: string
  everyMs: number
  log: Pick<FastifyBaseLogger, 'warn'>
  /** Reads and stores the copy. */
  load(): Promise<void>
}

/**
 * Reads the copy, and again at intervals until it is closed. Throws when the first read fails. Its timer
 * keeps no process alive. /
 */
export async function keepFresh({ name, everyMs, log, load }: FreshCopyOptions): Promise<FreshCopy> {
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

  /** One read at a time; a call during a read gets one that begins after it, shared by all such calls. */
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
  const timer = setInterval(refresh, everyMs)
  timer.unref()
  return {
    refresh,
    close() {
      isClosed = true
      clearInterval(timer)
    },
  }
}
