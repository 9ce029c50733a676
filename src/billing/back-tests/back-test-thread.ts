// Runs each back-test in a thread of its own, so that it does not block the event loop that serves requests.
// The thread ends with the test, and is terminated when the test is cancelled or no longer goes on: the next
// test waits for it.

import { startThread } from '../../platform/thread.ts'
import type { BackTestJob, FromBackTest } from './messages.ts'

// The young generation holds a few pages of consignments, so that pages are not moved to the old one while
// they are used.
const limits = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 48 }
// Collecting every 20 MiB would take a fifth of the processor time of a test.
const firstCollectionMb = 128

/** How a back-test ended: its result was stored, the signal stopped it, or it failed. */
export type BackTestEnd =
  | { kind: 'stored' | 'stopped' }
  | { kind: 'failed'; message: string; isTransient: boolean }

// Between two reports of progress are the bills of a month, or an account in storage.
const maxSilentMs = 1_800_000

/**
 * Runs a back-test in a thread of its own. Never rejects. `onProgress` receives the progress in percent. A
 * thread that reports none for `silentMs` has failed.
 */
export async function runInThread(
  job: BackTestJob,
  signal: AbortSignal,
  onProgress: (percent: number) => void,
  silentMs = maxSilentMs,
): Promise<BackTestEnd> {
  let end: BackTestEnd | undefined
  const file = new URL('./back-test-worker.ts', import.meta.url)
  const thread = startThread<never, FromBackTest>({
    ...{ file, data: job, limits, firstCollectionMb },
    onMessage(message) {
      silence.refresh()
      if (message.kind === 'progress') onProgress(message.percent)
      else end ??= message
    },
  })
  const terminate = (reason: BackTestEnd) => {
    end ??= reason
    void thread.terminate()
  }
  const hangs = { kind: 'failed', message: 'The thread of the test hangs.', isTransient: false } as const
  const silence = setTimeout(() => terminate(hangs), silentMs)
  const stop = () => terminate({ kind: 'stopped' })
  if (signal.aborted) stop()
  signal.addEventListener('abort', stop)
  const error = await thread.ended
  clearTimeout(silence)
  signal.removeEventListener('abort', stop)
  const message = error === undefined ? 'The thread of the test ended.' : String(error)
  return end ?? { kind: 'failed', message, isTransient: false }
}
