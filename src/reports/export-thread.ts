// The worker thread that makes Excel files and reports of many rows, so that they neither block requests nor
// leave garbage in the main heap. The thread starts with the first job and stops after some time without
// work, or with the process.

import { Worker } from 'node:worker_threads'
import { TemporarilyUnavailable } from '../platform/database/errors.ts'
import type { ExportJob, MessageFromThread, MessageToThread } from './export-messages.ts'

/** After this time without work the thread stops, which gives its memory back. */
const idleMs = 10_000
// Almost everything that the thread allocates dies young: a small young generation keeps the heap small.
const resourceLimits = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 8 }

/** A job whose result is being read, with the chunks that have arrived. */
interface PendingExport {
  readonly chunks: Uint8Array[]
  hasEnded: boolean
  failure: Error | undefined
  onChange(): void
}

interface ExportThread {
  readonly worker: Worker
  readonly pending: Map<number, PendingExport>
  idleTimer: NodeJS.Timeout | undefined
}

let current: ExportThread | undefined
let lastId = 0

function startThread(): ExportThread {
  const worker = new Worker(new URL('./make-exports.ts', import.meta.url), { resourceLimits })
  const thread: ExportThread = { worker, pending: new Map(), idleTimer: undefined }
  worker.on('message', (message: MessageFromThread) => handleMessage(thread, message))
  let cause: Error | undefined
  worker.on('error', error => {
    cause = error
  })
  worker.once('exit', () => {
    if (current === thread) current = undefined
    for (const pending of thread.pending.values()) {
      pending.failure = new TemporarilyUnavailable('The report was interrupted. Try again shortly.', 2)
      pending.failure.cause = cause
      pending.onChange()
    }
  })
  return thread
}

function handleMessage(thread: ExportThread, message: MessageFromThread): void {
  const pending = thread.pending.get(message.id)
  if (pending === undefined) return
  if (message.kind === 'chunk') pending.chunks.push(message.bytes)
  else if (message.kind === 'end') pending.hasEnded = true
  else {
    const { message: text, retryAfterSeconds } = message
    pending.failure =
      retryAfterSeconds === undefined ? new Error(text) : new TemporarilyUnavailable(text, retryAfterSeconds)
  }
  pending.onChange()
}

/** Stops the thread with the service. Pending exports fail with TemporarilyUnavailable. */
export async function stopExportThread(): Promise<void> {
  await current?.worker.terminate()
}

/** Lets the process end without the thread, and stops the thread unless a job comes in time. */
function stopWhenIdle(thread: ExportThread): void {
  thread.worker.unref()
  thread.idleTimer = setTimeout(() => {
    if (current === thread) current = undefined
    void thread.worker.terminate()
  }, idleMs).unref()
}

/** The chunks of a report, made by the thread. Ending the iteration, or the signal, cancels the job. */
export async function* exportReport(job: ExportJob, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  current ??= startThread()
  const thread = current
  const { worker } = thread
  const id = ++lastId
  const post = (message: MessageToThread) => worker.postMessage(message)
  const pending: PendingExport = { chunks: [], hasEnded: false, failure: undefined, onChange: () => {} }
  // Cancels at once, even while nothing reads the chunks.
  const cancel = () => {
    post({ kind: 'cancel', id })
    pending.onChange()
  }
  clearTimeout(thread.idleTimer)
  // A pending export keeps the process alive.
  worker.ref()
  thread.pending.set(id, pending)
  signal.addEventListener('abort', cancel)
  post({ kind: 'start', id, job })
  try {
    for (;;) {
      signal.throwIfAborted()
      const chunk = pending.chunks.shift()
      if (chunk !== undefined) {
        post({ kind: 'more', id })
        yield chunk
      } else if (pending.failure !== undefined) throw pending.failure
      else if (pending.hasEnded) return
      else
        await new Promise<void>(resolve => {
          pending.onChange = resolve
        })
    }
  } finally {
    signal.removeEventListener('abort', cancel)
    thread.pending.delete(id)
    post({ kind: 'cancel', id })
    if (thread.pending.size === 0) stopWhenIdle(thread)
  }
}
