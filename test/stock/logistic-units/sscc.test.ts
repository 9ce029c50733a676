// Check digits of SSCCs. Spec 2.3.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isValidSscc, ssccCheckDigit } from '../../../src/stock/logistic-units/sscc.ts'
import fc from '../../support/properties.ts'

const first17 = fc
  .array(fc.integer({ min: 0, max: 9 }), { minLength: 17, maxLength: 17 })
  .map(digits => digits.join(''))
const sscc = first17.map(digits => digits + ssccCheckDigit(digits))

test('known codes are valid', () => {
  for (const code of [
    '106141412345678908',
    '000000000000000000',
    '340123450000000000',
    '006141411234567890',
  ]) {
    assert.equal(isValidSscc(code), true, code)
  }
})

test('only the correct check digit makes 17 digits valid', () => {
  fc.assert(
    fc.property(first17, digits => {
      const valid = Array.from('0123456789').filter(last => isValidSscc(digits + last))
      assert.deepEqual(valid, [ssccCheckDigit(digits)])
    }),
  )
})

test('any single wrong digit is detected', () => {
  fc.assert(
    fc.property(sscc, fc.nat(17), fc.integer({ min: 1, max: 9 }), (code, at, by) => {
      const wrong = code.slice(0, at) + ((Number(code[at]) + by) % 10) + code.slice(at + 1)
      assert.equal(isValidSscc(wrong), false)
    }),
  )
})

test('two exchanged neighbouring digits are detected unless they differ by five', () => {
  fc.assert(
    fc.property(sscc, fc.nat(16), (code, at) => {
      const exchanged = code.slice(0, at) + code[at + 1] + code[at] + code.slice(at + 2)
      const difference = Math.abs(Number(code[at]) - Number(code[at + 1]))
      assert.equal(isValidSscc(exchanged), difference === 0 || difference === 5)
    }),
  )
})

test('anything but 18 plain digits is invalid', () => {
  const code = '106141412345678908'
  for (const text of [
    '',
    code.slice(1),
    `0${code}`,
    ` ${code}`,
    `${code}\n`,
    `(00)${code}`,
    '١٠٦١٤١٤١٢٣٤٥٦٧٨٩٠٨',
    'x'.repeat(18),
  ]) {
    assert.equal(isValidSscc(text), false, text)
  }
  fc.assert(fc.property(fc.string(), text => !isValidSscc(text) || /^[0-9]{18}$/.test(text)))
  assert.throws(() => ssccCheckDigit('123'), RangeError)
})
