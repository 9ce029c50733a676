// The days, periods and anniversaries of storage, which need no database.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { firstAnniversary, isAnniversary } from '../../../src/billing/storage/anniversaries.ts'
import { periodsEndingIn } from '../../../src/billing/storage/charge-periods.ts'
import { countStart } from '../../../src/billing/storage/count-days.ts'
import { dateOf, dayAt, dayOf, startOf } from '../../../src/billing/storage/local-days.ts'
import {
  BillingPeriod,
  ReceiptsCharged,
  StorageCount,
  StorageMethod,
} from '../../../src/vocabulary/billing.ts'

const { Weekly, Fortnightly, HalfMonthly, Monthly, FourWeekly } = BillingPeriod
const days = (from: string, to: string) => ({ from: dayOf(from), to: dayOf(to) })
const dates = (from: string, to: string, period: Parameters<typeof periodsEndingIn>[1]) =>
  periodsEndingIn(days(from, to), period).map(period => `${dateOf(period.from)} ${dateOf(period.to)}`)

test('a charge with its own period is billed for those of its periods that end in the billed one', () => {
  assert.deepEqual(dates('2025-02-01', '2025-02-28', Weekly), [
    '2025-01-27 2025-02-02',
    '2025-02-03 2025-02-09',
    '2025-02-10 2025-02-16',
    '2025-02-17 2025-02-23',
  ])
  assert.deepEqual(dates('2024-02-01', '2024-03-15', HalfMonthly), [
    '2024-02-01 2024-02-15',
    '2024-02-16 2024-02-29',
    '2024-03-01 2024-03-15',
  ])
  assert.deepEqual(dates('2025-03-31', '2025-04-29', Monthly), ['2025-03-01 2025-03-31'])
  for (const [period, length] of [
    [Fortnightly, 14],
    [FourWeekly, 28],
  ] as const) {
    const found = periodsEndingIn(days('2025-01-01', '2025-12-31'), period)
    for (const [n, { from, to }] of found.entries()) {
      assert.equal(to - from + 1, length)
      assert.equal(new Date(dateOf(from)).getUTCDay(), 1, 'a Monday')
      if (n > 0) assert.equal(from, (found[n - 1]?.to ?? 0) + 1)
    }
  }
})

const anniversaries = (received: string, period: Parameters<typeof isAnniversary>[1], to: string) => {
  const found: string[] = []
  for (let day = dayOf(received); day <= dayOf(to); day++)
    if (isAnniversary(dayOf(received), period, day)) found.push(dateOf(day))
  return found
}

test('monthly anniversaries are counted from the receipt, so they do not drift', () => {
  assert.deepEqual(anniversaries('2025-01-31', Monthly, '2025-06-01'), [
    '2025-02-28',
    '2025-03-31',
    '2025-04-30',
    '2025-05-31',
  ])
  assert.deepEqual(anniversaries('2025-01-31', HalfMonthly, '2025-04-01'), [
    '2025-02-15',
    '2025-02-28',
    '2025-03-15',
    '2025-03-31',
  ])
  assert.deepEqual(anniversaries('2025-01-31', Fortnightly, '2025-03-01'), ['2025-02-14', '2025-02-28'])
  assert.equal(dateOf(firstAnniversary(dayOf('2024-01-30'), Monthly)), '2024-02-29')
  assert.equal(anniversaries('2015-05-05', Monthly, '2025-05-05').length, 120)
})

test('an instant belongs to the last day that begins at or before it', () => {
  const calendar = { first: 100, starts: [1_000, 2_000, 3_500] }
  assert.deepEqual(
    [999, 1_000, 1_999, 2_000, 3_499, 3_500].map(at => dayAt(calendar, at)),
    [99, 100, 100, 101, 101, 102],
  )
  assert.deepEqual(
    [99, 100, 102, 103].map(day => startOf(calendar, day)),
    [Number.NEGATIVE_INFINITY, 1_000, 3_500, Number.POSITIVE_INFINITY],
  )
})

test('HalfAfterMid charges receipts in the second half by half, and DaysLeft includes the day of the receipt', () => {
  const charged = (
    receiptsCharged: (typeof ReceiptsCharged)[keyof typeof ReceiptsCharged],
    length: number,
  ) => {
    const rule = { count: StorageCount.Closing, method: StorageMethod.StartOfPeriod, receiptsCharged }
    const receipts = Array.from({ length }, (_, day) => ({
      ...{ day, opening: 0, in: 60, out: 0, peak: 60, closing: 60 },
    }))
    return countStart(rule, receipts, total => total, 0)
  }
  assert.deepEqual(charged(ReceiptsCharged.HalfAfterMid, 6), [60, 60, 60, 30, 30, 30])
  assert.deepEqual(charged(ReceiptsCharged.HalfAfterMid, 5), [60, 60, 30, 30, 30])
  assert.deepEqual(charged(ReceiptsCharged.DaysLeft, 6), [60, 50, 40, 30, 20, 10])
  assert.deepEqual(charged(ReceiptsCharged.None, 2), [0, 0])
})
