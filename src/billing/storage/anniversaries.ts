// The periods of the Anniversary method: each receipt has its own periods, which begin with the day of the
// receipt. Pure.

import { BillingPeriod } from '../../vocabulary/billing.ts'
import { weeksOf } from './charge-periods.ts'
import { dayInMonth, monthDayOf } from './local-days.ts'

type Period = (typeof BillingPeriod)[keyof typeof BillingPeriod]

/** The second half of a month begins this many days after the month. */
const halfMonth = 15

/**
 * The day on which the nth period of a receipt begins; period 0 begins on the day of the receipt. Months are
 * counted from that day and not from the previous anniversary: 31 January, 28 February, 31 March.
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

/** Whether a period of a receipt, other than its first, begins on a day. */
export function isAnniversary(received: number, period: Period, day: number): boolean {
  if (day <= received) return false
  // No more than n periods can have begun, so the search runs backwards from n.
  const shortest = weeksOf[period] === undefined ? (period === BillingPeriod.Monthly ? 28 : 13) : 7
  let n = Math.ceil((day - received) / shortest)
  while (n > 0 && anniversary(received, period, n) > day) n--
  return n > 0 && anniversary(received, period, n) === day
}
