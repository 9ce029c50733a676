// The lane for requests with large bodies: a thread that is started when the first one comes and ends when
// none has come for a while, which gives its memory back. It serves the same endpoints (serve-lane.ts). While
// it parses, decodes and encodes megabytes, this thread goes on answering everybody else.

import type { Lane } from '../http/large-body.ts'
import { unavailable } from '../http/refusal.ts'
import { type Job, LaneThread, type LaneThreadOptions, lost } from './lane-thread.ts'
import { laneAtOnce } from './messages.ts'

/** Opens the lane. No thread is started until the first request. */
export function openLane(options: LaneThreadOptions): Lane {
  const waiting: Job[] = []
  // Those that are ending included.
  const threads = new Set<LaneThread>()
  let last = 0
  let isClosed = false
  const current = () => [...threads].find(thread => !thread.isEnding)
  options.metrics.gaugeBy('state', 'large_requests', 'Requests with large bodies, by state.', () => ({
    running: current()?.size ?? 0,
    waiting: waiting.length,
  }))

  function start(): LaneThread {
    const thread = new LaneThread(options, next)
    threads.add(thread)
    void thread.gone.then(() => threads.delete(thread)).then(next)
    return thread
  }

  function next(): void {
    for (let thread = current(); (thread?.size ?? 0) < laneAtOnce; ) {
      const job = waiting.shift()
      if (job === undefined) return
      thread ??= start()
      thread.hand(job)
    }
  }

  function leave(job: Job): void {
    const at = waiting.indexOf(job)
    if (at < 0) {
      for (const thread of threads) thread.leave(job)
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
      await Promise.all([...threads].map(thread => thread.end()))
    },
  }
}
