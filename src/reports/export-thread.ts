// Where Excel files and reports of many rows are made: in a thread, so that no request waits for megabytes of
// text, and the garbage of making them is not the process's. It is started when it is first needed and ends
// when it has had nothing to do for a while, or with the process.

import { Worker } from 'node:worker_threads'
import { TemporarilyUnavailable } from '../platform/database/errors.ts'
import type { ExportJob, FromExports, ToExports } from './export-messages.ts'

/** After so long without work the thread ends, which gives its memory back. */
const idleMs = 10_000
// Most of what it makes is garbage at once: a small young generation keeps that from piling up.
const resourceLimits = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 8 }

/** What somebody waits for, and what has come. */
interface Receiving {
  readonly pieces: Uint8Array[]
  isWhole: boolean
  failure: Error | undefined
  onChange(): void
}

interface ExportThread {
  readonly worker: Worker
  readonly receivings: Map<number, Receiving>
  idle: NodeJS.Timeout | undefined
}

let current: ExportThread | undefined
let lastId = 0

function start(): ExportThread {
  const worker = new Worker(new URL('./make-exports.ts', import.meta.url), { resourceLimits })
  const thread: ExportThread = { worker, receivings: new Map(), idle: undefined }
  worker.on('message', (message: FromExports) => hear(thread, message))
  let why: Error | undefined
  worker.on('error', error => {
    why = error
  })
  worker.once('exit', () => {
    if (current === thread) current = undefined
    for (const receiving of thread.receivings.values()) {
      receiving.failure = new TemporarilyUnavailable('The report was interrupted. Try again shortly.', 2)
      receiving.failure.cause = why
      receiving.onChange()
    }
  })
  return thread
}

function hear({ receivings }: ExportThread, message: FromExports): void {
  const receiving = receivings.get(message.id)
  if (receiving === undefined) return
  if (message.kind === 'piece') receiving.pieces.push(message.bytes)
  else if (message.kind === 'end') receiving.isWhole = true
  else {
    const { message: said, retryAfterSeconds } = message
    receiving.failure =
      retryAfterSeconds === undefined ? new Error(said) : new TemporarilyUnavailable(said, retryAfterSeconds)
  }
  receiving.onChange()
}

/** Ends the thread with the service. Whoever still waits for a file is told to try again. */
export async function stopExportThread(): Promise<void> {
  await current?.worker.terminate()
}

/** Lets a thread end that has nothing to do, unless something comes. */
function rest(thread: ExportThread): void {
  thread.worker.unref()
  thread.idle = setTimeout(() => {
    if (current === thread) current = undefined
    void thread.worker.terminate()
  }, idleMs).unref()
}

/** A report in pieces, as the thread makes it. The thread is told when nobody takes them any more. */
export async function* exported(job: ExportJob, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  current ??= start()
  const thread = current
  const { worker, receivings } = thread
  const id = ++lastId
  const tell = (message: ToExports) => worker.postMessage(message)
  const receiving: Receiving = { pieces: [], isWhole: false, failure: undefined, onChange: () => {} }
  // The thread is told at once, also where nobody takes a piece.
  const leave = () => {
    tell({ kind: 'leave', id })
    receiving.onChange()
  }
  clearTimeout(thread.idle)
  // The process stays for it as long as somebody waits.
  worker.ref()
  receivings.set(id, receiving)
  signal.addEventListener('abort', leave)
  tell({ kind: 'make', id, job })
  try {
    for (;;) {
      signal.throwIfAborted()
      const piece = receiving.pieces.shift()
      if (piece !== undefined) {
        tell({ kind: 'more', id })
        yield piece
      } else if (receiving.failure !== undefined) throw receiving.failure
      else if (receiving.isWhole) return
      else
        await new Promise<void>(resolve => {
          receiving.onChange = resolve
        })
    }
  } finally {
    signal.removeEventListener('abort', leave)
    receivings.delete(id)
    tell({ kind: 'leave', id })
    if (receivings.size === 0) rest(thread)
  }
}
