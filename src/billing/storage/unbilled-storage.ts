// Finds the days on which goods were in store and no rate charged them, and the reason. Covers billed days
// and days still to be billed. Pure.

import { StorageMethod, UnratedReason } from '../../vocabulary/billing.ts'
import type { CompiledCharge } from '../evaluator/compiled-card.ts'
import { add, type ExactInteger, multiply } from '../evaluator/exact.ts'
import { periodsEndingIn } from './charge-periods.ts'
import { type BilledDays, chargedPeriodsOf, storageRatesOf, type VersionDays } from './charged-periods.ts'
import { type Days, overlap } from './local-days.ts'
import { type ChargeOrReason, chargeFinder, describeGoods, type Goods } from './match-positions.ts'
import type { GoodsStays } from './stays.ts'
import type { StorageFacts } from './stock-history.ts'
import { unratedReasonOf, versionParts } from './unrated-storage.ts'

/** A billed or future bill: some days, and what their storage is charged by. */
export interface StorageBill {
  period: Days
  /** the kind of period as which a run billed the days; null if none has */
  billingPeriod: BilledDays['billingPeriod'] | null
  /** later days are billed */
  isPast: boolean
  /** the days are before the first period of the client, so that no run will bill them */
  isBeforeFirst?: boolean
  versions: readonly VersionDays[]
  facts: StorageFacts
}

/** The goods of a client in a warehouse. The bills follow each other without a gap. */
export interface ClientStorage {
  warehouseId: string
  goods: readonly GoodsStays[]
  bills: readonly StorageBill[]
}

/**
 * Why days are not charged. An UnratedReason: no rate takes the goods. `beforeFirst`: the days are before the
 * first period. `missed`: the days were not billed, but later days were. `begun`: the version that charges
 * the goods began within the period, and applies from the next one.
 */
export type StorageGap = UnratedReason | 'beforeFirst' | 'missed' | 'begun'

/** Goods of a product that were in store on consecutive days and not charged on any of them. */
export interface UnbilledStorage extends Days {
  productId: string
  reason: StorageGap
  /** their quantities at the end of each day, added up, in units of 10^-4 */
  unitDays: ExactInteger
}

/** The days of a bill on which one version is in force, or none. */
interface Part {
  bill: StorageBill
  days: Days
  versionDays: VersionDays | null
  /** for each rate, a function that finds the charge that takes a position, given its index */
  chargeFinders: ((at: number) => ChargeOrReason)[]
}

/** The goods with the facts that the rates of a bill look at. */
function goodsIn({ period, facts }: StorageBill, { warehouseId, goods }: ClientStorage): Goods {
  const time = { from: period.from - 1, to: period.to }
  const known = goods.map(({ stays }) => {
    const staysThen = stays.filter(stay => overlap(stay, time) !== undefined)
    return {
      weight: staysThen.some(({ isWeighed }) => isWeighed),
      volume: staysThen.some(({ isMeasured }) => isMeasured),
    }
  })
  return describeGoods(
    warehouseId,
    goods.map(({ position }) => position),
    known,
    facts,
  )
}

const partsOf = (storage: ClientStorage): Part[] =>
  storage.bills.flatMap(bill => {
    const goods = goodsIn(bill, storage)
    return versionParts(bill).map(({ days, versionDays }) => ({
      ...{ bill, days, versionDays },
      chargeFinders:
        versionDays === null
          ? []
          : storageRatesOf(versionDays.version).map(rate => chargeFinder(rate, goods)),
    }))
  })

/** The days of a bill that are charged by a charge of one of its versions. */
function chargedDays(charge: CompiledCharge, versionDays: VersionDays, bill: StorageBill): Days[] {
  const { period, billingPeriod, isPast } = bill
  const within = overlap(versionDays, period)
  // Free storage is agreed, so it counts as charged. Days still to be billed are assessed one by one.
  if (charge.isFree || (billingPeriod === null && !isPast)) return within === undefined ? [] : [within]
  if (billingPeriod === null) return []
  const charged = chargedPeriodsOf(charge, versionDays, { period, billingPeriod }).map(({ days }) => days)
  const { method, period: own } = charge.content.storage ?? {}
  if (isPast || !own || own === billingPeriod || method === StorageMethod.Anniversary) return charged
  // A charge's own period that has begun is billed when it ends, with a later bill.
  const ended = periodsEndingIn(period, own).at(-1)?.to ?? period.from - 1
  const begun = overlap(versionDays, { from: ended + 1, to: period.to })
  return begun === undefined ? charged : [...charged, begun]
}

/** What is left of some days after removing others. */
function daysWithout(days: Days, others: readonly Days[]): Days[] {
  let left = [days]
  for (const { from, to } of others)
    left = left.flatMap(range =>
      [
        overlap(range, { from: range.from, to: from - 1 }),
        overlap(range, { from: to + 1, to: range.to }),
      ].filter(rest => rest !== undefined),
    )
  return left
}

const isCharge = (charge: ChargeOrReason): charge is CompiledCharge => typeof charge !== 'number'

/** Why a bill does not charge goods that its rates take. */
function gapOf({ billingPeriod, isBeforeFirst }: StorageBill): StorageGap {
  if (billingPeriod !== null) return 'begun'
  return isBeforeFirst ? 'beforeFirst' : 'missed'
}

/** The reason if a position is not charged on the days of a part, and the days on which it is charged. */
function assessPart(
  { bill, days, versionDays, chargeFinders }: Part,
  at: number,
): { days: Days; reason: StorageGap; charged: Days[] } {
  if (versionDays === null) return { days, reason: UnratedReason.NoRateCard, charged: [] }
  const found = chargeFinders.map(charge => charge(at))
  return {
    days,
    reason: unratedReasonOf(found) ?? gapOf(bill),
    charged: found.filter(isCharge).flatMap(charge => chargedDays(charge, versionDays, bill)),
  }
}

interface Piece extends Days {
  unitDays: ExactInteger
}
interface UnbilledProduct {
  productId: string
  reason: StorageGap
  pieces: Piece[]
}

/** Joins the pieces of consecutive or overlapping days. */
function joinPieces(pieces: readonly Piece[]): Piece[] {
  const found: Piece[] = []
  for (const { from, to, unitDays } of pieces.toSorted((a, b) => a.from - b.from)) {
    const latest = found.at(-1)
    if (latest === undefined || from > latest.to + 1) found.push({ from, to, unitDays })
    else {
      latest.to = Math.max(latest.to, to)
      latest.unitDays = add(latest.unitDays, unitDays)
    }
  }
  return found
}

/** Finds the goods of a client in a warehouse that are not charged on some days, by product and reason. */
export function unbilledStorage(storage: ClientStorage, requested: Days): UnbilledStorage[] {
  const parts = partsOf(storage)
  const found = new Map<string, UnbilledProduct>()
  for (const [at, { position, stays }] of storage.goods.entries()) {
    const assessed = parts.map(part => assessPart(part, at))
    const charged = assessed.flatMap(assessment => assessment.charged)
    for (const { days, reason } of assessed) {
      const { productId } = position
      const key = `${productId} ${reason}`
      for (const { quantity, ...stay } of stays) {
        const storedDays = overlap(stay, overlap(days, requested) ?? { from: 1, to: 0 })
        for (const { from, to } of storedDays === undefined ? [] : daysWithout(storedDays, charged)) {
          const product: UnbilledProduct = found.get(key) ?? { productId, reason, pieces: [] }
          found.set(key, product)
          product.pieces.push({ from, to, unitDays: multiply(quantity, to - from + 1) })
        }
      }
    }
  }
  return [...found.values()].flatMap(({ pieces, ...product }) =>
    joinPieces(pieces).map(piece => ({ ...product, ...piece })),
  )
}
