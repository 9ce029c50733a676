// The days that versions of rate cards charge, and the periods of their charges. Pure.

import { type BillingPeriod, RateKind, StorageMethod } from '../../vocabulary/billing.ts'
import type { CompiledCharge, CompiledRate } from '../evaluator/compiled-card.ts'
import type { LoadedVersion } from '../rate-cards/version-cache.ts'
import { periodsEndingIn } from './charge-periods.ts'
import type { StorageRule } from './count-days.ts'
import { type Days, overlap } from './local-days.ts'

/** The days on which a version of a rate card is in force. */
export interface VersionDays extends Days {
  version: LoadedVersion
  /** why it is in force: the client's own card or the fall-back card */
  because: number
}

/** Days that are billed, and the kind of billing period that they form. */
export interface BilledDays {
  period: Days
  billingPeriod: (typeof BillingPeriod)[keyof typeof BillingPeriod]
}

/** The rates of a version that price storage. */
export const storageRatesOf = ({ card }: LoadedVersion): CompiledRate[] =>
  card.rates.filter(({ kind }) => kind === RateKind.Storage)

/** How a charge counts storage. */
export const ruleOf = ({ content }: CompiledCharge): StorageRule => content.storage as StorageRule

/**
 * The periods of a charge that are billed with the given period, and the days of each that the version
 * charges.
 */
export function chargedPeriodsOf(
  charge: CompiledCharge,
  version: Days,
  { period, billingPeriod }: BilledDays,
): { period: Days; days: Days }[] {
  const { method, period: own } = ruleOf(charge)
  const isBilled = own === undefined || own === null || own === billingPeriod
  const periods = isBilled || method === StorageMethod.Anniversary ? [period] : periodsEndingIn(period, own)
  return periods.flatMap(chargePeriod => {
    // SumOfDays charges each day by its own version; other methods use the version of the first day.
    if (method !== StorageMethod.SumOfDays) {
      const isInForce = chargePeriod.from >= version.from && chargePeriod.from <= version.to
      return isInForce ? [{ period: chargePeriod, days: chargePeriod }] : []
    }
    const days = overlap(chargePeriod, version)
    return days === undefined ? [] : [{ period: chargePeriod, days }]
  })
}

/** The first day that affects a billed period: the periods of charges may begin before it. */
export function firstDayOf({ period, versions, billingPeriod }: Billed): number {
  const days = versions.flatMap(versionDays =>
    storageRatesOf(versionDays.version).flatMap(({ charges }) =>
      charges.flatMap(charge => chargedPeriodsOf(charge, versionDays, { period, billingPeriod })),
    ),
  )
  return Math.min(period.from, ...days.map(period => period.days.from))
}
type Billed = BilledDays & { versions: readonly VersionDays[] }
