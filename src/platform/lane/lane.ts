// The lane for requests with large bodies: a thread that is started when the first one comes and ends when
// none has come for a while, which gives its memory back. It serves the same endpoints (serve-lane.ts). While
// it parses, decodes and encodes megabytes, this thread goes on answering everybody else.

import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type { FastifyBaseLogger } from 'fastify'
import pino from 'pino'
import type { Lane, LargeAnswer, LargeRequest } from '../http/large-body.ts'
import { unavailable } from '../http/refusal.ts'
import type { Metrics } from '../metrics.ts'
import { hint } from '../work/hints.ts'
import { type FromThread, laneAtOnce, type ToThread } from './messages.ts'

const usual: LaneLimits = {
  idleMs: 10_000,
  // The database gives up a statement after half of it.
  maxMs: 60_000,
  // Three bodies of the largest kind take half of it.
  maxHeapMb: 1_536,
}
// How long a thread that was told to end has for it, in the ten seconds that a stop may take.
const endingMs = 1_500

export interface LaneLimits {
  /** after so long without work the thread ends */
  idleMs: number
  /** a request that is not answered after so long is given up, and its thread with it */
  maxMs: number
  /** mebibytes of objects and texts in the thread; more end it */
  maxHeapMb: number
}

export interface LaneOptions {
  /** the file that the thread runs, and what it is given */
  file: URL
  data: unknown
  log: FastifyBaseLogger
  metrics: Metrics
  limits?: Partial<LaneLimits>
}

/** A request in the lane. */
interface Job {
  readonly id: number
  readonly request: LargeRequest
  readonly resolve: (answer: LargeAnswer) => void
  readonly reject: (error: Error) => void
}

/** A running thread and what it works at. */
interface Thread {
  readonly worker: Worker
  readonly jobs: Map<number, Job>
  readonly timers: Map<number, NodeJS.Timeout>
  idle?: NodeJS.Timeout
  isEnding: boolean
}

const lost = () => unavailable('The request was interrupted. Try again shortly.')

/** Opens the lane. No thread is started until the first request. */
export function openLane(options: LaneOptions): Lane {
  const { log, metrics } = options
  const limits = { ...usual, ...options.limits }
  const waiting: Job[] = []
  const leaving = new Set<Promise<unknown>>()
  let current: Thread | undefined
  let last = 0
  let isClosed = false
  metrics.gauge('large_requests', 'Requests with large bodies in their thread.', () => ({
    running: current?.jobs.size ?? 0,
    waiting: waiting.length,
  }))

  function start(): Thread {
    // Node ends a thread at its limit only where the young objects fit into the little that it adds then;
    // otherwise it ends the process.
    const resourceLimits = { maxOldGenerationSizeMb: limits.maxHeapMb, maxYoungGenerationSizeMb: 16 }
    const worker = new Worker(options.file, { workerData: options.data, resourceLimits })
    const thread: Thread = { worker, jobs: new Map(), timers: new Map(), isEnding: false }
    worker.on('message', (message: FromThread) => hear(thread, message))
    let failure: Error | undefined
    worker.on('error', error => {
      failure = error
    })
    worker.once('exit', code => {
      if (!thread.isEnding) log.error({ err: failure, code }, 'the thread for large requests has ended')
      if (current === thread) current = undefined
      clearTimeout(thread.idle)
      for (const id of [...thread.jobs.keys()]) finish(thread, id)?.reject(lost())
      next()
    })
    return thread
  }

  /** Takes a job out of a thread, which is sent away when it has had none for a while. */
  function finish(thread: Thread, id: number): Job | undefined {
    const job = thread.jobs.get(id)
    thread.jobs.delete(id)
    clearTimeout(thread.timers.get(id))
    thread.timers.delete(id)
    if (thread.jobs.size === 0) thread.idle = setTimeout(() => void end(thread), limits.idleMs).unref()
    return job
  }

  function hear(thread: Thread, message: FromThread): void {
    if (message.kind === 'hint') hint(message.name)
    else if (message.kind === 'log') writeLine(log, message.line)
    else if (message.kind === 'count') metrics.count(message.name, message.help, message.labels, message.by)
    else {
      const job = finish(thread, message.id)
      if (message.answer === undefined) job?.reject(lost())
      else job?.resolve(message.answer)
      next()
    }
  }

  function next(): void {
    while ((current?.jobs.size ?? 0) < laneAtOnce) {
      const job = waiting.shift()
      if (job === undefined) return
      current ??= start()
      hand(current, job)
    }
  }

  function hand(thread: Thread, job: Job): void {
    const { id, request } = job
    clearTimeout(thread.idle)
    thread.jobs.set(id, job)
    const giveUp = setTimeout(() => {
      log.error({ method: request.method, url: request.url }, 'a large request hangs: its thread is ended')
      void thread.worker.terminate()
    }, limits.maxMs)
    thread.timers.set(id, giveUp.unref())
    tell(thread, { kind: 'serve', id, request }, [request.body])
  }

  const tell = (thread: Thread, message: ToThread, given: ArrayBuffer[] = []): void =>
    thread.worker.postMessage(message, given)

  /** Lets a thread finish and end; one that does not is ended. */
  async function end(thread: Thread, patienceMs = endingMs): Promise<void> {
    if (thread.isEnding) return
    thread.isEnding = true
    if (current === thread) current = undefined
    const gone = once(thread.worker, 'exit')
    tell(thread, { kind: 'end' })
    const ended = Promise.race([gone, pause(patienceMs, undefined, { ref: false })]).then(() =>
      thread.worker.terminate(),
    )
    leaving.add(ended)
    await ended.finally(() => leaving.delete(ended))
  }

  function leave(job: Job): void {
    const at = waiting.indexOf(job)
    if (at < 0) {
      if (current?.jobs.has(job.id)) tell(current, { kind: 'leave', id: job.id })
      return
    }
    waiting.splice(at, 1)
    job.reject(lost())
  }

  return {
    serve: (request, signal) =>
      new Promise((resolve, reject) => {
        if (isClosed || signal.aborted) return reject(lost())
        const job = { id: ++last, request, resolve, reject }
        signal.addEventListener('abort', () => leave(job), { once: true })
        waiting.push(job)
        next()
      }),
    async close() {
      isClosed = true
      for (const job of waiting.splice(0)) job.reject(unavailable('The service is stopping.'))
      if (current !== undefined) await end(current)
      await Promise.all(leaving)
    },
  }
}

/** Writes a line of the thread's log into that of the process. */
function writeLine(log: FastifyBaseLogger, line: string): void {
  const { level, time: _time, msg, err, ...rest } = JSON.parse(line)
  const method = pino.levels.labels[level] === 'warn' ? 'warn' : 'error'
  log[method](err === undefined ? rest : { ...rest, err: Object.assign(new Error(), err) }, msg)
}
