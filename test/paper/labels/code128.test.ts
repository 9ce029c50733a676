// The code sets of Code 128: every text is as short as the library makes it, and printers are told how.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { raw } from 'bwip-js/node'
import { code128 } from '../../../src/paper/labels/code128.ts'
import { FNC1 } from '../../../src/paper/labels/gs1.ts'
import fc from '../../support/properties.ts'

test('code sets are said as printers want them', () => {
  for (const [text, zpl] of [
    ['A-01', '>:A-01'],
    ['12345678', '>;12345678'],
    ['AB1234567', '>:AB1>5234567'],
    ['123456A', '>;123456>6A'],
    ['a>b', '>:a>0b'],
    [`${FNC1}00094212345678901234`, '>;>800094212345678901234'],
    [`${FNC1}10AB`, '>:>810AB'],
  ] as const)
    assert.equal(code128(text).zpl, zpl)
})

test('a symbol is no wider than the library makes it', () => {
  const text = fc.oneof(
    fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: 1, maxLength: 20 }),
    fc.string({ unit: fc.constantFrom(...'0123456789ABab >_^~'), minLength: 1, maxLength: 30 }),
  )
  fc.assert(
    fc.property(text, said => {
      const [symbol] = raw({ bcid: 'code128', text: said })
      const widths = symbol !== undefined && 'sbs' in symbol ? symbol.sbs : []
      assert.equal(
        code128(said).modules,
        widths.reduce((sum, width) => sum + width, 0),
        said,
      )
    }),
  )
})

test('a text that Code 128 cannot say is refused', () => {
  for (const text of ['', 'Māori', 'a\n', '北'])
    assert.throws(() => code128(text), RangeError)
})
