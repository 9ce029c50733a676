// When billing periods begin and end, by a rule and by what the rule was before. Pure: dates are plain days,
// YYYY-MM-DD, and a period has both of its days. Open-points 7.

import { localTimeAt } from '../../platform/local-time.ts'
import { BillingPeriod } from '../enumerations.ts'

/** When periods end. What does not belong to its kind of period is there and means nothing. */
export interface Calendar {
  period: BillingPeriod
  /** 1 Monday to 7 Sunday, the default */
  weekday: number | null
  /** the default, 31, is the last day of each month */
  dayOfMonth: number | null
  /** Fortnightly and FourWeekly: the first `weekday` from here on is a last day; without one this day is */
  anchorDate: string | null
}

/** What holds from a day on, until something else does; null: there is no rule. */
export interface DatedRule<Rule extends Calendar> {
  countsFrom: string
  rule: Rule | null
}

/** The first and the last day of what one bill is for. */
export interface Period {
  periodFrom: string
  periodTo: string
}

const dayMs = 86_400_000
const dayNumber = (date: string): number => Date.parse(`${date}T00:00:00Z`) / dayMs
const dateOf = (day: number): string => new Date(day * dayMs).toISOString().slice(0, 10)

/** The day that is so many days after a date. */
export const addDays = (date: string, days: number): string => dateOf(dayNumber(date) + days)

// Day 0 was a Thursday.
const weekdayOf = (day: number): number => ((((day + 3) % 7) + 7) % 7) + 1

/** The first day from `day` on that is a whole number of lengths away from `end`. */
const nextInStep = (day: number, end: number, length: number): number =>
  day + ((((end - day) % length) + length) % length)

/** The first day from `day` on that is this weekday. */
const nextWeekday = (day: number, weekday: number): number => day + ((weekday - weekdayOf(day) + 7) % 7)

function lastInStep({ weekday, anchorDate }: Calendar, from: number, length: number): number {
  const anchor = anchorDate === null ? from : dayNumber(anchorDate)
  return nextInStep(from, weekday === null ? anchor : nextWeekday(anchor, weekday), length)
}

/** The two last days of a month that is billed in halves: 15 and 31, or 15 days apart. */
function halves(dayOfMonth: number): readonly number[] {
  const late = dayOfMonth === 15 ? 31 : dayOfMonth < 15 ? dayOfMonth + 15 : dayOfMonth
  return [Math.min(15, late - 15), late]
}

/** The first day from `from` on that is one of these days of its month, or the last of a shorter month. */
function nextDayOfMonth(from: number, days: readonly number[]): number {
  const start = new Date(from * dayMs)
  const [year, month] = [start.getUTCFullYear(), start.getUTCMonth()]
  const ends = [month, month + 1].flatMap(at => {
    const length = new Date(Date.UTC(year, at + 1, 0)).getUTCDate()
    return days.map(day => Date.UTC(year, at, Math.min(day, length)) / dayMs)
  })
  return Math.min(...ends.filter(end => end >= from))
}

/** The last day of the period that begins on a day. */
export function endOfPeriod(calendar: Calendar, from: string): string {
  const day = dayNumber(from)
  const dayOfMonth = calendar.dayOfMonth ?? 31
  switch (calendar.period) {
    case BillingPeriod.Weekly:
      return dateOf(nextWeekday(day, calendar.weekday ?? 7))
    case BillingPeriod.Fortnightly:
      return dateOf(lastInStep(calendar, day, 14))
    case BillingPeriod.FourWeekly:
      return dateOf(lastInStep(calendar, day, 28))
    case BillingPeriod.HalfMonthly:
      return dateOf(nextDayOfMonth(day, halves(dayOfMonth)))
    case BillingPeriod.Monthly:
      return dateOf(nextDayOfMonth(day, [dayOfMonth]))
  }
}

/** Whether two rules end periods on the same days. */
export const isSameCalendar = (a: Calendar, b: Calendar): boolean =>
  (['period', 'weekday', 'dayOfMonth', 'anchorDate'] as const).every(field => a[field] === b[field])

/**
 * What has held for a partner: its own rule, and that of the organisation while it had none. Both come in the
 * order of their days.
 */
export function rulesInForce<Rule extends Calendar>(
  own: readonly DatedRule<Rule>[],
  organisation: readonly DatedRule<Rule>[],
): DatedRule<Rule>[] {
  const latest = (of: readonly DatedRule<Rule>[], date: string) =>
    of.findLast(({ countsFrom }) => countsFrom <= date)?.rule ?? null
  const dates = [...new Set([...own, ...organisation].map(({ countsFrom }) => countsFrom))].toSorted()
  return dates.map(countsFrom => ({
    countsFrom,
    rule: latest(own, countsFrom) ?? latest(organisation, countsFrom),
  }))
}

/**
 * The period that begins on a day, and the rule by which its bill is made: where another calendar counts from
 * a day inside of it, it ends the day before. A time without a rule belongs to the first period of the next
 * one; null where there is none.
 */
export function nextPeriod<Rule extends Calendar>(
  history: readonly DatedRule<Rule>[],
  periodFrom: string,
): (Period & { rule: Rule }) | null {
  const running = Math.max(
    0,
    history.findLastIndex(({ countsFrom }) => countsFrom <= periodFrom),
  )
  const first = history.findIndex(({ rule }, at) => at >= running && rule !== null)
  let rule = history[first]?.rule ?? null
  if (rule === null) return null
  const end = endOfPeriod(rule, periodFrom)
  for (const later of history.slice(first + 1)) {
    if (later.countsFrom > end) break
    if (later.rule === null || !isSameCalendar(later.rule, rule))
      return { periodFrom, periodTo: addDays(later.countsFrom, -1), rule }
    rule = later.rule
  }
  return { periodFrom, periodTo: end, rule }
}

/** The first instant at which a clock shows a time or, where the clock skips that time, a later one. */
export function instantAt(localTime: string, timeZone: string): Date {
  const wall = Date.parse(`${localTime}Z`)
  const offsetAt = (instant: number) => Date.parse(`${localTimeAt(new Date(instant), timeZone)}Z`) - instant
  // The clock is changed at most once in these two days, so one of the two offsets is that of the time.
  const before = offsetAt(wall - dayMs)
  const after = offsetAt(wall + dayMs)
  const candidates = [wall - before, wall - after].toSorted((a, b) => a - b)
  const found = candidates.find(instant => instant + offsetAt(instant) === wall)
  return new Date(found ?? wall - before)
}

/** When bills are made, after the last day of their period. */
export interface RunTime {
  graceDays: number
  /** HH:MM, by the clock of the organisation */
  runAt: string
}

/**
 * When the bill of a period is made: at the rule's time by the clock of the organisation, but not before the
 * last day is over in any of the other zones.
 */
export function runInstant(
  { periodTo }: Period,
  { graceDays, runAt }: RunTime,
  organisationZone: string,
  otherZones: readonly string[],
): Date {
  const after = addDays(periodTo, 1)
  const instants = [
    instantAt(`${addDays(after, graceDays)}T${runAt}:00`, organisationZone),
    ...otherZones.map(zone => instantAt(`${after}T00:00:00`, zone)),
  ]
  return new Date(Math.max(...instants.map(Number)))
}
