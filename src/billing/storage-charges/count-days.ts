// What each day of a period counts, and what the days come to. Pure.

import { type BillingPeriod, ReceiptsCharged, StorageCount, StorageMethod } from '../enumerations.ts'
import type { CompiledCharge } from '../rate-cards/compiled-card.ts'
import { add, divideRounded, maxOf, multiply, roundFraction, type Whole } from '../rate-cards/exact.ts'
import { roundToStep } from '../rate-cards/metrics.ts'
import type { RateChargeContent } from '../rate-cards/rate-card-content.ts'
import { firstAnniversary, isAnniversary } from './anniversaries.ts'
import type { SeriesDay } from './series.ts'

/** How a rate charge counts storage. */
export type StorageRule = NonNullable<RateChargeContent['storage']>

/** What is in store in parts, in millionths of the metric, by the steps of the charge. */
export type Measure = (total: Whole) => Whole

/** How totals of so many parts a unit are measured by a charge. */
export const measureOf =
  (charge: Pick<CompiledCharge, 'rounding' | 'roundTo'>, parts: Whole): Measure =>
  total =>
    total <= 0
      ? 0
      : roundFraction(roundToStep(charge as CompiledCharge, { numerator: total, denominator: parts }), 6)

/** Each day by what it holds; `sinceOpening` is what the period began with and all that came since. */
const counts: Record<StorageRule['count'], (day: SeriesDay, sinceOpening: Whole) => Whole> = {
  [StorageCount.Closing]: ({ closing }) => closing,
  [StorageCount.Opening]: ({ opening }) => opening,
  [StorageCount.Chronological]: ({ peak }) => peak,
  [StorageCount.PartThereof]: day => add(day.opening, day.in),
  [StorageCount.CumulativePartThereof]: (_, sinceOpening) => sinceOpening,
}

/** What each day counts by itself, in millionths. */
export function countDays({ count }: StorageRule, days: readonly SeriesDay[], measure: Measure): Whole[] {
  let sinceOpening = days[0]?.opening ?? 0
  return days.map(day => {
    sinceOpening = add(sinceOpening, day.in)
    return measure(counts[count](day, sinceOpening))
  })
}

type Receipts = NonNullable<StorageRule['receiptsCharged']>

/** What of a receipt is charged, by how many of the days of the period were over when it came. */
const receiptShares: Record<Receipts, (receipt: Whole, over: number, days: number) => Whole> = {
  [ReceiptsCharged.None]: () => 0,
  [ReceiptsCharged.Full]: receipt => receipt,
  [ReceiptsCharged.HalfAfterMid]: (receipt, over, days) =>
    over < Math.floor(days / 2) ? receipt : divideRounded(receipt, 2),
  [ReceiptsCharged.DaysLeft]: (receipt, over, days) => divideRounded(multiply(receipt, days - over), days),
}

/**
 * The first day counts what the period began with, unless that is charged already; each day counts what came
 * on it. In advance, the last day counts what the next period begins with.
 */
export function countStart(
  { receiptsCharged, isInAdvance }: StorageRule,
  days: readonly SeriesDay[],
  measure: Measure,
  isOpeningCharged: boolean,
): Whole[] {
  const share = receiptShares[receiptsCharged ?? ReceiptsCharged.None]
  return days.map((day, over) => {
    let counted = share(measure(day.in), over, days.length)
    if (over === 0 && !isOpeningCharged) counted = add(counted, measure(day.opening))
    if (over === days.length - 1 && isInAdvance) counted = add(counted, measure(day.closing))
    return counted
  })
}

/** The series of what was received on one day. */
export interface ReceiptDays {
  receivedDay: number
  days: readonly SeriesDay[]
}

/** Each receipt counts when it comes, and on each of its anniversaries with what is left of it. */
export function countAnniversaries(
  period: (typeof BillingPeriod)[keyof typeof BillingPeriod],
  receipts: readonly ReceiptDays[],
  measure: Measure,
): Whole[] {
  const length = receipts[0]?.days.length ?? 0
  return Array.from({ length }, (_, n) => {
    let total: Whole = 0
    for (const { receivedDay, days } of receipts) {
      const day = days[n] as SeriesDay
      if (isAnniversary(receivedDay, period, day.day)) total = add(total, day.opening)
      if (day.day < firstAnniversary(receivedDay, period)) total = add(total, day.in)
    }
    return measure(total)
  })
}

/** What the days of a period come to, in millionths. */
export function metricOf({ method }: StorageRule, counted: readonly Whole[]): Whole {
  if (method === StorageMethod.Maximum) return counted.reduce<Whole>(maxOf, 0)
  const sum = counted.reduce<Whole>(add, 0)
  return method === StorageMethod.Average && counted.length > 0 ? divideRounded(sum, counted.length) : sum
}
