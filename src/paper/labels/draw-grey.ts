// Draws labels as pictures of grey dots, in the renderer: Typst makes an SVG of them, in which they stand one
// above the other.

import { openOwnSvg } from '../../uploads/pictures.ts'
import { make as typeset } from '../documents/typeset.ts'
import type { Label } from './label.ts'
import { labelTemplateData } from './label-typst.ts'

const pointsPerInch = 72
const mmPerInch = 25.4

/** A picture with a byte per dot, 0 for black to 255 for white, row by row from the top. */
export interface GreyPicture {
  grey: Buffer
  width: number
  height: number
}

/** Draws labels at the resolution of the first. */
export async function drawGrey(labels: readonly Label[]): Promise<GreyPicture> {
  const dotsPerMM = labels[0]?.dotsPerMM ?? 1
  const data = JSON.stringify(await labelTemplateData(labels))
  const { content } = typeset({ template: 'label', data, layout: undefined, format: 'svg' })
  const inDots = (points: string) => Math.round((Number(points) * mmPerInch * dotsPerMM) / pointsPerInch)
  // The size of the SVG is in points.
  const sized = Buffer.from(content)
    .toString()
    .replace(
      / width="([0-9.]+)pt" height="([0-9.]+)pt"/,
      (_, width, height) => ` width="${inDots(width)}" height="${inDots(height)}"`,
    )
  const { data: grey, info } = await openOwnSvg(Buffer.from(sized))
    .flatten({ background: 'white' })
    .toColourspace('b-w')
    .raw()
    .toBuffer({ resolveWithObject: true })
  return { grey, width: info.width, height: info.height }
}
