// Counts each day of a period by a rate charge's method, and computes the metric of the period. Pure.

import { type BillingPeriod, ReceiptsCharged, StorageCount, StorageMethod } from '../../vocabulary/billing.ts'
import type { CompiledCharge } from '../evaluator/compiled-card.ts'
import { add, divideRounded, type ExactInteger, maxOf, multiply, roundFraction } from '../evaluator/exact.ts'
import { roundToStep } from '../evaluator/metrics.ts'
import type { RateChargeContent } from '../evaluator/rate-card-content.ts'
import { firstAnniversary, isAnniversary } from './anniversaries.ts'
import type { SeriesDay } from './series.ts'

/** How a rate charge counts storage. */
export type StorageRule = NonNullable<RateChargeContent['storage']>

/** Converts a total in parts to millionths of the metric, rounded by the charge. */
export type Measure = (total: ExactInteger) => ExactInteger

/** The conversion for a charge whose unit has `parts` parts. */
export const measureOf =
  (charge: Pick<CompiledCharge, 'rounding' | 'roundTo'>, parts: ExactInteger): Measure =>
  total =>
    total <= 0
      ? 0
      : roundFraction(roundToStep(charge as CompiledCharge, { numerator: total, denominator: parts }), 6)

/**
 * The balance that each method counts. `sinceOpening` is the period's opening balance plus all receipts
 * since.
 */
const counts: Record<StorageRule['count'], (day: SeriesDay, sinceOpening: ExactInteger) => ExactInteger> = {
  [StorageCount.Closing]: ({ closing }) => closing,
  [StorageCount.Opening]: ({ opening }) => opening,
  [StorageCount.Chronological]: ({ peak }) => peak,
  [StorageCount.PartThereof]: day => add(day.opening, day.in),
  [StorageCount.CumulativePartThereof]: (_, sinceOpening) => sinceOpening,
}

/** Counts each day on its own, in millionths. */
export function countDays(
  { count }: StorageRule,
  days: readonly SeriesDay[],
  measure: Measure,
): ExactInteger[] {
  let sinceOpening = days[0]?.opening ?? 0
  return days.map(day => {
    sinceOpening = add(sinceOpening, day.in)
    return measure(counts[count](day, sinceOpening))
  })
}

type Receipts = NonNullable<StorageRule['receiptsCharged']>

/** The share of a receipt that is charged, by how many days of the period had passed when it came. */
const receiptShares: Record<
  Receipts,
  (receipt: ExactInteger, daysPassed: number, days: number) => ExactInteger
> = {
  [ReceiptsCharged.None]: () => 0,
  [ReceiptsCharged.Full]: receipt => receipt,
  [ReceiptsCharged.HalfAfterMid]: (receipt, daysPassed, days) =>
    daysPassed < Math.floor(days / 2) ? receipt : divideRounded(receipt, 2),
  [ReceiptsCharged.DaysLeft]: (receipt, daysPassed, days) =>
    divideRounded(multiply(receipt, days - daysPassed), days),
}

/**
 * Counts the StartOfPeriod method, in millionths. The first day counts the opening balance that was not
 * charged in advance, and each day counts its share of the day's receipts. If the charge is in advance, the
 * last day also counts the opening balance of the next period.
 */
export function countStart(
  { receiptsCharged, isInAdvance }: StorageRule,
  days: readonly SeriesDay[],
  measure: Measure,
  openingToCharge: ExactInteger,
): ExactInteger[] {
  const share = receiptShares[receiptsCharged ?? ReceiptsCharged.None]
  return days.map((day, daysPassed) => {
    let counted = share(measure(day.in), daysPassed, days.length)
    if (daysPassed === 0) counted = add(counted, measure(openingToCharge))
    if (daysPassed === days.length - 1 && isInAdvance) counted = add(counted, measure(day.closing))
    return counted
  })
}

/** The series of the goods that were received on one day. */
export interface ReceiptDays {
  receivedDay: number
  days: readonly SeriesDay[]
}

/** Counts each receipt when it comes, and what is left of it on each of its anniversaries, in millionths. */
export function countAnniversaries(
  period: (typeof BillingPeriod)[keyof typeof BillingPeriod],
  receipts: readonly ReceiptDays[],
  measure: Measure,
): ExactInteger[] {
  const length = receipts[0]?.days.length ?? 0
  return Array.from({ length }, (_, n) => {
    let total: ExactInteger = 0
    for (const { receivedDay, days } of receipts) {
      const day = days[n] as SeriesDay
      if (isAnniversary(receivedDay, period, day.day)) total = add(total, day.opening)
      if (day.day < firstAnniversary(receivedDay, period)) total = add(total, day.in)
    }
    return measure(total)
  })
}

/** The metric of a period from its counted days, in millionths. */
export function metricOf({ method }: StorageRule, counted: readonly ExactInteger[]): ExactInteger {
  if (method === StorageMethod.Maximum) return counted.reduce<ExactInteger>(maxOf, 0)
  const sum = counted.reduce<ExactInteger>(add, 0)
  return method === StorageMethod.Average && counted.length > 0 ? divideRounded(sum, counted.length) : sum
}
