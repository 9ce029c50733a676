// The goods in store that nothing charges, and why. Pure.

import { UnratedReason } from '../enumerations.ts'
import { add, type Whole } from '../rate-cards/exact.ts'
import { goodsOf, type StorageTerms, storageRatesOf, type VersionDays } from './evaluate-storage.ts'
import { levelsOf } from './levels.ts'
import { type Days, overlap } from './local-days.ts'
import { type ChargeOrReason, chargeFinder, type Goods } from './match-positions.ts'
import { quantityMeter } from './meters.ts'
import { fillDays, seriesOf } from './series.ts'
import type { Position, StockHistory } from './stock-history.ts'

/** Goods of a product that were in store at the end of days, and charged by nothing. */
export interface UnratedStorage {
  productId: string
  reason: UnratedReason
  /** their quantities at the end of each day, added up, in units of 10^-4 */
  unitDays: Whole
}

/** Why no rate takes goods, by what each rate says of them; null where one does. */
export function whyUnrated(found: readonly ChargeOrReason[]): UnratedReason | null {
  if (found.length === 0) return UnratedReason.NoRate
  const reasons = found.filter(one => typeof one === 'number')
  if (reasons.length < found.length) return null
  return reasons.includes(UnratedReason.NotMeasured)
    ? UnratedReason.NotMeasured
    : UnratedReason.NothingMatches
}

/** The days of a period with the version that counts on them; those without any too. */
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

/** Why no rate of a version takes the position of a number; null where one does. */
function reasonsBy(versionDays: VersionDays | null, goods: Goods): (at: number) => UnratedReason | null {
  if (versionDays === null) return () => UnratedReason.NoRateCard
  const takers = storageRatesOf(versionDays.version).map(rate => chargeFinder(rate, goods))
  return at => whyUnrated(takers.map(taker => taker(at)))
}

/** The goods that nothing charges in the period of the terms, by product and reason. */
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
    const lines = Map.groupBy(history.lines.places(), place => keyAt(history.lines.positionAt(place)))
    for (const [key, positions] of Map.groupBy(history.positions.keys(), keyAt)) {
      if (key === null) continue
      const group = { positions, lines: lines.get(key) ?? [] }
      const levels = levelsOf(history, group, quantityMeter(), () => Number.NEGATIVE_INFINITY)
      let unitDays: Whole = found.get(key)?.unitDays ?? 0
      for (const { closing } of fillDays(seriesOf(levels, terms.calendar, days), days))
        unitDays = add(unitDays, closing)
      const [productId = '', reason] = key.split(' ')
      found.set(key, { productId, reason: Number(reason) as UnratedReason, unitDays })
    }
  }
  return [...found.values()].filter(({ unitDays }) => unitDays > 0)
}
