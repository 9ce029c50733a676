// Fitting texts into places on labels.

import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { readFonts } from '../../../src/paper/documents/fonts.ts'
import { fitText, toPrintable } from '../../../src/paper/labels/text-fit.ts'
import { extentOf } from '../../../src/paper/labels/text-height.ts'
import { estimateWidth } from '../../../src/paper/labels/text-width.ts'
import fc from '../../support/properties.ts'

test('a text that fits keeps its preferred size', () => {
  const { size, lines, fits } = fitText('Kauri Foods', { width: 50, size: 4 })
  assert.deepEqual([size, lines, fits], [4, ['Kauri Foods'], true])
})

test('a longer text is shrunk or broken into lines; one that does not fit is whole all the same', () => {
  const text = 'Manuka honey UMF 15+ in glass jars of 500 g'
  const smaller = fitText(text, { width: 50, size: 4, smallest: 2 })
  assert.deepEqual([smaller.lines.length, smaller.fits], [1, true])
  assert.ok(smaller.size < 4 && smaller.size >= 2)
  const divided = fitText(text, { width: 50, size: 4, lines: 2 })
  assert.deepEqual(divided.lines, ['Manuka honey UMF 15+', 'in glass jars of 500 g'])
  const tooLong = fitText(text, { width: 50, size: 4 })
  assert.deepEqual([tooLong.lines.join(' '), tooLong.fits], [text, false])
  const tooHigh = fitText(text, { width: 50, size: 4, lines: 2, height: divided.height - 0.1 })
  assert.equal(tooHigh.fits, false)
})

test('a word that is too long for a line is broken after a hyphen if it has one', () => {
  const { lines } = fitText('KAURI-FOODS-EXPORT', { width: 9, size: 2, lines: 3 })
  assert.deepEqual(lines, ['KAURI-', 'FOODS-', 'EXPORT'])
})

test('4,000 characters without a space are broken, and do not fit', () => {
  const { lines, fits } = fitText('W'.repeat(4000), { width: 40, size: 3, smallest: 2, lines: 2 })
  assert.equal(fits, false)
  for (const line of lines) assert.ok(estimateWidth(line, 2) <= 40)
})

test('Thai and Chinese are broken between words', () => {
  const { lines } = fitText('น้ำผึ้งมานูก้าในขวดแก้ว', { width: 22, size: 3, lines: 3 })
  assert.ok(lines.length > 1)
  assert.equal(lines.join(''), 'น้ำผึ้งมานูก้าในขวดแก้ว')
  assert.equal(fitText('麦卢卡蜂蜜玻璃瓶', { width: 16, size: 3, lines: 2 }).lines.length, 2)
})

test('unprintable characters become spaces or are removed', () => {
  assert.equal(toPrintable('  a\u0000\n\tb\u200b \u202ec\u2066  '), 'a b c')
  assert.equal(toPrintable('\ud800x'), '\ufffdx')
  assert.equal(toPrintable('می\u200cخواهم'), 'می\u200cخواهم')
})

test('the lines of any text contain all of it and nothing else', () => {
  const place = fc.record({
    width: fc.double({ min: 5, max: 100, noNaN: true }),
    size: fc.double({ min: 2, max: 10, noNaN: true }),
    lines: fc.integer({ min: 1, max: 4 }),
  })
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), place, (text, where) => {
      const { lines, fits } = fitText(text, { ...where, smallest: 1.5 })
      assert.equal(lines.join('').replaceAll(' ', ''), toPrintable(text).replaceAll(' ', ''))
      assert.ok(!fits || lines.length <= where.lines)
    }),
  )
})

/** A text of each script with letters that reach far up and down. */
const tallest = [
  'Hgjpqy()[]{}|',
  'ÉÅÑŌ',
  'Ỗ Ậ Ẵ',
  'ЙЁЩ',
  '北京蜂蜜有限公司',
  'カナひらが',
  '한국산 벌꿀',
  'น้ำผึ้ง ปู้',
  'ລາວ ນ້ຳ ຜູ້',
  'عسل طبيعي إأآ',
  'דבש לקץ',
  'शुद्ध हिन्दी कृ',
  'বাংলা র্ক কৃ',
  'தமிழ் கூடு',
  'ខ្មែរ ក្រុង ស្ត្រី',
]

test('no script reaches further above or below its line than the layout of labels expects', async () => {
  const { NodeCompiler } = await import('@myriaddreamin/typst-ts-node-compiler')
  const { files, families } = readFonts()
  const workspace = await mkdtemp(join(tmpdir(), 'label-heights-'))
  const measured = tallest.flatMap(text =>
    ['regular', 'bold'].map(
      weight => `#metadata(("${weight}", "${text}",
        measure(text(weight: "${weight}", top-edge: "bounds", bottom-edge: "baseline", "${text}")).height / 1pt,
        measure(text(weight: "${weight}", top-edge: "baseline", bottom-edge: "bounds", "${text}")).height / 1pt,
      )) <height>`,
    ),
  )
  const set = '#set text(font: json(bytes(sys.inputs.fonts)), fallback: false, size: 100pt)'
  await writeFile(join(workspace, 'heights.typ'), `${set}\n#context [${measured.join('\n')}]`)
  const compiler = NodeCompiler.create({ workspace, fontArgs: [{ fontBlobs: files }] })
  const inputs = { fonts: JSON.stringify(families) }
  const { result } = compiler.compile({ mainFilePath: join(workspace, 'heights.typ'), inputs })
  assert.ok(result)
  const heights = compiler.query(result, { selector: '<height>', field: 'value' })
  assert.equal(heights.length, 2 * tallest.length)
  for (const [weight, text, rise, drop] of heights as [string, string, number, number][]) {
    const extent = extentOf(text)
    // Ascenders and brackets reach a little above the capitals by which plain lines are placed.
    assert.ok(rise <= extent.rise * 100 + 6, `${weight} ${text} rises ${rise}`)
    assert.ok(drop <= extent.drop * 100 + 1, `${weight} ${text} drops ${drop}`)
  }
  await rm(workspace, { recursive: true })
})

test('the widths of ASCII characters except the hyphen are those of the font', () => {
  const [regular, bold] = readFonts().files
  for (const [font, isBold] of [
    [regular, false],
    [bold, true],
  ] as const) {
    const advances = advancesOf(font as Buffer)
    for (let code = 32; code < 127; code++) {
      const character = String.fromCharCode(code)
      if (character !== '-') assert.equal(estimateWidth(character, 1000, isBold), advances(code), character)
    }
    assert.ok(estimateWidth('-', 1000, isBold) > advances(45), 'printers draw it wider')
  }
})

/**
 * Reads the advance widths of a TrueType font with 1,000 units per em: tables hmtx, hhea and cmap (format 4).
 */
function advancesOf(font: Buffer): (code: number) => number {
  const tables = new Map<string, number>()
  for (let i = 0; i < font.readUInt16BE(4); i++)
    tables.set(font.toString('latin1', 12 + 16 * i, 16 + 16 * i), font.readUInt32BE(20 + 16 * i))
  const [cmap = 0, hmtx = 0, hhea = 0] = ['cmap', 'hmtx', 'hhea'].map(name => tables.get(name))
  const metrics = font.readUInt16BE(hhea + 34)
  const subtables = Array.from(
    { length: font.readUInt16BE(cmap + 2) },
    (_, i) => cmap + font.readUInt32BE(cmap + 8 + 8 * i),
  )
  const at = subtables.find(offset => font.readUInt16BE(offset) === 4) as number
  const count = font.readUInt16BE(at + 6) / 2
  const word = (column: number, segment: number) =>
    at + 14 + 2 * segment + (column === 0 ? 0 : 2 + 2 * count * column)
  return code => {
    let segment = 0
    while (font.readUInt16BE(word(0, segment)) < code) segment++
    const delta = font.readUInt16BE(word(2, segment))
    const range = font.readUInt16BE(word(3, segment))
    const start = font.readUInt16BE(word(1, segment))
    const glyph =
      range === 0 ? (code + delta) & 0xffff : font.readUInt16BE(word(3, segment) + range + 2 * (code - start))
    return font.readUInt16BE(hmtx + 4 * Math.min(glyph, metrics - 1))
  }
}
