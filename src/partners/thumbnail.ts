// Makes thumbnails of uploaded images. The library is loaded for the first image, because most processes
// never need it. Spec 4.12 (logo-thumbnail).

/**
 * The maximum size of a thumbnail in pixels, on either side. Documents print it as their logo at most 40 mm
 * wide, where it is as fine as a printer's resolution.
 */
const thumbnailPixels = 512

/**
 * An image of more pixels than this is refused before it is decoded: a file of a few kilobytes can claim
 * billions.
 */
const maxPixels = 25_000_000

// Decoding an image is aborted after this time.
const maxSeconds = 20

type Sharp = typeof import('sharp').default

let loaded: Promise<Sharp> | undefined

async function load(): Promise<Sharp> {
  const { default: sharp } = await import('sharp')
  // No cache between images, and one thread for each image.
  sharp.cache(false)
  sharp.concurrency(1)
  // Only the formats that uploads accept: every further decoder is one more to attack.
  sharp.block({ operation: ['VipsForeignLoad'] })
  sharp.unblock({
    operation: ['Png', 'Jpeg', 'Nsgif', 'Webp', 'Tiff'].map(format => `VipsForeignLoad${format}`),
  })
  return sharp
}

/**
 * An image that cannot be made into a thumbnail. The message continues a sentence that begins with a field.
 */
export class ImageError extends Error {}

let queue: Promise<unknown> = Promise.resolve()

/**
 * Returns a PNG of the image (its first frame, upright) that fits into a square of `thumbnailPixels`, in the
 * proportions of the image and never enlarged. Throws `ImageError` for an image that cannot be decoded or is
 * too large. Images are processed one at a time, outside the main thread, so that many uploads at once need
 * no more memory than one.
 */
export function thumbnailOf(image: Buffer): Promise<Buffer> {
  const thumbnail = queue.then(() => shrink(image))
  queue = thumbnail.catch(() => {})
  return thumbnail
}

async function shrink(image: Buffer): Promise<Buffer> {
  loaded ??= load()
  const sharp = await loaded
  try {
    return await sharp(image, { limitInputPixels: maxPixels, failOn: 'error' })
      .timeout({ seconds: maxSeconds })
      .autoOrient()
      .resize(thumbnailPixels, thumbnailPixels, { fit: 'inside', withoutEnlargement: true })
      .png()
      .toBuffer()
  } catch (error) {
    const { message } = error as Error
    throw new ImageError(
      /pixel limit/.test(message)
        ? `must not have more than ${maxPixels / 1_000_000} megapixels`
        : 'must be an image that can be read',
    )
  }
}
