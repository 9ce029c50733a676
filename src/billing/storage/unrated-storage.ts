// Finds the goods in store that no rate charges, and the reason. Pure.

import { UnratedReason } from '../../vocabulary/billing.ts'
import { add, type ExactInteger } from '../evaluator/exact.ts'
import { storageRatesOf, type VersionDays } from './charged-periods.ts'
import { goodsOf, type StorageTerms } from './evaluate-storage.ts'
import { balanceLevels } from './levels.ts'
import { type Days, overlap } from './local-days.ts'
import { type ChargeOrReason, chargeFinder, type Goods } from './match-positions.ts'
import { quantityMeter } from './meters.ts'
import { dailyBalances, fillDays } from './series.ts'
import type { Position, StockHistory } from './stock-history.ts'

/** Goods of a product that were in store at the end of days and that no rate charges. */
export interface UnratedStorage {
  productId: string
  reason: UnratedReason
  /** their quantities at the end of each day, added up, in units of 10^-4 */
  unitDays: ExactInteger
}

/** Why no rate takes a position, from the result of each rate; null if one does. */
export function unratedReasonOf(found: readonly ChargeOrReason[]): UnratedReason | null {
  if (found.length === 0) return UnratedReason.NoRate
  const reasons = found.filter(result => typeof result === 'number')
  if (reasons.length < found.length) return null
  return reasons.includes(UnratedReason.NotMeasured)
    ? UnratedReason.NotMeasured
    : UnratedReason.NothingMatches
}

/** Splits a period into the days of each version in force, and the days without any. */
export function versionParts({
  period,
  versions,
}: Pick<StorageTerms, 'period' | 'versions'>): { days: Days; versionDays: VersionDays | null }[] {
  const parts: { days: Days; versionDays: VersionDays | null }[] = []
  const withoutCard = (days: Days) => {
    if (days.from <= days.to) parts.push({ days, versionDays: null })
  }
  let next = period.from
  for (const versionDays of versions) {
    const days = overlap(versionDays, period)
    if (days === undefined) continue
    withoutCard({ from: next, to: days.from - 1 })
    parts.push({ days, versionDays })
    next = days.to + 1
  }
  withoutCard({ from: next, to: period.to })
  return parts
}

/**
 * Returns a function that tells why no rate of a version takes a position, given its index; null if one does.
 */
function reasonsBy(versionDays: VersionDays | null, goods: Goods): (at: number) => UnratedReason | null {
  if (versionDays === null) return () => UnratedReason.NoRateCard
  const chargeFinders = storageRatesOf(versionDays.version).map(rate => chargeFinder(rate, goods))
  return at => unratedReasonOf(chargeFinders.map(findCharge => findCharge(at)))
}

/** Finds the goods that no rate charges in the period of the terms, by product and reason. */
export function unratedStorage(history: StockHistory, terms: StorageTerms): UnratedStorage[] {
  const found = new Map<string, UnratedStorage>()
  const goods = goodsOf(history, terms)
  for (const { days, versionDays } of versionParts(terms)) {
    const reasonOf = reasonsBy(versionDays, goods)
    const reasons = history.positions.map((_, at) => reasonOf(at))
    const keyAt = (at: number) => {
      const reason = reasons[at]
      return reason === null ? null : `${(history.positions[at] as Position).productId} ${reason}`
    }
    const lines = Map.groupBy(history.lines.indexes(), index => keyAt(history.lines.positionAt(index)))
    for (const [key, positions] of Map.groupBy(history.positions.keys(), keyAt)) {
      if (key === null) continue
      const group = { positions, lines: lines.get(key) ?? [] }
      const levels = balanceLevels(history, group, quantityMeter(), () => Number.NEGATIVE_INFINITY)
      let unitDays: ExactInteger = found.get(key)?.unitDays ?? 0
      for (const { closing } of fillDays(dailyBalances(levels, terms.calendar, days), days))
        unitDays = add(unitDays, closing)
      const [productId = '', reason] = key.split(' ')
      found.set(key, { productId, reason: Number(reason) as UnratedReason, unitDays })
    }
  }
  return [...found.values()].filter(({ unitDays }) => unitDays > 0)
}
