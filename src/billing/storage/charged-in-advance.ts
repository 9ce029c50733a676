// Finds the goods whose opening balance of a period was charged in advance, with the bill before or with this
// one, by the versions in force then. So the opening balance is charged once, even if a new version or
// another card starts or stops charging it in advance. Pure.

import type { CompiledCharge, CompiledRate } from '../evaluator/compiled-card.ts'
import {
  type BilledDays,
  chargedPeriodsOf,
  ruleOf,
  storageRatesOf,
  type VersionDays,
} from './charged-periods.ts'

/** What a charge of a rate charged in advance on the last day of its period. */
export interface Advance {
  versionDays: VersionDays
  rate: CompiledRate
  charge: CompiledCharge
  lastDay: number
}

/** Lists what is charged in advance in the given billed periods. */
export const advancesIn = (
  versions: readonly VersionDays[],
  billed: readonly (BilledDays | null)[],
): Advance[] =>
  billed.flatMap(days =>
    days === null
      ? []
      : versions.flatMap(versionDays =>
          storageRatesOf(versionDays.version).flatMap(rate =>
            rate.charges.flatMap(charge =>
              ruleOf(charge).isInAdvance
                ? chargedPeriodsOf(charge, versionDays, days).map(({ period }) => ({
                    ...{ versionDays, rate, charge, lastDay: period.to },
                  }))
                : [],
            ),
          ),
        ),
  )

const idsOf = ({ version }: VersionDays): Set<string> =>
  new Set(storageRatesOf(version).map(({ content }) => content.id))

/**
 * Whether two rates price the same work: they have the same id or, where neither version knows the rate of
 * the other, the same activity. A version that was sent as content has new ids.
 */
export function priceTheSame(
  [rate, versionDays]: readonly [CompiledRate, VersionDays],
  [other, otherDays]: readonly [CompiledRate, VersionDays],
): boolean {
  if (rate.content.id === other.content.id) return true
  const isUnknown = !idsOf(otherDays).has(rate.content.id) && !idsOf(versionDays).has(other.content.id)
  return isUnknown && rate.content.activityTypeId === other.content.activityTypeId
}
