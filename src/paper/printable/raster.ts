// Turns a PDF into ZPL, because carriers send their labels as PDF. Open-points 4; spec 4.4.

import { Worker } from 'node:worker_threads'
import { unavailable } from '../../platform/http/refusal.ts'
import { FairQueue } from '../../platform/work/fair-queue.ts'
import type { RasterRequest, RasterResult } from './messages.ts'

const maxPages = 100
// Larger than A4 (297 mm high) and than any label.
const maxMM = 500
const maxMs = 20_000
const maxHeapMb = 512
const maxAtOnce = 2
const maxWaiting = 50

let running = 0
const waiting = new FairQueue<{ go(): void; leave(error: Error): void }>(maxWaiting)

/**
 * Turns a PDF into ZPL at a resolution in dots per millimetre. `owner` is the requesting organisation:
 * organisations take turns. Refuses (503) when it takes too long or too many requests are waiting.
 */
export async function rasterise(
  pdf: Buffer,
  dotsPerMM: number,
  copies: number,
  owner = '',
): Promise<RasterResult> {
  if (running >= maxAtOnce)
    await new Promise<void>((go, leave) => waiting.add(owner, { go, leave })?.leave(busy()))
  running++
  try {
    return await inThread({ pdf, dotsPerMM, copies, maxPages, maxMM })
  } finally {
    running--
    waiting.next()?.go()
  }
}

const busy = () => unavailable('Documents take too long at the moment. Try again shortly.')

function inThread(request: RasterRequest): Promise<RasterResult> {
  return new Promise((resolve, reject) => {
    const thread = new Worker(new URL('./raster-thread.ts', import.meta.url), {
      workerData: request,
      resourceLimits: { maxOldGenerationSizeMb: maxHeapMb },
    })
    const end = (settle: () => void) => {
      clearTimeout(timer)
      void thread.terminate()
      settle()
    }
    const timer = setTimeout(() => end(() => reject(busy())), maxMs)
    thread.once('message', (result: RasterResult) => end(() => resolve(result)))
    thread.once('error', error => end(() => reject(error)))
    thread.once('exit', () => end(() => resolve({ fault: 'cannot be read' })))
  })
}
