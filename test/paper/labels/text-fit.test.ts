// Fitting texts into places of labels.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readFonts } from '../../../src/paper/documents/fonts.ts'
import { fit, printable } from '../../../src/paper/labels/text-fit.ts'
import { widthOf } from '../../../src/paper/labels/text-width.ts'
import fc from '../../support/properties.ts'

test('a text that fits stays as large as it is', () => {
  assert.deepEqual(fit('Kauri Foods', { width: 50, size: 4 }), {
    size: 4,
    lines: ['Kauri Foods'],
    isCut: false,
  })
})

test('a longer one becomes smaller, then is divided, then is cut', () => {
  const text = 'Manuka honey UMF 15+ in glass jars of 500 g'
  const smaller = fit(text, { width: 50, size: 4, smallest: 2 })
  assert.deepEqual([smaller.lines.length, smaller.isCut], [1, false])
  assert.ok(smaller.size < 4 && smaller.size >= 2)
  const divided = fit(text, { width: 50, size: 4, lines: 2 })
  assert.deepEqual(divided, {
    size: 4,
    lines: ['Manuka honey UMF 15+', 'in glass jars of 500 g'],
    isCut: false,
  })
  const cut = fit(text, { width: 50, size: 4 })
  assert.match(cut.lines[0] as string, /^Manuka honey UMF 15.*…$/)
  assert.equal(cut.isCut, true)
})

test('4,000 characters without a blank fit as well', () => {
  const { lines, isCut } = fit('W'.repeat(4000), { width: 40, size: 3, smallest: 2, lines: 2 })
  assert.equal(lines.length, 2)
  assert.ok(isCut)
  for (const line of lines) assert.ok(widthOf(line, 2) <= 40)
})

test('Thai and Chinese are divided between words', () => {
  const { lines } = fit('น้ำผึ้งมานูก้าในขวดแก้ว', { width: 22, size: 3, lines: 3 })
  assert.ok(lines.length > 1)
  assert.equal(lines.join(''), 'น้ำผึ้งมานูก้าในขวดแก้ว')
  assert.equal(fit('麦卢卡蜂蜜玻璃瓶', { width: 16, size: 3, lines: 2 }).lines.length, 2)
})

test('what cannot be printed becomes a blank or nothing', () => {
  assert.equal(printable('  a\u0000\n\tb\u200b \u202ec\u2066  '), 'a b c')
  assert.equal(printable('\ud800x'), '\ufffdx')
  assert.equal(printable('می\u200cخواهم'), 'می\u200cخواهم')
})

test('any text fits in any place, and says nothing that was not there', () => {
  const place = fc.record({
    width: fc.double({ min: 5, max: 100, noNaN: true }),
    size: fc.double({ min: 2, max: 10, noNaN: true }),
    lines: fc.integer({ min: 1, max: 4 }),
  })
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), place, (text, where) => {
      const { lines, isCut } = fit(text, { ...where, smallest: 1.5 })
      assert.ok(lines.length <= where.lines)
      const said = lines.join('').replace(/…$/, '').replaceAll(' ', '')
      const whole = printable(text).replaceAll(' ', '')
      assert.ok(isCut ? whole.startsWith(said) : said === whole || whole.length > 1900, text)
    }),
  )
})

test('the widths of ASCII are those of the font, save the hyphen', () => {
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
    assert.ok(widthOf('-', 1000, isBold) > advances(45), 'as printers draw it')
  }
})

/** The advances of a TrueType font of 1,000 units an em: tables hmtx, hhea and cmap in its format 4. */
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
