// The periods of a rate charge that has its own billing period: calendar months, half months, weeks from
// Monday, and two or four such weeks. Pure.

import { BillingPeriod } from '../../vocabulary/billing.ts'
import { type Days, dayInMonth, dayOf, monthDayOf } from './local-days.ts'

type Period = (typeof BillingPeriod)[keyof typeof BillingPeriod]

/** The number of weeks in a period that consists of weeks. */
export const weeksOf: Partial<Record<Period, number>> = {
  [BillingPeriod.Weekly]: 1,
  [BillingPeriod.Fortnightly]: 2,
  [BillingPeriod.FourWeekly]: 4,
}

/** The Monday from which periods of two and four weeks are counted. */
const firstMonday = dayOf('2000-01-03')

/** The last date of the first half of a month. */
const lastOfFirstHalf = 15

/** The period that ends on a day; undefined if none does. */
function periodEndingOn(day: number, period: Period): Days | undefined {
  const weeks = weeksOf[period]
  if (weeks !== undefined)
    return (day + 1 - firstMonday) % (7 * weeks) === 0 ? { from: day + 1 - 7 * weeks, to: day } : undefined
  const { year, month, date } = monthDayOf(day)
  const isHalf = period === BillingPeriod.HalfMonthly
  if (isHalf && date === lastOfFirstHalf) return { from: dayInMonth(year, month, 1), to: day }
  if (day !== dayInMonth(year, month, 31)) return undefined
  return { from: dayInMonth(year, month, isHalf ? lastOfFirstHalf + 1 : 1), to: day }
}

/** The longest of these periods, in days. */
export const maxPeriodDays = 31

/**
 * The number of days before a bill for which card versions are read. A charge may have its own period that
 * begins before the bill, and the period before that may have charged its opening balance in advance.
 */
export const versionDaysBefore = 2 * maxPeriodDays

/** The periods that end on one of these days, the earliest first. */
export function periodsEndingIn({ from, to }: Days, period: Period): Days[] {
  const found: Days[] = []
  for (let day = from; day <= to; day++) {
    const ending = periodEndingOn(day, period)
    if (ending !== undefined) found.push(ending)
  }
  return found
}
