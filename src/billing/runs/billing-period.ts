// Computes when billing periods begin and end, from the history of billing rules. Pure. Dates are local,
// YYYY-MM-DD, and periods include their first and last day. Decision 7.

import { dayMs, localTimeAt } from '../../platform/local-time.ts'
import { BillingPeriod } from '../../vocabulary/billing.ts'
import { dateOf, dayOf } from '../storage/local-days.ts'

/** When periods end. Fields that the kind of period does not use are ignored. */
export interface Calendar {
  period: BillingPeriod
  /** 1 Monday to 7 Sunday; null means 7, or the weekday of `anchorDate` */
  weekday: number | null
  /** null means 31, which is the last day of each month */
  dayOfMonth: number | null
  /**
   * Fortnightly and FourWeekly: the first `weekday` from this day on ends a period; if null, this day does
   */
  anchorDate: string | null
}

/** A rule that applies from a day on, until the next one does; null means no rule. */
export interface DatedRule<Rule extends Calendar> {
  countsFrom: string
  rule: Rule | null
}

/** The first and the last day that one bill covers. */
export interface Period {
  periodFrom: string
  periodTo: string
}

/** Returns the date a number of days after another. */
export const addDays = (date: string, days: number): string => dateOf(dayOf(date) + days)

// Day 0 was a Thursday.
const weekdayOf = (day: number): number => ((((day + 3) % 7) + 7) % 7) + 1

/** Returns the first day from `day` on that is a whole multiple of `length` days away from `end`. */
const nextInStep = (day: number, end: number, length: number): number =>
  day + ((((end - day) % length) + length) % length)

/** Returns the first day from `day` on that is this weekday. */
const nextWeekday = (day: number, weekday: number): number => day + ((weekday - weekdayOf(day) + 7) % 7)

function lastInStep({ weekday, anchorDate }: Calendar, from: number, length: number): number {
  const anchor = anchorDate === null ? from : dayOf(anchorDate)
  return nextInStep(from, weekday === null ? anchor : nextWeekday(anchor, weekday), length)
}

/** Returns the two period ends of a month that is billed in halves: 15 and 31, or 15 days apart. */
function halves(dayOfMonth: number): readonly number[] {
  const late = dayOfMonth === 15 ? 31 : dayOfMonth < 15 ? dayOfMonth + 15 : dayOfMonth
  return [Math.min(15, late - 15), late]
}

/**
 * Returns the first day from `from` on that is one of these days of a month, or the last of a shorter month.
 */
function nextDayOfMonth(from: number, days: readonly number[]): number {
  const start = new Date(from * dayMs)
  const [year, month] = [start.getUTCFullYear(), start.getUTCMonth()]
  const ends = [month, month + 1].flatMap(monthIndex => {
    const length = new Date(Date.UTC(year, monthIndex + 1, 0)).getUTCDate()
    return days.map(day => Date.UTC(year, monthIndex, Math.min(day, length)) / dayMs)
  })
  return Math.min(...ends.filter(end => end >= from))
}

/** Returns the last day of the period that begins on a day. */
export function endOfPeriod(calendar: Calendar, from: string): string {
  const day = dayOf(from)
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

/** Returns the first day of the calendar period that a day is in. */
export function startOfPeriod(calendar: Calendar, day: string): string {
  const end = endOfPeriod(calendar, day)
  let from = day
  while (endOfPeriod(calendar, addDays(from, -1)) === end) from = addDays(from, -1)
  return from
}

/** Returns whether two rules end periods on the same days. */
export const isSameCalendar = (a: Calendar, b: Calendar): boolean =>
  (['period', 'weekday', 'dayOfMonth', 'anchorDate'] as const).every(field => a[field] === b[field])

/**
 * Returns the rules that have applied to a partner: its own, or the organisation's while it had none. Both
 * lists are in the order of their days.
 */
export function rulesInForce<Rule extends Calendar>(
  own: readonly DatedRule<Rule>[],
  organisation: readonly DatedRule<Rule>[],
): DatedRule<Rule>[] {
  const ruleOn = (rules: readonly DatedRule<Rule>[], date: string) =>
    rules.findLast(({ countsFrom }) => countsFrom <= date)?.rule ?? null
  const dates = [...new Set([...own, ...organisation].map(({ countsFrom }) => countsFrom))].toSorted()
  return dates.map(countsFrom => ({
    countsFrom,
    rule: ruleOn(own, countsFrom) ?? ruleOn(organisation, countsFrom),
  }))
}

/**
 * Returns the period that begins on a day, and the rule that applies to its bill. If a rule with another
 * calendar takes effect within the period, the period ends the day before. Days without a rule belong to the
 * first period of the next rule; null if there is none.
 */
export function nextPeriod<Rule extends Calendar>(
  history: readonly DatedRule<Rule>[],
  periodFrom: string,
): (Period & { rule: Rule }) | null {
  const current = Math.max(
    0,
    history.findLastIndex(({ countsFrom }) => countsFrom <= periodFrom),
  )
  const first = history.findIndex(({ rule }, at) => at >= current && rule !== null)
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

/**
 * Returns the first instant at which local clocks show a time, YYYY-MM-DDTHH:MM:SS. If the clock skips that
 * time, the instant is as much later as the clock was set forward.
 */
export function instantAt(localTime: string, timeZone: string): Date {
  const wall = Date.parse(`${localTime}Z`)
  const offsetAt = (instant: number) => Date.parse(`${localTimeAt(new Date(instant), timeZone)}Z`) - instant
  // The clock changes at most once within these two days, so one of the two offsets is the right one.
  const before = offsetAt(wall - dayMs)
  const after = offsetAt(wall + dayMs)
  const candidates = [wall - before, wall - after].toSorted((a, b) => a - b)
  const found = candidates.find(instant => instant + offsetAt(instant) === wall)
  return new Date(found ?? wall - before)
}

/** When a run is due, after the last day of its period. */
export interface RunTime {
  graceDays: number
  /** HH:MM, by the clock of the organisation */
  runAt: string
}

/**
 * Returns the instant at which the run of a period is due: at the rule's time in the organisation's time
 * zone, but not before the last day is over in all other zones.
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
