// Thumbnails of uploaded images, which the renderer makes. Spec 4.12 (logo-thumbnail).

import { renderingTask, TooLargeToRender } from '../platform/renderer/task.ts'
import type { Thumbnail } from './draw-thumbnail.ts'

/**
 * An image that cannot be made into a thumbnail. The message continues a sentence that begins with a field.
 */
export class ImageError extends Error {}

const draw = renderingTask<Uint8Array, Thumbnail>(new URL('./draw-thumbnail.ts', import.meta.url))

/**
 * Returns a PNG of the image (its first frame, upright) that fits into a square of 512 pixels, in the
 * proportions of the image and never enlarged. `owner` is the requesting organisation. Throws `ImageError`
 * for an image that cannot be decoded or is too large.
 */
export async function createThumbnail(image: Buffer, owner: string): Promise<Buffer> {
  const drawn = await draw(image, { owner, isLong: true }).catch((error: unknown) => {
    if (error instanceof TooLargeToRender) return { fault: 'must not take so much memory to be read' }
    throw error
  })
  if ('fault' in drawn) throw new ImageError(drawn.fault)
  return Buffer.from(drawn.png)
}
