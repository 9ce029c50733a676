// Computes what is to be billed: the storage charges as they are now, less what was billed so far. Pure.
//
// If nothing new is known, there is no difference, so a repeated run bills nothing. The transactions of a key
// always add up to the newest result, in whatever order the movements became known.

import type { CompiledCharge, CompiledRate } from '../evaluator/compiled-card.ts'
import { type ExactInteger, subtract } from '../evaluator/exact.ts'
import type { LoadedVersion } from '../rate-cards/version-cache.ts'
import { storageRatesOf, type VersionDays } from './charged-periods.ts'
import type { StorageCharge } from './evaluate-storage.ts'
import type { Days } from './local-days.ts'

/** Identifies what a storage transaction bills. The first transaction of a key is corrected by later ones. */
export interface StorageKey {
  rateCardVersionId: string
  rateId: string
  rateChargeId: string
  period: Days
  groupKey: string
}

/** What was billed for a key so far, including what was waived. */
export interface BilledStorage extends StorageKey {
  /** in millionths */
  quantity: ExactInteger
  /** in cents */
  amount: ExactInteger
  /** the rate of the first transaction, in millionths */
  rate: ExactInteger
  /** the id of the first transaction */
  transactionId: string
}

/** The difference between what a key comes to now and what was billed for it. */
export interface StorageDifference extends StorageKey {
  version: LoadedVersion
  rate: CompiledRate
  charge: CompiledCharge
  /** the charge as it is now; null if the key is no longer charged */
  now: StorageCharge | null
  /** null if nothing was billed yet */
  billed: BilledStorage | null
  quantity: ExactInteger
  amount: ExactInteger
}

/** The key that a charge is billed by. */
const keyOf = ({ measured, groupKey }: StorageCharge): StorageKey => ({
  rateCardVersionId: measured.versionDays.version.id,
  rateId: measured.rate.content.id,
  rateChargeId: measured.charge.content.id,
  period: measured.period,
  groupKey,
})

/** A key as one text. */
export const keyText = ({ rateCardVersionId, rateChargeId, period, groupKey }: StorageKey): string =>
  [rateCardVersionId, rateChargeId, period.from, period.to, groupKey].join(' ')

/** Maps charges by the texts of their keys. */
export const chargesByKey = (charges: readonly StorageCharge[]): Map<string, StorageCharge> =>
  new Map(charges.map(charge => [keyText(keyOf(charge)), charge]))

/** Finds the rule that a key refers to. */
function ruleOf(versions: readonly VersionDays[], key: StorageKey) {
  const version = versions.find(({ version }) => version.id === key.rateCardVersionId)?.version
  const rate = version && storageRatesOf(version).find(({ content }) => content.id === key.rateId)
  const charge = rate?.charges.find(({ content }) => content.id === key.rateChargeId)
  if (version === undefined || rate === undefined || charge === undefined)
    throw new Error(`Version ${key.rateCardVersionId} has no rate charge ${key.rateChargeId} of storage.`)
  return { version, rate, charge }
}

/**
 * Lists the differences whose amount is not zero: first those of current charges, in their order, then those
 * of keys that are no longer charged. `versions` must include every version that current or billed charges
 * use.
 */
export function differencesOf(
  charges: readonly StorageCharge[],
  billed: readonly BilledStorage[],
  versions: readonly VersionDays[],
): StorageDifference[] {
  const billedByKey = new Map(billed.map(item => [keyText(item), item]))
  const found = charges.map((now): StorageDifference => {
    const key = keyOf(now)
    const previous = billedByKey.get(keyText(key)) ?? null
    billedByKey.delete(keyText(key))
    return {
      ...key,
      ...ruleOf(versions, key),
      now,
      billed: previous,
      quantity: subtract(now.row.metric, previous?.quantity ?? 0),
      amount: subtract(now.row.amount, previous?.amount ?? 0),
    }
  })
  const removed = [...billedByKey.values()].map(
    (previous): StorageDifference => ({
      ...previous,
      ...ruleOf(versions, previous),
      now: null,
      billed: previous,
      quantity: subtract(0, previous.quantity),
      amount: subtract(0, previous.amount),
    }),
  )
  return [...found, ...removed].filter(({ amount }) => amount !== 0)
}
