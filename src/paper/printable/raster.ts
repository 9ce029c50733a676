// A PDF for a printer that takes ZPL: that is how the labels of carriers arrive. Open-points 4; spec 4.4.

import { Worker } from 'node:worker_threads'
import { unavailable } from '../../platform/http/refusal.ts'
import type { RasterRequest, RasterResult } from './messages.ts'

const maxPages = 100
// A4 is 297 mm high; no roll of labels is wider.
const maxMM = 500
const maxMs = 20_000
const maxHeapMb = 512
const maxAtOnce = 2
const maxWaiting = 50

let underWay = 0
const waiting: (() => void)[] = []

/** Turns a PDF into ZPL with `dotsPerMM`. 503 where it takes too long, or too many ask. */
export async function rasterise(pdf: Buffer, dotsPerMM: number, copies: number): Promise<RasterResult> {
  if (underWay >= maxAtOnce) {
    if (waiting.length >= maxWaiting) throw busy()
    await new Promise<void>(resolve => waiting.push(resolve))
  }
  underWay++
  try {
    return await inThread({ pdf, dotsPerMM, copies, maxPages, maxMM })
  } finally {
    underWay--
    waiting.shift()?.()
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
