// The lane for requests with large bodies: a thread that is started for the first such request and ends when
// there have been none for a while, which frees its memory. It serves the same endpoints (serve-lane.ts).
// While it parses and encodes megabytes, the main thread keeps serving all other requests.

import type { Lane } from '../http/large-body.ts'
import { unavailable } from '../http/refusal.ts'
import { interrupted, type LaneRequest, LaneThread, type LaneThreadOptions } from './lane-thread.ts'
import { maxLaneRequests } from './messages.ts'

/** Opens the lane. The thread is started with the first request. */
export function openLane(options: LaneThreadOptions): Lane {
  const waiting: LaneRequest[] = []
  // Includes threads that are ending.
  const threads = new Set<LaneThread>()
  let lastId = 0
  let isClosed = false
  const current = () => [...threads].find(thread => !thread.isEnding)
  options.metrics.gaugeBy('state', 'large_requests', 'Requests with large bodies, by state.', () => ({
    running: current()?.size ?? 0,
    waiting: waiting.length,
  }))

  function start(): LaneThread {
    const thread = new LaneThread(options, assignWaiting)
    threads.add(thread)
    void thread.ended.then(() => threads.delete(thread)).then(assignWaiting)
    return thread
  }

  function assignWaiting(): void {
    for (let thread = current(); (thread?.size ?? 0) < maxLaneRequests; ) {
      const laneRequest = waiting.shift()
      if (laneRequest === undefined) return
      thread ??= start()
      thread.assign(laneRequest)
    }
  }

  function cancel(laneRequest: LaneRequest): void {
    const index = waiting.indexOf(laneRequest)
    if (index < 0) {
      for (const thread of threads) thread.cancel(laneRequest)
      return
    }
    waiting.splice(index, 1)
    laneRequest.reject(interrupted())
  }

  return {
    serve: (request, signal) =>
      new Promise((resolve, reject) => {
        if (isClosed || signal.aborted) return reject(interrupted())
        const laneRequest = { id: ++lastId, request, resolve, reject }
        signal.addEventListener('abort', () => cancel(laneRequest), { once: true })
        waiting.push(laneRequest)
        assignWaiting()
      }),
    async close() {
      isClosed = true
      for (const { reject } of waiting.splice(0)) reject(unavailable('The service is stopping.'))
      await Promise.all([...threads].map(thread => thread.end()))
    },
  }
}
