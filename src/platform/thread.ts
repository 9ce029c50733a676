// A worker thread: how it is started, heard, kept alive and ended.

import { setFlagsFromString } from 'node:v8'
import { type ResourceLimits, Worker } from 'node:worker_threads'

export interface ThreadOptions<From> {
  /** the file that the thread runs */
  file: URL
  /** its workerData */
  data?: unknown
  limits?: ResourceLimits
  /**
   * The size in mebibytes at which the old generation is first collected. By default V8 begins with a small
   * heap and would run a full collection every few megabytes, although what large work leaves there is
   * garbage a moment later.
   */
  firstCollectionMb?: number
  /** called with each message of the thread */
  onMessage(message: From): void
}

export interface Thread<To> {
  send(message: To, transferred?: ArrayBuffer[]): void
  /** resolves when the thread has ended, for whatever reason, with the error that ended it, if any */
  readonly ended: Promise<Error | undefined>
  /** Calls `end` after some time, unless the thread is kept until then. */
  endAfter(ms: number, end: () => void): void
  /** Lets the process end although the thread runs, unless it is kept. */
  release(): void
  /** Takes both back: the thread runs on, and the process with it. */
  keep(): void
  /** Ends the thread at once. JavaScript is interrupted, native code is waited for. */
  terminate(): Promise<void>
}

export function startThread<To, From>(options: ThreadOptions<From>): Thread<To> {
  const worker = startWorker(options)
  worker.on('message', options.onMessage)
  let failure: Error | undefined
  let idle: NodeJS.Timeout | undefined
  worker.on('error', error => {
    failure = error
  })
  const ended = new Promise<Error | undefined>(resolve =>
    worker.once('exit', () => {
      clearTimeout(idle)
      resolve(failure)
    }),
  )
  const terminate = async () => {
    worker.ref()
    await worker.terminate()
  }
  return {
    ended,
    terminate,
    send: (message, transferred = []) => worker.postMessage(message, transferred),
    endAfter(ms, end) {
      clearTimeout(idle)
      idle = setTimeout(end, ms).unref()
    },
    release: () => worker.unref(),
    keep() {
      clearTimeout(idle)
      worker.ref()
    },
  }
}

/**
 * The first size of the heap is a flag of the process that V8 reads when it creates a heap, so it is reset
 * once the thread runs.
 */
function startWorker<From>({ file, data, limits, firstCollectionMb }: ThreadOptions<From>): Worker {
  const start = () =>
    new Worker(file, { workerData: data, ...(limits === undefined ? {} : { resourceLimits: limits }) })
  if (firstCollectionMb === undefined) return start()
  setFlagsFromString(`--initial-old-space-size=${firstCollectionMb}`)
  const resetFlag = () => setFlagsFromString('--initial-old-space-size=0')
  return start().once('online', resetFlag).once('exit', resetFlag)
}
