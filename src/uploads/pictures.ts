// Opens pictures, in the renderer: uploaded ones with every precaution, and those that we have made.

import sharp, { type Sharp } from 'sharp'

/**
 * A picture of more pixels than this is refused before it is decoded: a file of a few kilobytes can claim
 * billions.
 */
const maxPixels = 25_000_000

// Only the formats that uploads accept: every further decoder is one more to attack.
const loaders = ['Png', 'Jpeg', 'Nsgif', 'Webp', 'Tiff'].map(format => `VipsForeignLoad${format}`)
const svgLoader = 'VipsForeignLoadSvg'

// No cache between pictures, and one thread for each.
sharp.cache(false)
sharp.concurrency(1)
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({ operation: loaders })

/** Opens the first frame of an uploaded picture, upright. It is decoded row by row if its format permits. */
export function openUpload(picture: Uint8Array): Sharp {
  sharp.block({ operation: [svgLoader] })
  return sharp(picture, { limitInputPixels: maxPixels, sequentialRead: true, failOn: 'error' }).autoOrient()
}

/** What is wrong with a picture that has too many pixels; undefined if something else is. */
export const pixelFault = (error: unknown): string | undefined =>
  /pixel limit/.test((error as Error).message)
    ? `must not have more than ${maxPixels / 1_000_000} megapixels`
    : undefined

/** Opens an SVG of our own. */
export function openOwnSvg(svg: Buffer): Sharp {
  sharp.unblock({ operation: [svgLoader] })
  return sharp(svg)
}

/** Opens a picture of grey dots. */
export const fromGrey = (grey: Buffer, width: number, height: number): Sharp =>
  sharp(grey, { raw: { width, height, channels: 1 } })
