import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type AmountInput, chargeAmount } from '../../../src/billing/charges/charge-amount.ts'
import { sql } from '../../../src/platform/database/db.ts'
import { ChargeApplication } from '../../../src/vocabulary/billing.ts'
import { openTestDatabase } from '../../support/harness.ts'
import fc from '../../support/properties.ts'

const { Rate, Fee } = ChargeApplication
const { database } = await openTestDatabase()

const rate = (rating: Omit<AmountInput, 'application'>) => chargeAmount({ application: Rate, ...rating })

test('a rate is the base and the metric value times the rate, at least the minimum and at most the maximum', () => {
  assert.equal(rate({ metricValue: 12.5, rate: 3 }), '37.50')
  assert.equal(rate({ metricValue: 12.5, rate: 3, base: 10 }), '47.50')
  assert.equal(rate({ metricValue: 1, rate: 3, base: 10, min: 25 }), '25.00')
  assert.equal(rate({ metricValue: 100, rate: 3, base: 10, min: 25, max: 200 }), '200.00')
  assert.equal(
    rate({ metricValue: 1, rate: 1, min: 50, max: 20 }),
    '20.00',
    'the maximum prevails over the minimum',
  )
  assert.equal(rate({ metricValue: 2, rate: -5 }), '-10.00', 'a credit has no minimum of 0')
  assert.equal(rate({ metricValue: 2, rate: -5, min: 0 }), '0.00')
})

test('a fee is its rate, regardless of metric value, minimum and maximum', () => {
  assert.equal(
    chargeAmount({ application: Fee, metricValue: 7, rate: 19.99, base: 5, min: 100, max: 1 }),
    '19.99',
  )
})

test('halves are rounded away from zero, once', () => {
  assert.equal(rate({ metricValue: 1, rate: 1.005 }), '1.01')
  assert.equal(rate({ metricValue: 1, rate: -1.005 }), '-1.01')
  assert.equal(rate({ metricValue: 1, rate: 1.004999 }), '1.00')
  assert.equal(rate({ metricValue: 1, rate: -0.004 }), '0.00', 'zero is not negative')
  assert.equal(
    rate({ metricValue: 1, rate: 2.004, base: 0.001 }),
    '2.01',
    'its parts are not rounded before they are added',
  )
})

test('amounts are exact where 64-bit floating point is not', () => {
  assert.equal(rate({ metricValue: 3, rate: 0.1 }), '0.30')
  assert.equal(
    rate({ metricValue: '99999999999.123456', rate: '99999999999.654321' }),
    '9999999999877777700000.30',
  )
})

test('a value that is not a decimal with at most 6 places is refused', () => {
  for (const value of [1e-7, 1e21, Number.NaN, '1.2345678', '', '1,5', ' 1']) {
    assert.throws(() => rate({ metricValue: value, rate: 1 }), RangeError, String(value))
  }
})

const decimal = (min: bigint, max: bigint) =>
  fc.bigInt({ min, max }).map(millionths => {
    const digits = String(millionths < 0n ? -millionths : millionths).padStart(7, '0')
    return `${millionths < 0n ? '-' : ''}${digits.slice(0, -6)}.${digits.slice(-6)}`
  })
const any = decimal(-99_999_999_999_000_000n, 99_999_999_999_000_000n)
const small = decimal(-3_000_000n, 3_000_000n)
const maybe = fc.option(fc.oneof(any, small))
const ratings = fc.record({
  application: fc.constantFrom(Rate, Fee),
  metricValue: fc.oneof(any, small),
  rate: fc.oneof(any, small),
  base: maybe,
  min: maybe,
  max: maybe,
})

test("amounts match the database's decimal arithmetic", async () => {
  const samples = fc.sample(ratings, 3_000)
  const rows = await database.db.rows<{ amount: string }>(sql`
    select round(case application when 2 then rate else least(max, greatest(min, coalesce(base, 0)
      + metric * rate)) end, 2)::text as amount
    from rows from (unnest(${samples.map(s => s.application)}::int[],
      ${samples.map(s => s.metricValue)}::numeric[],
      ${samples.map(s => s.rate)}::numeric[], ${samples.map(s => s.base)}::numeric[],
        ${samples.map(s => s.min)}::numeric[],
      ${samples.map(s => s.max)}::numeric[]))
      with ordinality as s (application, metric, rate, base, min, max, n)
    order by n`)
  for (const [i, sample] of samples.entries())
    assert.equal(chargeAmount(sample), rows[i]?.amount, JSON.stringify(sample))
})
