// The thread in which zpl-pictures.ts draws ZPL labels. It is a separate thread because drawing blocks for a
// while, and because the library changes global variables.

import { parentPort, workerData } from 'node:worker_threads'
import type { PictureRequest, PictureResult } from './zpl-pictures.ts'

/** The size of a label without `^PW` and `^LL`, in millimetres. */
const defaultSize = { width: 100, height: 150 }
/**
 * The maximum size in millimetres. A larger picture would need too much memory, and no printer has such
 * labels.
 */
const maxMM = 1_000

const { zpl, dotsPerMM, maxPictures } = workerData as PictureRequest

async function draw(): Promise<PictureResult> {
  const { ready } = await import('zpl-renderer-js')
  const { api } = await ready
  // One part more than pictures, because a job begins with a ^XZ that ends a label left open before.
  const parts = zpl.split(/(?<=\^XZ)/i).slice(0, maxPictures + 1)
  const sizeOf = (command: string, defaultMM: number): number => {
    const [, dots] = new RegExp(`\\^${command}(\\d+)`, 'i').exec(zpl) ?? []
    return dots === undefined ? defaultMM : Number(dots) / dotsPerMM
  }
  const [width, height] = [sizeOf('PW', defaultSize.width), sizeOf('LL', defaultSize.height)]
  if (Math.max(width, height) > maxMM) return { fault: 'the label is too large' }
  const drawn = await api.zplToBase64MultipleAsync(parts.join(''), width, height, dotsPerMM)
  return { pictures: drawn.slice(0, maxPictures).map(base64 => Buffer.from(base64, 'base64')) }
}

const isMissing = (error: unknown): boolean => (error as { code?: string }).code === 'ERR_MODULE_NOT_FOUND'

const result = await draw().catch(
  (error: unknown): PictureResult => ({
    fault: isMissing(error) ? 'zpl-renderer-js is not installed' : 'the label cannot be drawn',
  }),
)
parentPort?.postMessage(result)
