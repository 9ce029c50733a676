// The months that a calendar shows. A file of its own, because few screens show one.

import { perLocale } from './locale.ts'
import { dayAt, dayNameFormat } from './time.ts'

const dayMs = 86_400_000
const weekLength = 7
const weeksShown = 6
/** 1 January 1970 was a Thursday. */
const firstWeekday = 4

/** The day so many days later. */
export const dayLater = (day: string, days: number): string => dayAt(Date.parse(day) + days * dayMs)

/** The same day so many months later, or the last one of a shorter month. */
export function monthLater(day: string, months: number): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  const last = Number(dayAt(Date.UTC(year, month + months, 0)).slice(-2))
  return dayAt(Date.UTC(year, month - 1 + months, Math.min(date, last)))
}

/** The weeks that the month of a day lies in, each beginning with this day of the week (1 Monday). */
export function weeksOf(day: string, firstDay: number): readonly (readonly string[])[] {
  const first = `${day.slice(0, 7)}-01`
  const weekday = Math.floor(Date.parse(first) / dayMs) + firstWeekday
  // Days before 1970 count below zero.
  const lead = (((weekday - firstDay) % weekLength) + weekLength) % weekLength
  return Array.from({ length: weeksShown }, (_, week) =>
    Array.from({ length: weekLength }, (_, i) => dayLater(first, week * weekLength + i - lead)),
  )
}

const shortDayFormat = perLocale(tag => new Intl.DateTimeFormat(tag, { timeZone: 'UTC', weekday: 'short' }))

/** The names of the days of a week that begins with this one (1 Monday). */
export const weekdayNames = (firstDay: number): readonly { short: string; long: string }[] =>
  (weeksOf('2024-01-01', firstDay)[0] ?? []).map(day => ({
    short: shortDayFormat().format(Date.parse(day)),
    long: dayNameFormat().format(Date.parse(day)),
  }))

const fullDayFormat = perLocale(
  tag => new Intl.DateTimeFormat(tag, { timeZone: 'UTC', day: 'numeric', month: 'long', year: 'numeric' }),
)
const fullMonthFormat = perLocale(
  tag => new Intl.DateTimeFormat(tag, { timeZone: 'UTC', month: 'long', year: 'numeric' }),
)

/** A day with its month and year: `21 November 2026`. */
export const dayWithYear = (day: string): string => fullDayFormat().format(Date.parse(day))

/** The month of a day: `November 2026`. */
export const monthInFull = (day: string): string => fullMonthFormat().format(Date.parse(day))
