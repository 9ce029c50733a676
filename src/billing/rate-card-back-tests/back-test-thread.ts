// A thread for each back-test: it never runs where requests are answered. It ends with the test, and is ended
// when the test is cancelled.

import { setFlagsFromString } from 'node:v8'
import { Worker } from 'node:worker_threads'
import type { BackTestJob, FromBackTest } from './messages.ts'

// A page lives shorter than its consignments take: a young generation that holds a few keeps them from being
// moved to the old one.
const resourceLimits = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 48 }

/**
 * Starts the thread with a heap whose old generation is first collected when it holds 128 MiB. What a page
 * leaves there is dead by the next one. V8, which begins small, would collect it every 20 MiB, for a fifth
 * of the processor time of a test. The size is a setting of the process that is read when a heap is made:
 * it is put back once the thread runs, so that other threads begin small.
 */
function startThread(job: BackTestJob): Worker {
  setFlagsFromString('--initial-old-space-size=128')
  const worker = new Worker(new URL('./back-test-worker.ts', import.meta.url), {
    workerData: job,
    resourceLimits,
  })
  const putBack = () => setFlagsFromString('--initial-old-space-size=0')
  return worker.once('online', putBack).once('exit', putBack)
}

/** How a test ended: stored, or cut short by the signal, or not possible. */
export type BackTestEnd =
  | { kind: 'stored' | 'cut' }
  | { kind: 'failed'; message: string; isTransient: boolean }

/** Makes a test in a thread of its own. Never rejects. `onProgress` is told how much is done, in percent. */
export function runInThread(
  job: BackTestJob,
  signal: AbortSignal,
  onProgress: (percent: number) => void,
): Promise<BackTestEnd> {
  const worker = startThread(job)
  let end: BackTestEnd | undefined
  const cut = () => {
    end ??= { kind: 'cut' }
    void worker.terminate()
  }
  worker.on('message', (message: FromBackTest) => {
    if (message.kind === 'progress') onProgress(message.percent)
    else end ??= message
  })
  worker.on('error', error => {
    end ??= { kind: 'failed', message: String(error), isTransient: false }
  })
  if (signal.aborted) cut()
  signal.addEventListener('abort', cut)
  return new Promise(resolve =>
    worker.once('exit', () => {
      signal.removeEventListener('abort', cut)
      resolve(end ?? { kind: 'failed', message: 'The thread of the test ended.', isTransient: false })
    }),
  )
}
