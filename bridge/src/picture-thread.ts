// The thread in which labels in ZPL are drawn (zpl-pictures.ts). A thread, because drawing keeps it busy for a
// while, and because the library that draws puts itself into the globals of where it runs.

import { parentPort, workerData } from 'node:worker_threads'
import type { PictureRequest, PictureResult } from './zpl-pictures.ts'

/** Of a label that does not say how large it is, in millimetres. */
const usualSize = { width: 100, height: 150 }
/** No label that printers take is larger, in millimetres; a picture that is would take all memory. */
const maxMM = 1_000

const { zpl, dotsPerMM, maxPictures } = workerData as PictureRequest

async function draw(): Promise<PictureResult> {
  const { ready } = await import('zpl-renderer-js')
  const { api } = await ready
  // What a send begins with may be the end of a label that another has left open.
  const some = zpl.split(/(?<=\^XZ)/i).slice(0, maxPictures + 1)
  const sizeOf = (command: string, usual: number): number => {
    const [, dots] = new RegExp(`\\^${command}(\\d+)`, 'i').exec(zpl) ?? []
    return dots === undefined ? usual : Number(dots) / dotsPerMM
  }
  const [width, height] = [sizeOf('PW', usualSize.width), sizeOf('LL', usualSize.height)]
  if (Math.max(width, height) > maxMM) return { fault: 'the label is too large' }
  const drawn = await api.zplToBase64MultipleAsync(some.join(''), width, height, dotsPerMM)
  return { pictures: drawn.slice(0, maxPictures).map(base64 => Buffer.from(base64, 'base64')) }
}

const isMissing = (error: unknown): boolean => (error as { code?: string }).code === 'ERR_MODULE_NOT_FOUND'

const result = await draw().catch(
  (error: unknown): PictureResult => ({
    fault: isMissing(error) ? 'zpl-renderer-js is not installed' : 'the label cannot be drawn',
  }),
)
parentPort?.postMessage(result)
