// Thumbnails of uploaded images. The library is loaded with the first one: most processes never make any.
// Spec 4.12 (logo-thumbnail).

/**
 * A thumbnail has at most this many pixels on either side. It is the logo on papers too, where it is at most
 * 40 mm wide: as fine as a printer prints.
 */
const thumbnailPixels = 512

/**
 * An image of more pixels than this is refused before it is decoded: a file of a few kilobytes can claim
 * billions.
 */
const maxPixels = 25_000_000

// An image that takes a decoder longer is made to.
const maxSeconds = 20

type Sharp = typeof import('sharp').default

let loaded: Promise<Sharp> | undefined

async function load(): Promise<Sharp> {
  const { default: sharp } = await import('sharp')
  // Nothing is kept between two images, and one image has one thread.
  sharp.cache(false)
  sharp.concurrency(1)
  // Only what files.ts lets through: every further decoder is one more to attack.
  sharp.block({ operation: ['VipsForeignLoad'] })
  sharp.unblock({
    operation: ['Png', 'Jpeg', 'Nsgif', 'Webp', 'Tiff'].map(format => `VipsForeignLoad${format}`),
  })
  return sharp
}

/** An image that cannot be made smaller; the message follows the name of a field. */
export class BadImage extends Error {}

let queue: Promise<unknown> = Promise.resolve()

/**
 * A PNG of the image (its first frame, upright) within a square of `thumbnailPixels`, in its proportions and
 * never enlarged. Throws `BadImage` for what cannot be decoded or is too large. Images are taken one at a
 * time, outside the main thread, so that many uploads at once need no more memory than one.
 */
export function thumbnailOf(image: Buffer): Promise<Buffer> {
  const made = queue.then(() => shrink(image))
  queue = made.catch(() => {})
  return made
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
    throw new BadImage(
      /pixel limit/.test(message)
        ? `must not have more than ${maxPixels / 1_000_000} megapixels`
        : 'must be an image that can be read',
    )
  }
}
