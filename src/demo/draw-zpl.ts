// Draws pictures of ZPL labels, in the renderer, as a bridge does in a thread of its own.

import { drawPictures, type PictureResult } from '../../bridge/src/zpl-pictures.ts'

/** Labels, and the resolution of their printer in dots per millimetre. */
export interface ZplToDraw {
  zpl: Uint8Array
  dotsPerMM: number
}

/** Draws the first ten labels. */
export const make = ({ zpl, dotsPerMM }: ZplToDraw): Promise<PictureResult> =>
  drawPictures(Buffer.from(zpl), dotsPerMM)
