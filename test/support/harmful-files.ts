// Small files that want much memory or time.

import { constants, deflateRawSync, deflateSync } from 'node:zlib'

const mebibyte = 2 ** 20

/** Deflates many mebibytes of zeros: a block of one mebibyte, repeated. */
function deflateZeros(mebibytes: number): Buffer {
  const block = deflateRawSync(Buffer.alloc(mebibyte), { finishFlush: constants.Z_FULL_FLUSH })
  const adler = Buffer.alloc(4)
  adler.writeUInt32BE((((mebibytes * mebibyte) % 65_521) << 16) | 1)
  const blocks = Array.from({ length: mebibytes }, () => block)
  return Buffer.concat([Buffer.from([0x78, 0x9c]), ...blocks, Buffer.from([0x03, 0x00]), adler])
}

/** A PDF of some kilobytes with one picture of 20,000 by 20,000 pixels. */
export function pdfOfHugePicture(): Buffer {
  const side = 20_000
  const pixels = deflateSync(deflateZeros(Math.ceil((side * side * 3) / mebibyte)))
  const drawing = Buffer.from('q 283 0 0 425 0 0 cm /I Do Q')
  const picture =
    `<</Type/XObject/Subtype/Image/Width ${side}/Height ${side}/ColorSpace/DeviceRGB/BitsPerComponent 8` +
    `/Filter[/FlateDecode/FlateDecode]/Length ${pixels.length}>>`
  const objects: [string, Buffer?][] = [
    ['<</Type/Catalog/Pages 2 0 R>>'],
    ['<</Type/Pages/Kids[3 0 R]/Count 1>>'],
    ['<</Type/Page/Parent 2 0 R/MediaBox[0 0 283 425]/Resources<</XObject<</I 4 0 R>>>>/Contents 5 0 R>>'],
    [picture, pixels],
    [`<</Length ${drawing.length}>>`, drawing],
  ]
  let file = Buffer.from('%PDF-1.7\n')
  const offsets = objects.map(([dictionary, content], i) => {
    const offset = file.length
    const stream =
      content === undefined ? [] : [Buffer.from('stream\n'), content, Buffer.from('\nendstream\n')]
    file = Buffer.concat([
      file,
      Buffer.from(`${i + 1} 0 obj\n${dictionary}\n`),
      ...stream,
      Buffer.from('endobj\n'),
    ])
    return `${String(offset).padStart(10, '0')} 00000 n \n`
  })
  const table = `xref\n0 6\n0000000000 65535 f \n${offsets.join('')}`
  return Buffer.concat([
    file,
    Buffer.from(`${table}trailer<</Size 6/Root 1 0 R>>\nstartxref\n${file.length}\n%%EOF`),
  ])
}
