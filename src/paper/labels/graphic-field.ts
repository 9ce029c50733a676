// Pictures in ZPL: one bit a dot, compressed. For texts that printers have no letters for, and for whole
// pages. ZPL II Programming Guide, ^GF and "ZB64".

import { deflateSync } from 'node:zlib'

/** A picture in black and white. */
export interface Bitmap {
  /** in dots */
  readonly width: number
  readonly height: number
  /** rows of whole bytes from the top, the first dot in the highest bit; 1 is black */
  readonly bits: Buffer
}

/** How dark a dot has to be to be black, of 255. */
const threshold = 128

/**
 * A picture in black and white from one in grey, with a byte a dot.
 * @param grey 0 is black, 255 white; row after row from the top
 */
export function blackAndWhite(grey: Uint8Array, width: number, height: number): Bitmap {
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

/** The rows of a picture from `top` on, without white columns at the right. */
export function cutOut({ width, height, bits }: Bitmap, top: number, rows: number): Bitmap {
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
  const cut = Buffer.alloc(used * stripRows)
  for (let y = 0; y < stripRows; y++) strip.copy(cut, y * used, y * rowBytes, y * rowBytes + used)
  return { width: Math.min(used * 8, width), height: stripRows, bits: cut }
}

/** The command that prints a picture where `^FO` says; empty for one without a dot. */
export function graphicField({ width, height, bits }: Bitmap): string {
  if (width === 0 || height === 0) return ''
  const rowBytes = Math.ceil(width / 8)
  const base64 = deflateSync(bits).toString('base64')
  const check = crc16(base64).toString(16).toUpperCase().padStart(4, '0')
  return `^GFA,${bits.length},${bits.length},${rowBytes},:Z64:${base64}:${check}`
}

/** CRC-16 with the polynomial 0x1021, beginning at 0, of a text in ASCII. */
export function crc16(text: string): number {
  let crc = 0
  for (let i = 0; i < text.length; i++) {
    crc ^= text.charCodeAt(i) << 8
    for (let bit = 0; bit < 8; bit++)
      crc = crc & 0x8000 ? ((crc << 1) ^ 0x1021) & 0xffff : (crc << 1) & 0xffff
  }
  return crc
}
