// One thread of the lane, seen from the process: what it works at, and what becomes of that when it ends.

import { setTimeout as pause } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { type ResourceLimits, Worker } from 'node:worker_threads'
import type { FastifyBaseLogger } from 'fastify'
import { levels } from 'pino'
import type { LargeRequest, LargeResponse } from '../http/large-body.ts'
import { unavailable } from '../http/refusal.ts'
import type { Metrics } from '../metrics.ts'
import { hint } from '../work/hints.ts'
import type { FromThread, ToThread } from './messages.ts'

export interface LaneLimits {
  /** after so long without work the thread ends */
  idleMs: number
  /** a request that is not answered after so long is given up, and its thread with it */
  maxMs: number
  /** mebibytes of objects and texts in the thread; more end it */
  maxHeapMb: number
}

const usual: LaneLimits = {
  idleMs: 10_000,
  // The database gives up a statement after half of it.
  maxMs: 60_000,
  // Three bodies of the largest kind stay below.
  maxHeapMb: 1_536,
}
// How long a thread that was told to end has for it, of the ten seconds that a stop may take.
const endingMs = 1_500

export interface LaneThreadOptions {
  /** the file that the thread runs, and what it is given */
  file: URL
  data: unknown
  log: FastifyBaseLogger
  metrics: Metrics
  limits?: Partial<LaneLimits>
}

/** A request in the lane. */
export interface Job {
  readonly id: number
  readonly request: LargeRequest
  readonly resolve: (answer: LargeResponse) => void
  readonly reject: (error: Error) => void
}

/** 503 for a request whose thread has gone, or whose client has. */
export const lost = () => unavailable('The request was interrupted. Try again shortly.')

/**
 * Starts the thread with an old generation that is first collected when it holds 192 MiB: each body leaves
 * tens of them. V8, which begins small, would look through everything after each body. The size is a setting
 * of the process that is read when a heap is made: it is put back once the thread runs.
 */
function startThread({ file, data }: LaneThreadOptions, resourceLimits: ResourceLimits): Worker {
  setFlagsFromString('--initial-old-space-size=192')
  const worker = new Worker(file, { workerData: data, resourceLimits })
  const putBack = () => setFlagsFromString('--initial-old-space-size=0')
  return worker.once('online', putBack).once('exit', putBack)
}

/** A running thread. `onFree` is called when it has finished a request. */
export class LaneThread {
  /** resolves when it has ended, however that came */
  readonly gone: Promise<unknown>
  /** it takes no more requests */
  isEnding = false
  private readonly worker: Worker
  private readonly jobs = new Map<number, { job: Job; giveUp: NodeJS.Timeout }>()
  private readonly options: LaneThreadOptions
  private readonly limits: LaneLimits
  private readonly onFree: () => void
  private idle: NodeJS.Timeout | undefined

  constructor(options: LaneThreadOptions, onFree: () => void) {
    this.options = options
    this.onFree = onFree
    this.limits = { ...usual, ...options.limits }
    // Node ends a thread at its limit only where the young objects fit into the little that it adds then;
    // otherwise it ends the process.
    const resourceLimits = { maxOldGenerationSizeMb: this.limits.maxHeapMb, maxYoungGenerationSizeMb: 16 }
    this.worker = startThread(options, resourceLimits)
    let failure: Error | undefined
    this.worker.on('message', (message: FromThread) => this.hear(message))
    this.worker.on('error', error => {
      failure = error
    })
    this.gone = new Promise<void>(resolve =>
      this.worker.once('exit', code => {
        if (!this.isEnding)
          options.log.error({ err: failure, code }, 'the thread for large requests has ended')
        this.isEnding = true
        for (const id of [...this.jobs.keys()]) this.finish(id)?.reject(lost())
        clearTimeout(this.idle)
        resolve()
      }),
    )
  }

  /** requests under way */
  get size(): number {
    return this.jobs.size
  }

  /** Gives it a request. The bytes of the body are no longer this thread's. */
  hand(job: Job): void {
    const { id, request } = job
    clearTimeout(this.idle)
    const giveUp = setTimeout(() => {
      this.options.log.error({ method: request.method, url: request.url }, 'a large request hangs')
      void this.worker.terminate()
    }, this.limits.maxMs)
    this.jobs.set(id, { job, giveUp: giveUp.unref() })
    this.tell({ kind: 'serve', id, request }, [request.body])
  }

  /** Says that the client of a request has left. */
  leave({ id }: Job): void {
    if (this.jobs.has(id)) this.tell({ kind: 'leave', id })
  }

  /** Lets it finish and end; ends it when that takes too long. */
  async end(): Promise<void> {
    if (!this.isEnding) this.tell({ kind: 'end' })
    this.isEnding = true
    const patience = new AbortController()
    await Promise.race([this.gone, pause(endingMs, undefined, { signal: patience.signal }).catch(() => {})])
    patience.abort()
    await this.worker.terminate()
  }

  private tell(message: ToThread, given: ArrayBuffer[] = []): void {
    this.worker.postMessage(message, given)
  }

  private hear(message: FromThread): void {
    const { log, metrics } = this.options
    if (message.kind === 'hint') hint(message.name)
    else if (message.kind === 'log') writeLine(log, message.line)
    else if (message.kind === 'count') metrics.count(message.name, message.help, message.labels, message.by)
    else if (message.kind === 'observe')
      metrics.observe(message.name, message.help, message.labels, message.seconds)
    else {
      const job = this.finish(message.id)
      if (message.answer === undefined) job?.reject(lost())
      else job?.resolve(message.answer)
      this.onFree()
    }
  }

  /** Takes a request out; without one the thread is sent away after a while. */
  private finish(id: number): Job | undefined {
    const found = this.jobs.get(id)
    clearTimeout(found?.giveUp)
    this.jobs.delete(id)
    if (this.jobs.size === 0) this.idle = setTimeout(() => void this.end(), this.limits.idleMs).unref()
    return found?.job
  }
}

/** Writes a line of the thread's log, a warning or an error, into that of the process. */
function writeLine(log: FastifyBaseLogger, line: string): void {
  const { level, time: _, msg, err, ...rest } = JSON.parse(line)
  const method = level === levels.values.warn ? 'warn' : 'error'
  log[method](err === undefined ? rest : { ...rest, err: Object.assign(new Error(), err) }, msg)
}
