// What is to be billed: what storage comes to now less what was billed for it so far. Pure.
//
// With nothing new every difference is nothing, so that running twice is running once; and the
// transactions of a key always add up to the newest result, in whatever order its goods were heard of.

import type { CompiledCharge, CompiledRate } from '../rate-cards/compiled-card.ts'
import { subtract, type Whole } from '../rate-cards/exact.ts'
import type { LoadedVersion } from '../rate-cards/version-cache.ts'
import { type StorageCharge, storageRatesOf, type VersionDays } from './evaluate-storage.ts'
import type { Days } from './local-days.ts'

/** What transactions of storage are billed by: one is raised for each, and others correct it. */
export interface StorageKey {
  rateCardVersionId: string
  rateId: string
  rateChargeId: string
  period: Days
  groupKey: string
}

/** What was billed by a key so far, waived or not. */
export interface BilledStorage extends StorageKey {
  /** in millionths, and in cents */
  quantity: Whole
  amount: Whole
  /** in millionths, of the first transaction */
  rate: Whole
  /** the first transaction */
  transactionId: string
}

/** What a key lacks, or has too much. */
export interface StorageDifference extends StorageKey {
  version: LoadedVersion
  rate: CompiledRate
  charge: CompiledCharge
  /** what it comes to now; null: nothing any more */
  now: StorageCharge | null
  /** null: nothing was billed yet */
  billed: BilledStorage | null
  quantity: Whole
  amount: Whole
}

/** The key of a charge. */
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

/** Charges by the texts of their keys. */
export const chargesByKey = (charges: readonly StorageCharge[]): Map<string, StorageCharge> =>
  new Map(charges.map(charge => [keyText(keyOf(charge)), charge]))

/** The rule that a key names. */
function ruleOf(versions: readonly VersionDays[], key: StorageKey) {
  const version = versions.find(one => one.version.id === key.rateCardVersionId)?.version
  const rate = version && storageRatesOf(version).find(({ content }) => content.id === key.rateId)
  const charge = rate?.charges.find(({ content }) => content.id === key.rateChargeId)
  if (version === undefined || rate === undefined || charge === undefined)
    throw new Error(`Version ${key.rateCardVersionId} has no rate charge ${key.rateChargeId} of storage.`)
  return { version, rate, charge }
}

/**
 * The differences that are worth anything, first of what is charged now, in its order, then of what is
 * not any more. `versions` are those that either was billed by.
 */
export function differencesOf(
  charges: readonly StorageCharge[],
  billed: readonly BilledStorage[],
  versions: readonly VersionDays[],
): StorageDifference[] {
  const before = new Map(billed.map(one => [keyText(one), one]))
  const found = charges.map((now): StorageDifference => {
    const key = keyOf(now)
    const one = before.get(keyText(key)) ?? null
    before.delete(keyText(key))
    return {
      ...key,
      ...ruleOf(versions, key),
      now,
      billed: one,
      quantity: subtract(now.row.metric, one?.quantity ?? 0),
      amount: subtract(now.row.amount, one?.amount ?? 0),
    }
  })
  const gone = [...before.values()].map(
    (one): StorageDifference => ({
      ...one,
      ...ruleOf(versions, one),
      now: null,
      billed: one,
      quantity: subtract(0, one.quantity),
      amount: subtract(0, one.amount),
    }),
  )
  return [...found, ...gone].filter(({ amount }) => amount !== 0)
}
