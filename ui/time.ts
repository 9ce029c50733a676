// Times in words. The API has two kinds: fields without `Utc` hold the wall clock of a warehouse and print
// their digits, whatever the reader's zone is, although they end in Z; fields with `Utc` are instants and
// print in the reader's zone. This is the only file that makes dates.

import { perLocale } from './locale.ts'

const localFormat = perLocale(tag => format(tag, 'UTC', true))
const localDayFormat = perLocale(tag => format(tag, 'UTC', false))
const localYearFormat = perLocale(tag => format(tag, 'UTC', true, true))
const localDayYearFormat = perLocale(tag => format(tag, 'UTC', false, true))
const utcFormat = perLocale(tag => format(tag, undefined, true))
const utcYearFormat = perLocale(tag => format(tag, undefined, true, true))

function format(tag: string, timeZone: string | undefined, hasTime: boolean, hasYear = false) {
  return new Intl.DateTimeFormat(tag, {
    timeZone,
    day: 'numeric',
    month: 'short',
    ...(hasYear ? { year: 'numeric' } : {}),
    ...(hasTime ? { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } : {}),
  })
}

const thisYear = () => new Date().getFullYear()

/** The digits of a warehouse's wall clock: `21 Nov, 16:18`; with the year if it is another than this. */
export function wallClock(text: string): string {
  const time = new Date(text.endsWith('Z') ? text : `${text}Z`)
  return (time.getUTCFullYear() === thisYear() ? localFormat() : localYearFormat()).format(time)
}

/** A day: `21 Nov`; of a wall clock, its day. */
export function day(text: string): string {
  const time = new Date(`${text.slice(0, 10)}T00:00:00Z`)
  return (time.getUTCFullYear() === thisYear() ? localDayFormat() : localDayYearFormat()).format(time)
}

/** An instant in the reader's zone. */
export function instant(text: string): string {
  const time = new Date(text)
  return (time.getFullYear() === thisYear() ? utcFormat() : utcYearFormat()).format(time)
}

/** The reader's own time zone. */
export const readersZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone

/** How many days from today in a zone a wall clock is: 0 today, -2 two days ago. */
export function daysFromToday(text: string, timeZone: string): number {
  const today = new Intl.DateTimeFormat('en-CA', { timeZone }).format(new Date())
  return Math.round((Date.parse(text.slice(0, 10)) - Date.parse(today)) / 86_400_000)
}

/** Today in a zone, as the API writes days. */
export const todayIn = (timeZone: string): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone }).format(new Date())

/** The day so many days from today in a zone, as the API writes days. */
export const dayFromToday = (days: number, timeZone: string): string =>
  new Date(Date.parse(todayIn(timeZone)) + days * 86_400_000).toISOString().slice(0, 10)

const longFormat = perLocale(
  tag =>
    new Intl.DateTimeFormat(tag, {
      ...{ day: 'numeric', month: 'long', year: 'numeric' },
      ...{ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
    }),
)

/** An instant in the reader's zone, in full: `30 June 2026, 17:00`. */
export const instantInFull = (text: string): string =>
  longFormat().format(new Date(text)).replace(' at ', ', ')

const weekdayFormat = perLocale(
  tag => new Intl.DateTimeFormat(tag, { timeZone: 'UTC', weekday: 'long', day: 'numeric', month: 'long' }),
)

/** A day with its weekday: `Sunday 22 November`. */
export const dayInFull = (text: string): string =>
  weekdayFormat()
    .format(new Date(`${text.slice(0, 10)}T00:00:00Z`))
    .replace(',', '')

/** Writes the name of a day of the week. */
export const dayNameFormat = perLocale(
  tag => new Intl.DateTimeFormat(tag, { timeZone: 'UTC', weekday: 'long' }),
)

/** The days of a week, from Monday on. */
export const weekdays = (): readonly string[] =>
  // 1 January 2024 was a Monday.
  Array.from({ length: 7 }, (_, i) => dayNameFormat().format(new Date(Date.UTC(2024, 0, i + 1))))

/** The instant this many hours ago, to the minute, as the API writes it. */
export const hoursAgo = (hours: number): string =>
  `${new Date(Date.now() - hours * 3_600_000).toISOString().slice(0, 16)}:00Z`

/** How many hours ago an instant was, to the nearest one. */
export const hoursSince = (text: string): number => Math.round((Date.now() - Date.parse(text)) / 3_600_000)

const agoFormat = perLocale(tag => new Intl.RelativeTimeFormat(tag, { numeric: 'auto' }))

/** How long ago an instant was: `now`, `3 minutes ago`, `yesterday`. */
export function ago(text: string): string {
  const minutes = Math.max(0, Math.floor((Date.now() - Date.parse(text)) / 60_000))
  if (minutes < 1) return agoFormat().format(0, 'second')
  if (minutes < 60) return agoFormat().format(-minutes, 'minute')
  const hours = Math.floor(minutes / 60)
  return hours < 24 ? agoFormat().format(-hours, 'hour') : agoFormat().format(-Math.floor(hours / 24), 'day')
}

/** This instant, as the API writes it. */
export const now = (): string => new Date().toISOString()

/** An instant as a date-time field has it, in the reader's zone: `2026-06-30T17:00`. */
export function toField(text: string): string {
  const time = new Date(text)
  return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

/** The instant in a date-time field, as the API writes it; undefined while the field is incomplete. */
export function fromField(field: string): string | undefined {
  const time = new Date(field)
  return Number.isNaN(time.getTime()) ? undefined : `${time.toISOString().slice(0, 16)}:00Z`
}

const monthFormat = perLocale(
  tag => new Intl.DateTimeFormat(tag, { timeZone: 'UTC', month: 'short', year: 'numeric' }),
)

/** The month of a day: `Nov 2026`. */
export const monthOf = (text: string): string =>
  monthFormat().format(new Date(`${text.slice(0, 10)}T00:00:00Z`))

/** An instant in milliseconds, for the axis of a plot. */
export const millisecondsOf = (text: string): number => Date.parse(text)
/** The instant at which the reader's day began. */
export function startOfToday(): string {
  const now = new Date()
  return new Date(now.getFullYear(), now.getMonth(), now.getDate()).toISOString()
}

const dayMs = 86_400_000
const maxDays = 36_525

/** The days from one to another; none if either is none or they lie a century apart. */
export function daysBetween(first: string, last: string): readonly string[] {
  const [from, to] = [Date.parse(first), Date.parse(last)]
  const n = Math.round((to - from) / dayMs) + 1
  return n > 0 && n <= maxDays
    ? Array.from({ length: n }, (_, i) => new Date(from + i * dayMs).toISOString().slice(0, 10))
    : []
}

/** The day at an instant in milliseconds, as the API writes days. */
export const dayAt = (milliseconds: number): string => new Date(milliseconds).toISOString().slice(0, 10)

/** A text of the service in which days stand as the API writes them: `Kauri Foods, 2026-11-24`. */
export const daysInWords = (text: string): string =>
  text.replace(/(?<=^|, | of | to )\d{4}-\d\d-\d\d(?=$|[,:] | to )/g, found => day(found))
