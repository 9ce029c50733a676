// Days as numbers, counted from 1 January 1970, and the local days of a warehouse as instants. Pure.
//
// Instants are microseconds since that midnight in UTC, as in the database: whole numbers that doubles hold
// exactly. Bit operators would truncate them to 32 bits.

import { dayMs } from '../../platform/local-time.ts'

/** The number of a date, such as 20_000 for 2024-10-04. */
export const dayOf = (date: string): number => Date.parse(`${date}T00:00:00Z`) / dayMs

export const dateOf = (day: number): string => new Date(day * dayMs).toISOString().slice(0, 10)

/** Consecutive days, both included. */
export interface Days {
  from: number
  to: number
}

/** The days that two ranges have in common; undefined if there are none. */
export function overlap(a: Days, b: Days): Days | undefined {
  const both = { from: Math.max(a.from, b.from), to: Math.min(a.to, b.to) }
  return both.from <= both.to ? both : undefined
}

/** A day as year, month and date. */
export interface MonthDay {
  year: number
  /** from 0 */
  month: number
  date: number
}

/** Year, month and date of a day. */
export function monthDayOf(day: number): MonthDay {
  const at = new Date(day * dayMs)
  return { year: at.getUTCFullYear(), month: at.getUTCMonth(), date: at.getUTCDate() }
}

/** The day of a date in a month, or the month's last day if it is shorter. Months may lie beyond the year. */
export function dayInMonth(year: number, month: number, date: number): number {
  const last = Date.UTC(year, month + 1, 0) / dayMs
  return Math.min(Date.UTC(year, month, 1) / dayMs + date - 1, last)
}

/** The beginnings of local days, which last 23, 24 or 25 hours, or half an hour more or less than 24. */
export interface LocalCalendar {
  first: number
  /** in microseconds: of the first day, each day that follows, and the day after the last */
  starts: readonly number[]
}

/** When a day begins: minus infinity for days before the first, infinity for those after the last. */
export function startOf({ first, starts }: LocalCalendar, day: number): number {
  if (day < first) return Number.NEGATIVE_INFINITY
  return starts[day - first] ?? Number.POSITIVE_INFINITY
}

/** The local day of an instant. Outside the calendar, it is the day before the first or after the last. */
export function dayAt({ first, starts }: LocalCalendar, at: number): number {
  let [low, high] = [0, starts.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((starts[middle] as number) <= at) low = middle + 1
    else high = middle
  }
  return first + low - 1
}
