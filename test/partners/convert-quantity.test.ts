import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  buildChain,
  convertQuantity,
  type StoredStep,
  UnitConversionError,
} from '../../src/partners/convert-quantity.ts'
import { MetricResolution } from '../../src/vocabulary/partners.ts'
import fc from '../support/properties.ts'

const { Compound, Cascade } = MetricResolution
type Unit = string | 1 | 2

const step = (input: Unit, conversionRate: string, output: Unit): StoredStep => ({
  inputMetricType: typeof input === 'string' ? 3 : input,
  inputUnitTypeId: typeof input === 'string' ? input : null,
  inputUnitTypeName: typeof input === 'string' ? input.toUpperCase() : null,
  outputMetricType: typeof output === 'string' ? 3 : output,
  outputUnitTypeId: typeof output === 'string' ? output : null,
  conversionRate,
})

/** Converts a quantity. Returns each metric as its unit and quantity. */
function converted(
  steps: StoredStep[],
  quantity: number,
  of: Unit,
  resolution: MetricResolution,
): [Unit, number][] {
  const input =
    typeof of === 'string' ? { metricType: 3, unitTypeId: of, quantity } : { metricType: of, quantity }
  return convertQuantity(buildChain(steps), input, resolution).map(metric => [
    metric.unitTypeId ?? (metric.metricType as Unit),
    metric.quantity,
  ])
}

const chain = [
  step('inner', '6.000000', 1),
  step(2, '40.000000', 'carton'),
  step('carton', '12.000000', 'inner'),
]

test('Compound gives the whole quantity in every unit, the largest first', () => {
  assert.deepEqual(converted(chain, 36, 1, Compound), [
    [2, 0.0125],
    ['carton', 0.5],
    ['inner', 6],
    [1, 36],
  ])
  assert.deepEqual(converted(chain, 1.5, 2, Compound), [
    [2, 1.5],
    ['carton', 60],
    ['inner', 720],
    [1, 4320],
  ])
})

test('Cascade gives whole units from the largest down, the remainder in items, and no zeros', () => {
  assert.deepEqual(converted(chain, 2999.25, 1, Cascade), [
    [2, 1],
    ['carton', 1],
    ['inner', 7],
    [1, 5.25],
  ])
  assert.deepEqual(converted(chain, 0.5, 'carton', Cascade), [['inner', 6]])
  assert.deepEqual(converted(chain, 0, 1, Cascade), [])
  assert.deepEqual(
    converted(chain, 0, 1, Compound).map(([, quantity]) => quantity),
    [0, 0, 0, 0],
  )
})

test('a product without units is counted in items', () => {
  assert.deepEqual(converted([], 7.5, 1, Compound), [[1, 7.5]])
  assert.deepEqual(converted([], 7.5, 1, Cascade), [[1, 7.5]])
})

test('quantities are exact and rounded half up once, at the end', () => {
  const thirds = [step('a', '0.333333', 'b'), step('b', '3.000000', 1)]
  assert.deepEqual(converted(thirds, 100_000, 'a', Compound), [
    ['b', 33_333.3],
    ['a', 100_000],
    [1, 99_999.9],
  ])
  // 0.1 and 0.2 have no exact binary representation.
  const tenths = [step('a', '0.100000', 'b'), step('b', '0.200000', 1)]
  assert.equal(converted(tenths, 0.3, 'a', Compound).at(-1)?.[1], 0.006)
  const halves = [step('a', '8.000000', 1)]
  assert.equal(converted(halves, 0.0004, 1, Compound)[0]?.[1], 0.0001)
  assert.equal(converted(halves, 0.0003, 1, Compound)[0]?.[1], 0)
})

test('the remainder is in items, even if a unit is smaller than an item', () => {
  assert.deepEqual(converted([step('half', '0.500000', 1)], 3.3, 1, Cascade), [
    ['half', 6],
    [1, 0.3],
  ])
})

test('units of the same size are in the order of their steps, and unit type ids ignore case', () => {
  const twins = [step('b', '5.000000', 1), step('a', '5.000000', 1)]
  assert.deepEqual(converted(twins, 12, 1, Cascade), [
    ['b', 2],
    [1, 2],
  ])
  assert.equal(converted(twins, 1, 'A', Compound)[0]?.[1], 1)
})

test('a unit outside the chain and a result of more than twelve digits are refused', () => {
  assert.throws(
    () => converted(chain, 1, 'crate', Compound),
    new UnitConversionError("the unit is not in the product's chain"),
  )
  assert.throws(() => converted([], 1, 2, Compound), UnitConversionError)
  const large = [step('a', '99999999999.000000', 1)]
  assert.equal(converted(large, 1, 'a', Compound)[1]?.[1], 99_999_999_999)
  assert.throws(
    () => converted(large, 2, 'a', Compound),
    new UnitConversionError('the result is more than 99,999,999,999.9999 of a unit'),
  )
})

/** A decimal as an exact fraction, to compare results with. */
type Fraction = [numerator: bigint, denominator: bigint]
const fraction = (text: string): Fraction => {
  const [whole, decimals = ''] = text.split('.')
  return [BigInt(`${whole}${decimals}`), 10n ** BigInt(decimals.length)]
}
const times = (a: Fraction, b: Fraction): Fraction => [a[0] * b[0], a[1] * b[1]]
const plus = (a: Fraction, b: Fraction): Fraction => [a[0] * b[1] + b[0] * a[1], a[1] * b[1]]
const isEqual = (a: Fraction, b: Fraction) => a[0] * b[1] === b[0] * a[1]
/** Whether they differ by at most half a ten-thousandth of `unit`. */
const isRounded = (a: Fraction, b: Fraction, unit: Fraction) => {
  const [numerator, denominator] = plus(a, [-b[0], b[1]])
  const distance = numerator < 0n ? -numerator : numerator
  return distance * 20_000n * unit[1] <= unit[0] * denominator
}

/** Linear chains of units down to items, with the exact size of each unit. */
const chains = (rate: fc.Arbitrary<string>) =>
  fc.array(rate, { minLength: 0, maxLength: 5 }).map(rates => {
    const steps = rates.map((text, i) => step(`u${i}`, text, i === rates.length - 1 ? 1 : `u${i + 1}`))
    const sizes = new Map<Unit, Fraction>([[1, [1n, 1n]]])
    for (const i of rates.keys()) sizes.set(`u${i}`, rates.slice(i).map(fraction).reduce(times))
    return { steps, sizes }
  })
const anyRate = fc
  .tuple(fc.integer({ min: 0, max: 50 }), fc.integer({ min: 1, max: 999_999 }))
  .map(([w, f]) => `${w}.${String(f).padStart(6, '0')}`)
const wholeRate = fc.integer({ min: 1, max: 60 }).map(rate => `${rate}.000000`)
const quantities = fc.integer({ min: 0, max: 10_000_000 }).map(n => n / 10_000)

test('whatever the chain, each Compound quantity times its size is the input, to within the rounding', () => {
  fc.assert(
    fc.property(chains(anyRate), quantities, fc.nat(5), ({ steps, sizes }, quantity, pick) => {
      const unit = [...sizes.keys()][pick % sizes.size] as Unit
      const input = times(fraction(quantity.toFixed(4)), sizes.get(unit) as Fraction)
      let metrics: [Unit, number][]
      try {
        metrics = converted(steps, quantity, unit, Compound)
      } catch (error) {
        return assert.ok(error instanceof UnitConversionError)
      }
      assert.equal(metrics.length, sizes.size)
      for (const [name, amount] of metrics) {
        const size = sizes.get(name) as Fraction
        assert.ok(isRounded(times(fraction(amount.toFixed(4)), size), input, size), `${amount} of ${name}`)
        assert.equal(Number(amount.toFixed(4)), amount)
      }
    }),
    { numRuns: 500 },
  )
})

test('whatever the chain, Cascade sums back to the input: exactly where items come out at four places, else to within their rounding', () => {
  const sums = (rate: fc.Arbitrary<string>, isExact: boolean) =>
    fc.property(chains(rate), quantities, fc.nat(5), ({ steps, sizes }, quantity, pick) => {
      const unit = [...sizes.keys()][pick % sizes.size] as Unit
      const input = times(fraction(quantity.toFixed(4)), sizes.get(unit) as Fraction)
      let metrics: [Unit, number][]
      try {
        metrics = converted(steps, quantity, unit, Cascade)
      } catch (error) {
        return assert.ok(error instanceof UnitConversionError)
      }
      const sum = metrics
        .map(([name, amount]) => times(fraction(amount.toFixed(4)), sizes.get(name) as Fraction))
        .reduce(plus, [0n, 1n])
      assert.ok(isExact ? isEqual(sum, input) : isRounded(sum, input, [1n, 1n]))
      const sorted = metrics.filter(([name]) => name !== 1)
      for (const [name, amount] of metrics) assert.ok(amount > 0 && (name === 1 || Number.isInteger(amount)))
      // The remainder after a unit is less than one unit.
      let left = input
      for (const [name, amount] of sorted) {
        const size = sizes.get(name) as Fraction
        left = plus(left, times([-BigInt(amount), 1n], size))
        assert.ok(left[0] >= 0n && left[0] * size[1] < size[0] * left[1])
      }
    })
  fc.assert(sums(wholeRate, true), { numRuns: 500 })
  fc.assert(sums(anyRate, false), { numRuns: 500 })
})
