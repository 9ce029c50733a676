// Draws a label as a printer would print it, in the renderer.

import { fromGrey } from '../../uploads/pictures.ts'
import { blackBars } from './barcode.ts'
import { drawGrey } from './draw-grey.ts'
import type { Barcode, Label } from './label.ts'

/** Returns a black-and-white PNG of a label, with a pixel per dot. */
export async function make(label: Label): Promise<Uint8Array> {
  const { grey, width, height } = await drawGrey([label])
  for (const element of label.elements)
    if (element.kind === 'barcode') drawInDots(element, label.dotsPerMM, { grey, width })
  return fromGrey(grey, width, height).threshold(128).png({ palette: true, colours: 2, effort: 1 }).toBuffer()
}

/** Redraws a barcode in whole dots, because rendering the SVG can make a bar a dot wider or narrower. */
function drawInDots(
  barcode: Barcode,
  dotsPerMM: number,
  { grey, width }: { grey: Buffer; width: number },
): void {
  const [left, top, barHeight] = [barcode.x, barcode.y, barcode.height].map(length =>
    Math.round(length * dotsPerMM),
  ) as [number, number, number]
  const { moduleDots: module, columns, rows } = barcode
  const fill = (x: number, y: number, fillWidth: number, value: number) =>
    grey.fill(value, y * width + left + x, y * width + left + x + fillWidth)
  for (let y = 0; y < barHeight; y++) fill(0, top + y, columns * module, 255)
  const rowDots = rows === 1 ? barHeight : module
  for (const bar of blackBars(barcode)) {
    for (let y = 0; y < rowDots; y++) fill(bar.x * module, top + bar.y * rowDots + y, bar.width * module, 0)
  }
}
