// Pictures of labels in ZPL, for people who have no printer. zpl-renderer-js draws them, where it is installed.

import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'

/** What the thread is given. */
export interface PictureRequest {
  zpl: string
  dotsPerMM: number
  maxPictures: number
}

/** PNGs of the first labels of a send, a dot a pixel; or why there are none. */
export type PictureResult = { pictures: Uint8Array[] } | { fault: string }

const maxPictures = 10
const maxMs = 20_000
// The package has JavaScript in place of TypeScript.
const thread = new URL(`./picture-thread${extname(import.meta.url)}`, import.meta.url)

/** Draws the first ten labels of a send for a printer of so many dots. Never throws. */
export function picturesOf(zpl: Buffer, dotsPerMM: number): Promise<PictureResult> {
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
