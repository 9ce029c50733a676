// Makes the thumbnail of an image, in the renderer.

import { openUpload, pixelFault } from '../uploads/pictures.ts'

/**
 * The maximum size of a thumbnail in pixels, on either side. Documents print it as their logo at most 40 mm
 * wide, where it is as fine as a printer's resolution.
 */
const thumbnailPixels = 512

/** A PNG, or what is wrong with the image. */
export type Thumbnail = { png: Uint8Array } | { fault: string }

export async function make(image: Uint8Array): Promise<Thumbnail> {
  try {
    const png = await openUpload(image)
      .resize(thumbnailPixels, thumbnailPixels, { fit: 'inside', withoutEnlargement: true })
      .png()
      .toBuffer()
    return { png }
  } catch (error) {
    return { fault: pixelFault(error) ?? 'must be an image that can be read' }
  }
}
