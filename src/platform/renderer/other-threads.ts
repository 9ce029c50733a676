// Other threads of the process, such as that of the lane for large requests, have no renderer of their own:
// their tasks go to the main thread, so that there is one queue and one process.

import { BroadcastChannel, threadId } from 'node:worker_threads'
import type { RenderingOutcome } from './child.ts'

/** A task as another thread requests it. */
interface ForeignRequest {
  readonly module: string
  readonly given: unknown
  readonly owner: string
  readonly isLong: boolean
  readonly maxMb: number | undefined
}

// Threads tell each other's requests apart by the thread and a number.
type Message =
  | { kind: 'request'; thread: number; id: number; request: ForeignRequest }
  | { kind: 'cancel'; thread: number; id: number }
  | { kind: 'outcome'; thread: number; id: number; outcome: RenderingOutcome }

const name = 'waybill renderer'
let lastId = 0

/** Does the tasks of other threads. Returns a function that stops this. To be called by the main thread. */
export function serveOtherThreads(
  run: (request: ForeignRequest, signal: AbortSignal) => Promise<RenderingOutcome>,
): () => void {
  const channel = new BroadcastChannel(name)
  channel.unref()
  const running = new Map<string, AbortController>()
  channel.onmessage = async event => {
    const message = (event as { data: Message }).data
    if (message.kind === 'outcome') return
    const { thread, id } = message
    const key = `${thread} ${id}`
    if (message.kind === 'cancel') return running.get(key)?.abort()
    const cancellation = new AbortController()
    running.set(key, cancellation)
    const outcome = await run(message.request, cancellation.signal)
    running.delete(key)
    channel.postMessage({ kind: 'outcome', thread, id, outcome } satisfies Message)
  }
  return () => channel.close()
}

/** Has the main thread do a task. */
export function runInMainThread(request: ForeignRequest, signal?: AbortSignal): Promise<RenderingOutcome> {
  const channel = new BroadcastChannel(name)
  const id = ++lastId
  const post = (message: Message) => channel.postMessage(message)
  const onAbort = () => post({ kind: 'cancel', thread: threadId, id })
  return new Promise(resolve => {
    channel.onmessage = event => {
      const message = (event as { data: Message }).data
      if (message.kind !== 'outcome' || message.thread !== threadId || message.id !== id) return
      signal?.removeEventListener('abort', onAbort)
      channel.close()
      resolve(message.outcome)
    }
    signal?.addEventListener('abort', onAbort)
    post({ kind: 'request', thread: threadId, id, request })
  })
}
