// Draws lines that printers' fonts cannot show, in the renderer.

import { drawGrey } from './draw-grey.ts'
import { type Bitmap, toBlackAndWhite } from './graphic-field.ts'
import type { Label } from './label.ts'

/** Returns one picture of lines, each of which comes as a label of its own; all have the same width. */
export async function make(lines: readonly Label[]): Promise<Bitmap> {
  const { grey, width, height } = await drawGrey(lines)
  return toBlackAndWhite(grey, width, height)
}
