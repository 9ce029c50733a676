// The days of storage in short, as statements show them: equal ones that follow each other are told together.

import type { Db, Sql } from '../../platform/database/db.ts'
import { numberOf, type Whole } from '../rate-cards/exact.ts'
import { type DerivedKey, type DerivedTransaction, deriveStorage } from './derive-storage.ts'
import { dateOf } from './local-days.ts'

/** Days that count the same, both included. */
export interface CountedDays {
  from: string
  to: string
  counted: number
  /** what they counted before, of a transaction that corrects another */
  before: number | null
}

/** What each day counts. */
function countedOf(derived: DerivedKey | null): Map<number, Whole> {
  const measured = derived?.charge?.measured
  return new Map(measured?.series.map(({ day }, n) => [day, measured.counted[n] as Whole]))
}

/** The days that count something; of what corrects another those that count something else now. */
function countedDays({ transaction, now, before }: DerivedTransaction): CountedDays[] {
  const isCorrection = transaction.adjusts !== null
  const [counts, earlier] = [countedOf(now), countedOf(before)]
  const days = [...new Set([...counts.keys(), ...earlier.keys()])].toSorted((a, b) => a - b)
  const told: (CountedDays & { last: number })[] = []
  for (const day of days) {
    const counted = counts.get(day) ?? 0
    const was = isCorrection ? (earlier.get(day) ?? 0) : 0
    if (counted === was) continue
    const one = { counted: numberOf(6, counted), before: isCorrection ? numberOf(6, was) : null }
    const latest = told.at(-1)
    if (latest?.last === day - 1 && latest.counted === one.counted && latest.before === one.before) {
      latest.last = day
      latest.to = dateOf(day)
    } else told.push({ ...one, from: dateOf(day), to: dateOf(day), last: day })
  }
  return told.map(({ last, ...one }) => one)
}

/** The days behind transactions `t` of storage, by their ids. */
export async function readCountedDays(db: Db, where: Sql): Promise<Map<string, CountedDays[]>> {
  const found = new Map<string, CountedDays[]>()
  for await (const some of deriveStorage(db, where))
    for (const one of some) found.set(one.transaction.id, countedDays(one))
  return found
}
