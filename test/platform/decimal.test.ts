import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decimalText, divide, exactPowerOfTen, roundTo, scale } from '../../src/platform/decimal.ts'
import fc from '../support/properties.ts'

test('a quotient is rounded to the nearest whole number, half away from zero', () => {
  const table: [dividend: bigint, divisor: bigint, quotient: bigint][] = [
    [4n, 10n, 0n],
    [5n, 10n, 1n],
    [14n, 10n, 1n],
    [15n, 10n, 2n],
    [25n, 10n, 3n],
    [-4n, 10n, 0n],
    [-5n, 10n, -1n],
    [-15n, 10n, -2n],
    [1n, 3n, 0n],
    [2n, 3n, 1n],
    [0n, 7n, 0n],
  ]
  for (const [dividend, divisor, quotient] of table)
    assert.equal(divide(dividend, divisor), quotient, `${dividend} / ${divisor}`)
})

test('a decimal is parsed exactly, and rounded only by roundTo', () => {
  const table: [places: number, value: number | string, scaled: bigint][] = [
    [2, '1.005', 101n],
    [2, 1.005, 101n],
    [2, '-1.005', -101n],
    [2, '1.00499999999999999999999', 100n],
    [6, '0.0000005', 1n],
    [6, 5e-7, 1n],
    [6, '4.9e-7', 0n],
    [6, '1e-400000', 0n],
    [0, '1e21', exactPowerOfTen(21)],
    [4, 12_345.6789, 123_456_789n],
    [4, '0', 0n],
    [2, '0.996', 100n],
  ]
  for (const [places, value, scaled] of table)
    assert.equal(roundTo(places, value), scaled, `${value} to ${places}`)
  assert.equal(scale(6, '12.500000'), 12_500_000n)
  assert.equal(scale(2, '1.5000'), 150n)
  assert.throws(() => scale(6, '0.0000001'), RangeError)
  assert.throws(() => scale(2, 1e-3), RangeError)
  assert.throws(() => scale(2, 1e21), RangeError)
  assert.throws(() => scale(2, 'none'), RangeError)
  for (const text of ['', 'NaN', '1.', '.5', '1,5', '1e400', Number.NaN])
    assert.throws(() => roundTo(2, text), RangeError, `${text}`)
})

test('a formatted decimal parses to the same value', () => {
  const cents = fc.bigInt(-exactPowerOfTen(20), exactPowerOfTen(20))
  const places = fc.integer({ min: 0, max: 12 })
  fc.assert(
    fc.property(cents, places, (value, of) => {
      assert.equal(scale(of, decimalText(of, value)), value)
    }),
  )
})

test('rounding is off by half a unit at most, and a half is rounded away from zero', () => {
  fc.assert(
    fc.property(
      fc.bigInt(-exactPowerOfTen(30), exactPowerOfTen(30)),
      fc.bigInt(1n, exactPowerOfTen(15)),
      (dividend, divisor) => {
        const off = 2n * (divide(dividend, divisor) * divisor - dividend)
        assert.ok(dividend < 0n ? -divisor <= off && off < divisor : -divisor < off && off <= divisor)
        assert.equal(divide(-dividend, divisor), -divide(dividend, divisor))
      },
    ),
  )
})

test('a decimal is rounded like its exact quotient, in either notation', () => {
  fc.assert(
    fc.property(
      fc.bigInt(-exactPowerOfTen(18), exactPowerOfTen(18)),
      fc.integer({ min: 0, max: 6 }),
      (value, of) => {
        assert.equal(roundTo(of, decimalText(9, value)), divide(value, exactPowerOfTen(9 - of)))
        assert.equal(roundTo(of, `${value}e-9`), divide(value, exactPowerOfTen(9 - of)))
      },
    ),
  )
})
