// Turns a PDF into ZPL, because carriers send their labels as PDF. Open-points 4; spec 4.4.

import { Worker } from 'node:worker_threads'
import { unavailable } from '../../platform/http/refusal.ts'
import { FairSlots } from '../../platform/work/fair-slots.ts'
import type { RasterRequest, RasterResult } from './messages.ts'

const maxPages = 100
// Larger than A4 (297 mm high) and than any label.
const maxMM = 500
const maxMs = 20_000
const maxHeapMb = 512
const maxAtOnce = 2
const maxWaiting = 50

const busy = () => unavailable('Documents take too long at the moment. Try again shortly.')

const slots = new FairSlots({ count: maxAtOnce, maxWaiting, maxWaitMs: maxMs }, busy)

/**
 * Turns a PDF into ZPL at a resolution in dots per millimetre. `owner` is the requesting organisation:
 * organisations take turns. Refuses (503) what takes more than 20 seconds or waits that long, or when too
 * many requests are waiting. Throws the reason of the signal when it fires.
 */
export const rasterise = (
  pdf: Buffer,
  dotsPerMM: number,
  copies: number,
  owner = '',
  signal?: AbortSignal,
): Promise<RasterResult> =>
  slots.use(owner, signal, () => inThread({ pdf, dotsPerMM, copies, maxPages, maxMM }, signal))

function inThread(request: RasterRequest, signal: AbortSignal | undefined): Promise<RasterResult> {
  return new Promise((resolve, reject) => {
    const thread = new Worker(new URL('./raster-thread.ts', import.meta.url), {
      workerData: request,
      resourceLimits: { maxOldGenerationSizeMb: maxHeapMb },
    })
    const end = (settle: () => void) => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', onAbort)
      void thread.terminate()
      settle()
    }
    const timer = setTimeout(() => end(() => reject(busy())), maxMs)
    const onAbort = () => end(() => reject(signal?.reason))
    signal?.addEventListener('abort', onAbort)
    thread.once('message', (result: RasterResult) => end(() => resolve(result)))
    thread.once('error', error => end(() => reject(error)))
    thread.once('exit', () => end(() => resolve({ fault: 'cannot be read' })))
  })
}
