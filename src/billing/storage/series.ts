// The series of a balance over local days. Pure.

import {
  add,
  divideRounded,
  type ExactInteger,
  type Fraction,
  maxOf,
  multiply,
  subtract,
} from '../evaluator/exact.ts'
import { type Days, dayAt, type LocalCalendar, startOf } from './local-days.ts'

/** The balance right after a movement. All lines of one movement make one level. */
export interface Level {
  /** in microseconds since 1970 */
  at: number
  total: ExactInteger
  /** the share of a gain that was received, and not moved from other charged goods; undefined: all of it */
  received?: Fraction | undefined
}

/** An opening balance and every level since, in chronological order. */
export interface Levels {
  opening: ExactInteger
  levels: readonly Level[]
}

/**
 * A day of a series: its opening and closing balance, what was received, what went, and the highest balance.
 */
export interface SeriesDay {
  day: number
  opening: ExactInteger
  in: ExactInteger
  out: ExactInteger
  peak: ExactInteger
  closing: ExactInteger
}

const dayWithoutMovement = (day: number, balance: ExactInteger): SeriesDay => ({
  day,
  opening: balance,
  in: 0,
  out: 0,
  peak: balance,
  closing: balance,
})

/** The days with movements, and the balance before the first of them. */
export interface Series {
  opening: ExactInteger
  moved: readonly SeriesDay[]
}

/** Computes the series of some days, all of which must be in the calendar. */
export function dailyBalances(
  { opening, levels }: Levels,
  calendar: LocalCalendar,
  { from, to }: Days,
): Series {
  const begins = startOf(calendar, from)
  const ends = startOf(calendar, to + 1)
  let balance = opening
  let before = opening
  let latest: SeriesDay | undefined
  let latestEnds = Number.NEGATIVE_INFINITY
  const moved: SeriesDay[] = []
  for (const { at, total, received } of levels) {
    if (at >= ends) break
    if (at < begins) {
      before = balance = total
      continue
    }
    if (latest === undefined || at >= latestEnds) {
      const day = dayAt(calendar, at)
      latest = dayWithoutMovement(day, balance)
      latestEnds = startOf(calendar, day + 1)
      moved.push(latest)
    }
    if (total > balance) latest.in = add(latest.in, shareOf(subtract(total, balance), received))
    else latest.out = add(latest.out, subtract(balance, total))
    latest.peak = maxOf(latest.peak, total)
    latest.closing = balance = total
  }
  return { opening: before, moved }
}

const shareOf = (gain: ExactInteger, share: Fraction | undefined): ExactInteger =>
  share === undefined ? gain : divideRounded(multiply(gain, share.numerator), share.denominator)

/** Lists every day of a series, including those without movements. */
export function fillDays({ opening, moved }: Series, { from, to }: Days): SeriesDay[] {
  const days: SeriesDay[] = []
  let balance = opening
  let next = 0
  for (let day = from; day <= to; day++) {
    const movedDay = moved[next]
    if (movedDay?.day === day) {
      days.push(movedDay)
      balance = movedDay.closing
      next++
    } else days.push(dayWithoutMovement(day, balance))
  }
  return days
}
