// Fitting texts into places on labels.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readFonts } from '../../../src/paper/documents/fonts.ts'
import { fitText, toPrintable } from '../../../src/paper/labels/text-fit.ts'
import { widthOf } from '../../../src/paper/labels/text-width.ts'
import fc from '../../support/properties.ts'

test('a text that fits keeps its preferred size', () => {
  assert.deepEqual(fitText('Kauri Foods', { width: 50, size: 4 }), {
    size: 4,
    lines: ['Kauri Foods'],
    isCut: false,
  })
})

test('a longer text is shrunk, broken into lines or truncated', () => {
  const text = 'Manuka honey UMF 15+ in glass jars of 500 g'
  const smaller = fitText(text, { width: 50, size: 4, smallest: 2 })
  assert.deepEqual([smaller.lines.length, smaller.isCut], [1, false])
  assert.ok(smaller.size < 4 && smaller.size >= 2)
  const divided = fitText(text, { width: 50, size: 4, lines: 2 })
  assert.deepEqual(divided, {
    size: 4,
    lines: ['Manuka honey UMF 15+', 'in glass jars of 500 g'],
    isCut: false,
  })
  const cut = fitText(text, { width: 50, size: 4 })
  assert.match(cut.lines[0] as string, /^Manuka honey UMF 15.*…$/)
  assert.equal(cut.isCut, true)
})

test('4,000 characters without a space are broken and truncated', () => {
  const { lines, isCut } = fitText('W'.repeat(4000), { width: 40, size: 3, smallest: 2, lines: 2 })
  assert.equal(lines.length, 2)
  assert.ok(isCut)
  for (const line of lines) assert.ok(widthOf(line, 2) <= 40)
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

test('any text fits in any place, and its lines contain only its own text', () => {
  const place = fc.record({
    width: fc.double({ min: 5, max: 100, noNaN: true }),
    size: fc.double({ min: 2, max: 10, noNaN: true }),
    lines: fc.integer({ min: 1, max: 4 }),
  })
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), place, (text, where) => {
      const { lines, isCut } = fitText(text, { ...where, smallest: 1.5 })
      assert.ok(lines.length <= where.lines)
      const fitted = lines.join('').replace(/…$/, '').replaceAll(' ', '')
      const whole = toPrintable(text).replaceAll(' ', '')
      assert.ok(isCut ? whole.startsWith(fitted) : fitted === whole || whole.length > 1900, text)
    }),
  )
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
      if (character !== '-') assert.equal(widthOf(character, 1000, isBold), advances(code), character)
    }
    assert.ok(widthOf('-', 1000, isBold) > advances(45), 'printers draw it wider')
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
