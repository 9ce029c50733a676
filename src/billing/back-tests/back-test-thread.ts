// Runs each back-test in a thread of its own, so that it does not block the event loop that serves requests.
// The thread ends with the test, and is terminated when the test is cancelled.

import { setFlagsFromString } from 'node:v8'
import { Worker } from 'node:worker_threads'
import type { BackTestJob, FromBackTest } from './messages.ts'

// The young generation holds a few pages of consignments, so that pages are not moved to the old one while
// they are used.
const resourceLimits = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 48 }

/**
 * Starts the thread with a heap whose old generation is first collected at 128 MiB. By default V8 starts with
 * a small heap and would collect it every 20 MiB, which takes a fifth of the processor time of a test,
 * although what a page leaves there is garbage by the next page. The size is a setting of the process that V8
 * reads when it creates a heap, so it is reset once the thread runs.
 */
function startThread(job: BackTestJob): Worker {
  setFlagsFromString('--initial-old-space-size=128')
  const worker = new Worker(new URL('./back-test-worker.ts', import.meta.url), {
    workerData: job,
    resourceLimits,
  })
  const resetHeapSize = () => setFlagsFromString('--initial-old-space-size=0')
  return worker.once('online', resetHeapSize).once('exit', resetHeapSize)
}

/** How a back-test ended: its result was stored, the signal stopped it, or it failed. */
export type BackTestEnd =
  | { kind: 'stored' | 'stopped' }
  | { kind: 'failed'; message: string; isTransient: boolean }

/** Runs a back-test in a thread of its own. Never rejects. `onProgress` receives the progress in percent. */
export function runInThread(
  job: BackTestJob,
  signal: AbortSignal,
  onProgress: (percent: number) => void,
): Promise<BackTestEnd> {
  const worker = startThread(job)
  let end: BackTestEnd | undefined
  const stop = () => {
    end ??= { kind: 'stopped' }
    void worker.terminate()
  }
  worker.on('message', (message: FromBackTest) => {
    if (message.kind === 'progress') onProgress(message.percent)
    else end ??= message
  })
  worker.on('error', error => {
    end ??= { kind: 'failed', message: String(error), isTransient: false }
  })
  if (signal.aborted) stop()
  signal.addEventListener('abort', stop)
  return new Promise(resolve =>
    worker.once('exit', () => {
      signal.removeEventListener('abort', stop)
      resolve(end ?? { kind: 'failed', message: 'The thread of the test ended.', isTransient: false })
    }),
  )
}
