// Pictures in ZPL, compressed, with one bit per dot: for texts that the fonts of printers cannot show, and
// for whole pages. ZPL II Programming Guide, ^GF and "Z64".

import { deflateSync } from 'node:zlib'

/** A black-and-white picture. */
export interface Bitmap {
  /** in dots, like the height */
  readonly width: number
  readonly height: number
  /** rows of whole bytes from top to bottom, the leftmost dot in the highest bit; 1 is black */
  readonly bits: Buffer
}

/** Grey values below this become black. */
const threshold = 128

/**
 * Converts a grey picture to black and white.
 * @param grey a byte per dot, 0 for black to 255 for white, row by row from the top
 */
export function toBlackAndWhite(grey: Uint8Array, width: number, height: number): Bitmap {
  const rowBytes = Math.ceil(width / 8)
  const bits = Buffer.alloc(rowBytes * height)
  for (let y = 0, at = 0; y < height; y++) {
    for (let x = 0; x < width; x++, at++) {
      if ((grey[at] as number) < threshold) {
        const byte = y * rowBytes + (x >> 3)
        bits[byte] = (bits[byte] as number) | (128 >> (x & 7))
      }
    }
  }
  return { width, height, bits }
}

/** Crops a picture to `rows` rows from `top` on, without the white columns at the right. */
export function crop({ width, height, bits }: Bitmap, top: number, rows: number): Bitmap {
  const rowBytes = Math.ceil(width / 8)
  const from = Math.min(Math.max(top, 0), height)
  const strip = bits.subarray(from * rowBytes, Math.min(from + rows, height) * rowBytes)
  const stripRows = strip.length / rowBytes
  let used = 0
  for (let y = 0; y < stripRows; y++) {
    let last = rowBytes
    while (last > used && strip[y * rowBytes + last - 1] === 0) last--
    used = Math.max(used, last)
  }
  const cropped = Buffer.alloc(used * stripRows)
  for (let y = 0; y < stripRows; y++) strip.copy(cropped, y * used, y * rowBytes, y * rowBytes + used)
  return { width: Math.min(used * 8, width), height: stripRows, bits: cropped }
}

/** Returns the command that prints a picture at the position of `^FO`; empty for a picture without size. */
export function graphicField({ width, height, bits }: Bitmap): string {
  if (width === 0 || height === 0) return ''
  const rowBytes = Math.ceil(width / 8)
  const base64 = deflateSync(bits).toString('base64')
  const check = crc16(base64).toString(16).toUpperCase().padStart(4, '0')
  return `^GFA,${bits.length},${bits.length},${rowBytes},:Z64:${base64}:${check}`
}

/** Returns the CRC-16 (polynomial 0x1021, initial value 0) of an ASCII text. */
export function crc16(text: string): number {
  let crc = 0
  for (let i = 0; i < text.length; i++) {
    crc ^= text.charCodeAt(i) << 8
    for (let bit = 0; bit < 8; bit++)
      crc = crc & 0x8000 ? ((crc << 1) ^ 0x1021) & 0xffff : (crc << 1) & 0xffff
  }
  return crc
}
