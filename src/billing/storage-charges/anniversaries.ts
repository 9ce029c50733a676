// The periods that each receipt has of its own, from the day on which it came. Pure.

import { BillingPeriod } from '../enumerations.ts'
import { weeksOf } from './charge-periods.ts'
import { dayInMonth, monthDayOf } from './local-days.ts'

type Period = (typeof BillingPeriod)[keyof typeof BillingPeriod]

/** A second half of a month begins so many days after the month does. */
const halfMonth = 15

/**
 * When the nth period of a receipt begins; the 0th does on the day of the receipt. Months are counted
 * from that day and not from the anniversary before: 31 January, 28 February, 31 March.
 */
function anniversary(received: number, period: Period, n: number): number {
  const weeks = weeksOf[period]
  if (weeks !== undefined) return received + 7 * weeks * n
  const { year, month, date } = monthDayOf(received)
  if (period === BillingPeriod.Monthly) return dayInMonth(year, month + n, date)
  return dayInMonth(year, month + Math.floor(n / 2), date) + (n % 2 === 0 ? 0 : halfMonth)
}

/** The day on which the second period of a receipt begins. */
export const firstAnniversary = (received: number, period: Period): number => anniversary(received, period, 1)

/** Whether a period of a receipt begins on a day, other than its first. */
export function isAnniversary(received: number, period: Period, day: number): boolean {
  if (day <= received) return false
  // Not more than so many can have begun; the last of them may be the one, or the one before.
  const shortest = weeksOf[period] === undefined ? (period === BillingPeriod.Monthly ? 28 : 13) : 7
  let n = Math.ceil((day - received) / shortest)
  while (n > 0 && anniversary(received, period, n) > day) n--
  return n > 0 && anniversary(received, period, n) === day
}
