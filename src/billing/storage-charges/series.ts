// A balance over time, told by local days. Pure.

import { add, maxOf, subtract, type Whole } from '../rate-cards/exact.ts'
import { type Calendar, type Days, dayAt, startOf } from './local-days.ts'

/** What there is after everything that happened in one moment: the lines of one movement are one. */
export interface Level {
  at: number
  total: Whole
}

/** What there was before, and every level since, in order. */
export interface Levels {
  opening: Whole
  levels: readonly Level[]
}

/** A day: what there was as it began and ended, what came and went, and the most that there ever was. */
export interface SeriesDay {
  day: number
  opening: Whole
  in: Whole
  out: Whole
  peak: Whole
  closing: Whole
}

const dayWithoutMovement = (day: number, balance: Whole): SeriesDay => ({
  day,
  opening: balance,
  in: 0,
  out: 0,
  peak: balance,
  closing: balance,
})

/** The days on which something moved, and what there was before the first of them. */
export interface Series {
  opening: Whole
  moved: readonly SeriesDay[]
}

/** The series of some days; all of them must be in the calendar. */
export function seriesOf({ opening, levels }: Levels, calendar: Calendar, { from, to }: Days): Series {
  const begins = startOf(calendar, from)
  const ends = startOf(calendar, to + 1)
  let balance = opening
  let before = opening
  let latest: SeriesDay | undefined
  let latestEnds = Number.NEGATIVE_INFINITY
  const moved: SeriesDay[] = []
  for (const { at, total } of levels) {
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
    if (total > balance) latest.in = add(latest.in, subtract(total, balance))
    else latest.out = add(latest.out, subtract(balance, total))
    latest.peak = maxOf(latest.peak, total)
    latest.closing = balance = total
  }
  return { opening: before, moved }
}

/** Every one of the days: between those on which something moved, the balance stays. */
export function fillDays({ opening, moved }: Series, { from, to }: Days): SeriesDay[] {
  const days: SeriesDay[] = []
  let balance = opening
  let next = 0
  for (let day = from; day <= to; day++) {
    const one = moved[next]
    if (one?.day === day) {
      days.push(one)
      balance = one.closing
      next++
    } else days.push(dayWithoutMovement(day, balance))
  }
  return days
}
