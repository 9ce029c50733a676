// Draws pictures of ZPL labels for people without a printer, if zpl-renderer-js is installed.

import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'

/** The input of the thread. */
export interface PictureRequest {
  zpl: string
  dotsPerMM: number
  maxPictures: number
}

/** PNGs of the first labels of a job with a pixel per dot, or a reason why there are none. */
export type PictureResult = { pictures: Uint8Array[] } | { fault: string }

const maxPictures = 10
const maxMs = 20_000
// The same extension as this file: `.ts` in the source, `.js` in the built package.
const thread = new URL(`./picture-thread${extname(import.meta.url)}`, import.meta.url)

/** Draws the first ten labels of a job at a resolution in dots per millimetre. Never throws. */
export function drawPictures(zpl: Buffer, dotsPerMM: number): Promise<PictureResult> {
  return new Promise(resolve => {
    const workerData: PictureRequest = { zpl: zpl.toString(), dotsPerMM, maxPictures }
    const worker = new Worker(thread, { workerData, stdout: true, stderr: true })
    const end = (result: PictureResult) => {
      clearTimeout(timer)
      void worker.terminate()
      resolve(result)
    }
    const timer = setTimeout(() => end({ fault: 'it takes too long' }), maxMs)
    worker.once('message', end)
    worker.once('error', () => end({ fault: 'the label cannot be drawn' }))
    worker.once('exit', () => end({ fault: 'the label cannot be drawn' }))
  })
}
