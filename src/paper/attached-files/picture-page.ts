// Puts a picture on a page, in the renderer.

import { openUpload, pixelFault } from '../../uploads/pictures.ts'
import { type TypesetDocument, make as typeset } from '../documents/typeset.ts'

/** A picture, and the page on which it is put, in millimetres. */
export interface PictureToPlace {
  bytes: Uint8Array
  title: string
  width: number
  height: number
}

// The limit for each side of a picture: a finer one looks the same on paper.
const maxPixels = 2_480

/** Makes a PDF of a picture. A fault completes "The file …". */
export async function make({ bytes, ...page }: PictureToPlace): Promise<TypesetDocument | { fault: string }> {
  let svg: string
  try {
    svg = await wrapInSvg(bytes)
  } catch (error) {
    return { fault: pixelFault(error) ?? 'cannot be printed: its image cannot be read' }
  }
  const data = JSON.stringify({ ...page, svg, lines: [] })
  return typeset({ template: 'attachment', data, layout: undefined, format: 'pdf' })
}

/** Wraps a picture in an SVG, which fits into JSON. */
async function wrapInSvg(bytes: Uint8Array): Promise<string> {
  const { data, info } = await openUpload(bytes)
    .resize(maxPixels, maxPixels, { fit: 'inside', withoutEnlargement: true })
    .flatten({ background: 'white' })
    .png()
    .toBuffer({ resolveWithObject: true })
  const { width, height } = info
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" ` +
    `viewBox="0 0 ${width} ${height}"><image width="${width}" height="${height}" ` +
    `href="data:image/png;base64,${data.toString('base64')}"/></svg>`
  )
}
