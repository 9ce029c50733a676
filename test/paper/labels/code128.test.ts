// Code 128: scanners read what was encoded for the barcode library and for printers.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { blackBars, code128Content, placeBars } from '../../../src/paper/labels/barcode.ts'
import { encodeCode128 } from '../../../src/paper/labels/code128.ts'
import { fnc1 } from '../../../src/paper/labels/gs1.ts'
import { scan } from '../../support/label-pictures.ts'
import fc from '../../support/properties.ts'

test('code sets are written as ZPL printers expect them', () => {
  for (const [text, zpl] of [
    ['A-01', '>:A-01'],
    ['12', '>;12'],
    ['123', '>:123'],
    ['12345678', '>;12345678'],
    ['12345', '>:12345'],
    ['1234567', '>;1234>6567'],
    ['AB1234567', '>:AB1234567'],
    ['a>b', '>:a>0b'],
    [`${fnc1}0039421234567890123`, '>;>80039421234567890>6123'],
    [`${fnc1}10AB`, '>:>810AB'],
    [`${fnc1}0209421234567892375${fnc1}10L1`, '>;>8020942123456789237>65>810L1'],
  ] as const)
    assert.equal(encodeCode128(text).zpl, zpl)
})

test('scanners read any text, and a symbol is as wide as calculated', async () => {
  const text = fc.oneof(
    fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: 1, maxLength: 20 }),
    fc.string({ unit: fc.constantFrom(...'0123456789ABab >_^~\\"'), minLength: 1, maxLength: 24 }),
  )
  const place = { x: 0, y: 0, width: 200, height: 12, smallest: 0.25, largest: 0.25 }
  await fc.assert(
    fc.asyncProperty(text, async content => {
      const barcode = placeBars(code128Content(content), place, 8)
      assert.ok(barcode !== null)
      const black = blackBars(barcode)
      const last = black.at(-1) as (typeof black)[number]
      assert.equal(last.x + last.width, barcode.columns)
      const [width, height] = [2 * barcode.columns + 60, 40]
      const grey = new Uint8Array(width * height).fill(255)
      for (const bar of black)
        for (let y = 0; y < height; y++)
          grey.fill(0, y * width + 30 + 2 * bar.x, y * width + 30 + 2 * (bar.x + bar.width))
      assert.deepEqual(
        (await scan({ width, height, grey })).map(result => result.text),
        [content],
      )
    }),
    { numRuns: 60 },
  )
})

test('a text that Code 128 cannot encode is refused', () => {
  for (const text of ['', 'Māori', 'a\n', '北']) assert.throws(() => encodeCode128(text), RangeError)
})
