// The worker thread that makes Excel files and reports of many rows, so that they neither block requests nor
// leave garbage in the main heap. The thread starts with the first job and stops after some time without
// work, or with the process.

import { TemporarilyUnavailable } from '../platform/database/errors.ts'
import { startThread, type Thread } from '../platform/thread.ts'
import type { ExportJob, MessageFromThread, MessageToThread } from './export-messages.ts'

/** After this time without work the thread stops, which gives its memory back. */
const idleMs = 10_000
// Almost everything that the thread allocates dies young: a small young generation keeps the heap small.
const memoryLimits = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 8 }

/** A job whose result is being read, with the chunks that have arrived. */
interface PendingExport {
  readonly chunks: Uint8Array[]
  hasEnded: boolean
  failure: Error | undefined
  onChange(): void
}

interface ExportThread extends Thread<MessageToThread> {
  readonly pending: Map<number, PendingExport>
}

let currentThread: ExportThread | undefined
let lastId = 0

function startExportThread(): ExportThread {
  const pending = new Map<number, PendingExport>()
  const file = new URL('./make-exports.ts', import.meta.url)
  const thread: ExportThread = {
    ...startThread<MessageToThread, MessageFromThread>({
      file,
      limits: memoryLimits,
      onMessage: receiveMessages(pending),
    }),
    pending,
  }
  void thread.ended.then(cause => {
    if (currentThread === thread) currentThread = undefined
    for (const job of pending.values()) {
      job.failure = new TemporarilyUnavailable('The report was interrupted. Try again shortly.', 2)
      job.failure.cause = cause
      job.onChange()
    }
  })
  return thread
}

const receiveMessages = (pending: ReadonlyMap<number, PendingExport>) => (message: MessageFromThread) => {
  const job = pending.get(message.id)
  if (job === undefined) return
  if (message.kind === 'chunk') job.chunks.push(message.bytes)
  else if (message.kind === 'end') job.hasEnded = true
  else {
    const { message: text, retryAfterSeconds } = message
    job.failure =
      retryAfterSeconds === undefined ? new Error(text) : new TemporarilyUnavailable(text, retryAfterSeconds)
  }
  job.onChange()
}

/** Stops the thread with the service. Pending exports fail with TemporarilyUnavailable. */
export async function stopExportThread(): Promise<void> {
  await currentThread?.terminate()
}

/** Lets the process end without the thread, and stops the thread unless a job comes in time. */
function stopWhenIdle(thread: ExportThread): void {
  thread.release()
  thread.endAfter(idleMs, () => {
    if (currentThread === thread) currentThread = undefined
    void thread.terminate()
  })
}

/** The chunks of a report, made by the thread. Ending the iteration, or the signal, cancels the job. */
export async function* exportReport(job: ExportJob, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  currentThread ??= startExportThread()
  const thread = currentThread
  const id = ++lastId
  const pending: PendingExport = { chunks: [], hasEnded: false, failure: undefined, onChange: () => {} }
  // Cancels at once, even while nothing reads the chunks.
  const cancel = () => {
    thread.send({ kind: 'cancel', id })
    pending.onChange()
  }
  thread.keep()
  thread.pending.set(id, pending)
  signal.addEventListener('abort', cancel)
  thread.send({ kind: 'start', id, job })
  try {
    for (;;) {
      signal.throwIfAborted()
      const chunk = pending.chunks.shift()
      if (chunk !== undefined) {
        thread.send({ kind: 'more', id })
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
    thread.send({ kind: 'cancel', id })
    if (thread.pending.size === 0) stopWhenIdle(thread)
  }
}
