// A thread of the lane as seen from the process: the requests that it is serving, and what happens to them
// when it ends.

import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import { levels } from 'pino'
import type { LargeRequest, LargeResponse } from '../http/large-body.ts'
import { outcomeUnknown, unavailable } from '../http/refusal.ts'
import type { Metrics } from '../metrics.ts'
import { startThread, type Thread } from '../thread.ts'
import { hint } from '../work/hints.ts'
import type { FromLane, ToLane } from './messages.ts'

export interface LaneLimits {
  /** how long the thread may be idle before it ends */
  idleMs: number
  /** how long the thread may take to start */
  maxStartMs: number
  /** how long a request may take in the running thread before it is abandoned and its thread terminated */
  maxMs: number
  /** the maximum heap of the thread in mebibytes; exceeding it ends the thread */
  maxHeapMb: number
}

const defaultLimits: LaneLimits = {
  idleMs: 10_000,
  maxStartMs: 60_000,
  // About twice the statement timeout of the thread's database connections.
  maxMs: 60_000,
  // Enough for three bodies of the maximum size.
  maxHeapMb: 1_536,
}
// How long a thread may take to finish when it is told to end. A stop may take ten seconds in all.
const maxEndingMs = 1_500

export interface LaneThreadOptions {
  /** the file that the thread runs */
  file: URL
  /** the workerData of the thread */
  data: unknown
  log: FastifyBaseLogger
  metrics: Metrics
  limits?: Partial<LaneLimits>
}

/** A request in the lane, with the callbacks that settle it. */
export interface LaneRequest {
  readonly id: number
  readonly request: LargeRequest
  readonly resolve: (response: LargeResponse) => void
  readonly reject: (error: Error) => void
}

/** The 503 for a request whose thread ended while it handled it. */
const abandoned = () => outcomeUnknown('The request was interrupted.')
/** The 503 for a request that was not begun, or whose client disconnected. */
export const interrupted = () => unavailable('The request was interrupted. Try again shortly.')

// Each body leaves tens of mebibytes.
const firstCollectionMb = 192

/** A running thread. `onFree` is called when it has finished a request. */
export class LaneThread {
  /** resolves when the thread has ended, for whatever reason */
  readonly ended: Promise<void>
  /** whether it no longer accepts requests */
  isEnding = false
  readonly #thread: Thread<ToLane>
  readonly #running = new Map<number, { request: LaneRequest; timeout?: NodeJS.Timeout }>()
  readonly #starting: NodeJS.Timeout
  #isReady = false
  readonly #options: LaneThreadOptions
  readonly #limits: LaneLimits
  readonly #onFree: () => void

  constructor(options: LaneThreadOptions, onFree: () => void) {
    this.#options = options
    this.#onFree = onFree
    this.#limits = { ...defaultLimits, ...options.limits }
    this.#thread = startThread<ToLane, FromLane>({
      file: options.file,
      data: options.data,
      firstCollectionMb,
      // At the heap limit, Node ends only the thread if the young generation fits into the reserve that it
      // adds then. Otherwise it ends the whole process.
      limits: { maxOldGenerationSizeMb: this.#limits.maxHeapMb, maxYoungGenerationSizeMb: 16 },
      onMessage: message => this.#onMessage(message),
    })
    this.#starting = this.#terminateAfter(this.#limits.maxStartMs, {}, 'the thread for large requests hangs')
    this.ended = this.#thread.ended.then(err => {
      clearTimeout(this.#starting)
      if (!this.isEnding) options.log.error({ err }, 'the thread for large requests has ended')
      this.isEnding = true
      for (const id of [...this.#running.keys()]) this.#finish(id)?.reject(abandoned())
    })
  }

  /** the number of running requests */
  get size(): number {
    return this.#running.size
  }

  /** Passes a request to the thread. The bytes of the body are transferred. */
  assign(laneRequest: LaneRequest): void {
    const { id, request } = laneRequest
    this.#thread.keep()
    this.#running.set(id, { request: laneRequest })
    if (this.#isReady) this.#limit(id)
    this.#send({ kind: 'serve', id, request }, [request.body])
  }

  /** Limits the time of a request from now on. */
  #limit(id: number): void {
    const entry = this.#running.get(id)
    if (entry === undefined) return
    const { method, url } = entry.request.request
    entry.timeout = this.#terminateAfter(this.#limits.maxMs, { method, url }, 'a large request hangs')
  }

  #terminateAfter(ms: number, what: object, message: string): NodeJS.Timeout {
    return setTimeout(() => {
      this.#options.log.error(what, message)
      void this.#thread.terminate()
    }, ms).unref()
  }

  /** Cancels a request whose client has disconnected. */
  cancel({ id }: LaneRequest): void {
    if (this.#running.has(id)) this.#send({ kind: 'cancel', id })
  }

  /** Lets the thread finish its requests and exit. Terminates it if that takes too long. */
  async end(): Promise<void> {
    if (!this.isEnding) this.#send({ kind: 'end' })
    this.isEnding = true
    const timeout = new AbortController()
    await Promise.race([
      this.ended,
      pause(maxEndingMs, undefined, { signal: timeout.signal }).catch(() => {}),
    ])
    timeout.abort()
    await this.#thread.terminate()
  }

  #send(message: ToLane, transferred: ArrayBuffer[] = []): void {
    this.#thread.send(message, transferred)
  }

  #onMessage(message: FromLane): void {
    const { log, metrics } = this.#options
    if (message.kind === 'ready') {
      this.#isReady = true
      clearTimeout(this.#starting)
      for (const id of this.#running.keys()) this.#limit(id)
    } else if (message.kind === 'hint') hint(message.name)
    else if (message.kind === 'log') writeLogLine(log, message.line)
    else if (message.kind === 'count') metrics.count(message.name, message.help, message.labels, message.by)
    else if (message.kind === 'observe')
      metrics.observe(message.name, message.help, message.labels, message.seconds)
    else {
      const laneRequest = this.#finish(message.id)
      if (message.response === undefined) laneRequest?.reject(interrupted())
      else laneRequest?.resolve(message.response)
      this.#onFree()
    }
  }

  /** Removes a request. If it was the last one, the idle timeout of the thread starts. */
  #finish(id: number): LaneRequest | undefined {
    const entry = this.#running.get(id)
    clearTimeout(entry?.timeout)
    this.#running.delete(id)
    if (this.#running.size === 0) this.#thread.endAfter(this.#limits.idleMs, () => void this.end())
    return entry?.request
  }
}

/** Writes a log line of the thread, which is a warning or an error, to the log of the process. */
function writeLogLine(log: FastifyBaseLogger, line: string): void {
  const { level, time: _, msg, err, ...rest } = JSON.parse(line)
  const method = level === levels.values.warn ? 'warn' : 'error'
  log[method](err === undefined ? rest : { ...rest, err: Object.assign(new Error(), err) }, msg)
}
