import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  add,
  divideDown,
  divideRounded,
  divideUp,
  type ExactInteger,
  multiply,
  roundFraction,
  subtract,
  sumOf,
  textOf,
  whole,
  wholeOf,
} from '../../../src/billing/evaluator/exact.ts'
import { divide, scale } from '../../../src/platform/decimal.ts'
import fc from '../../support/properties.ts'

const big = fc.oneof(
  fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }),
  fc.bigInt({ min: -(2n ** 54n), max: 2n ** 54n }),
  fc.bigInt({ min: -1_000n, max: 1_000n }),
  fc.constantFrom(2n ** 53n, 2n ** 53n - 1n, -(2n ** 53n), 2n ** 53n + 1n, 0n),
)
const isSame = (found: ExactInteger, wanted: bigint) => {
  assert.equal(BigInt(found), wanted)
  assert.equal(typeof found, Number.isSafeInteger(Number(wanted)) ? 'number' : 'bigint')
  assert.ok(!Object.is(found, -0), 'nothing is not negative')
}

test('whole numbers are added, subtracted and multiplied as BigInt does it, whatever their size', () => {
  fc.assert(
    fc.property(big, big, (a, b) => {
      isSame(add(whole(a), whole(b)), a + b)
      isSame(subtract(whole(a), whole(b)), a - b)
      isSame(multiply(whole(a), whole(b)), a * b)
    }),
    { numRuns: 20_000 },
  )
})

test('quotients are rounded halves away from zero, down or up, whatever their size', () => {
  const divisor = fc.oneof(fc.bigInt({ min: 1n, max: 10n ** 19n }), fc.bigInt({ min: 1n, max: 20n }))
  fc.assert(
    fc.property(big, divisor, (a, b) => {
      isSame(divideRounded(whole(a), whole(b)), divide(a, b))
      const positive = a < 0n ? -a : a
      isSame(divideDown(whole(positive), whole(b)), positive / b)
      isSame(divideUp(whole(positive), whole(b)), (positive + b - 1n) / b)
    }),
    { numRuns: 20_000 },
  )
  for (const [dividend, wanted] of [
    [5, 1],
    [-5, -1],
    [4, 0],
    [-4, 0],
    [15, 2],
    [-15, -2],
  ] as const)
    assert.equal(divideRounded(dividend, 10), wanted)
})

test('fractions are added exactly and rounded once', () => {
  const third = { numerator: 1, denominator: 3 }
  assert.equal(roundFraction(sumOf([third, third, third]), 6), 1_000_000)
  assert.equal(roundFraction(sumOf([third, { numerator: 1, denominator: 6 }]), 6), 500_000)
  assert.equal(roundFraction(sumOf([]), 6), 0)
  assert.equal(textOf(6, roundFraction(third, 6)), '0.333333')
})

test('decimals are parsed and formatted exactly', () => {
  assert.equal(wholeOf(4, '99999999999.9999'), 999_999_999_999_999)
  assert.equal(wholeOf(6, '99999999999.999999'), 99_999_999_999_999_999n)
  assert.equal(textOf(2, -5), '-0.05')
  assert.throws(() => wholeOf(2, '0.001'), RangeError)
})

test('the fast path for short decimals agrees with the general one, and invalid text is refused', () => {
  const digits = fc.stringMatching(/^-?\d{0,12}\.?\d{0,7}$/)
  const anything = fc.oneof(digits, fc.constantFrom('', '-', '.5', '5.', '-0', '1e3', '1.2.3', ' 1', '--1'))
  const outcome = (read: () => ExactInteger) => {
    try {
      return read()
    } catch (error) {
      return (error as Error).name
    }
  }
  fc.assert(
    fc.property(anything, fc.integer({ min: 0, max: 6 }), (text, places) => {
      const found = outcome(() => wholeOf(places, text))
      assert.equal(
        found,
        outcome(() => whole(scale(places, text))),
      )
      assert.ok(!Object.is(found, -0), 'nothing is not negative')
    }),
    { numRuns: 20_000 },
  )
})
