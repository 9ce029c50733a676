// The periods by which storage is charged where a rate charge has one of its own: calendar months, halves
// of them, weeks from Monday, and two or four such weeks. Pure.

import { BillingPeriod } from '../enumerations.ts'
import { type Days, dayInMonth, dayOf, monthDayOf } from './local-days.ts'

type Period = (typeof BillingPeriod)[keyof typeof BillingPeriod]

/** How many weeks a period has that consists of weeks. */
export const weeksOf: Partial<Record<Period, number>> = {
  [BillingPeriod.Weekly]: 1,
  [BillingPeriod.Fortnightly]: 2,
  [BillingPeriod.FourWeekly]: 4,
}

/** A Monday from which two and four weeks are counted. */
const firstMonday = dayOf('2000-01-03')

/** The last day of a first half of a month. */
const middle = 15

/** The period that a day is the last of; undefined where it is inside of one. */
function periodEndingOn(day: number, period: Period): Days | undefined {
  const weeks = weeksOf[period]
  if (weeks !== undefined)
    return (day + 1 - firstMonday) % (7 * weeks) === 0 ? { from: day + 1 - 7 * weeks, to: day } : undefined
  const { year, month, date } = monthDayOf(day)
  const isHalf = period === BillingPeriod.HalfMonthly
  if (isHalf && date === middle) return { from: dayInMonth(year, month, 1), to: day }
  if (day !== dayInMonth(year, month, 31)) return undefined
  return { from: dayInMonth(year, month, isHalf ? middle + 1 : 1), to: day }
}

/** The longest of these periods, in days. */
export const maxPeriodDays = 31

/**
 * So many days before a bill the versions of a card count for it: a charge may have periods of its own,
 * which begin before, and the period before that may have charged what it begins with.
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
