// The days of storage transactions as statements show them: consecutive days that count the same are
// combined.

import type { Db, Sql } from '../../platform/database/db.ts'
import { type ExactInteger, toNumber } from '../evaluator/exact.ts'
import { type DerivedKey, type DerivedStorageTransaction, deriveStorage } from './derive-storage.ts'
import { dateOf } from './local-days.ts'

/** Consecutive days that count the same; both dates are included. */
export interface CountedDays {
  from: string
  to: string
  counted: number
  /** what they counted before, if the transaction corrects another; otherwise null */
  before: number | null
}

/** What each day counts, in millionths. */
function countedOf(derived: DerivedKey | null): Map<number, ExactInteger> {
  const measured = derived?.charge?.measured
  return new Map(measured?.series.map(({ day }, n) => [day, measured.counted[n] as ExactInteger]))
}

/** The days that count something or, for a correction, the days whose count has changed. */
function countedDays({ transaction, now, before }: DerivedStorageTransaction): CountedDays[] {
  const isCorrection = transaction.adjusts !== null
  const [current, earlier] = [countedOf(now), countedOf(before)]
  const days = [...new Set([...current.keys(), ...earlier.keys()])].toSorted((a, b) => a - b)
  const combined: (CountedDays & { last: number })[] = []
  for (const day of days) {
    const counted = current.get(day) ?? 0
    const previous = isCorrection ? (earlier.get(day) ?? 0) : 0
    if (counted === previous) continue
    const counts = { counted: toNumber(6, counted), before: isCorrection ? toNumber(6, previous) : null }
    const latest = combined.at(-1)
    if (latest?.last === day - 1 && latest.counted === counts.counted && latest.before === counts.before) {
      latest.last = day
      latest.to = dateOf(day)
    } else combined.push({ ...counts, from: dateOf(day), to: dateOf(day), last: day })
  }
  return combined.map(({ last, ...days }) => days)
}

/** Reads the counted days of the storage transactions `t`, by the ids of the transactions. */
export async function readCountedDays(db: Db, where: Sql): Promise<Map<string, CountedDays[]>> {
  const found = new Map<string, CountedDays[]>()
  for await (const batch of deriveStorage(db, where))
    for (const derived of batch) found.set(derived.transaction.id, countedDays(derived))
  return found
}
