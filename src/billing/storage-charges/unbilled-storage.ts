// The days on which goods lay in store and nothing charged them, billed or still to be billed, and why. Pure.

import { StorageMethod, UnratedReason } from '../enumerations.ts'
import type { CompiledCharge } from '../rate-cards/compiled-card.ts'
import { add, multiply, type Whole } from '../rate-cards/exact.ts'
import { periodsEndingIn } from './charge-periods.ts'
import { type BilledDays, periodsOf, storageRatesOf, type VersionDays } from './evaluate-storage.ts'
import { type Days, overlap } from './local-days.ts'
import { type ChargeOrReason, chargeFinder, describeGoods, type Goods } from './match-positions.ts'
import type { GoodsStays } from './stays.ts'
import type { StorageFacts } from './stock-history.ts'
import { versionParts, whyUnrated } from './unrated-storage.ts'

/** What the storage of some days is charged by. */
export interface StorageBill {
  period: Days
  /** the kind of period that a run billed them as; null: none has */
  billingPeriod: BilledDays['billingPeriod'] | null
  /** later days are billed */
  isPast: boolean
  versions: readonly VersionDays[]
  facts: StorageFacts
}

/** The goods of a client in a warehouse; the bills follow each other without a gap. */
export interface ClientStorage {
  warehouseId: string
  goods: readonly GoodsStays[]
  bills: readonly StorageBill[]
}

/**
 * Why days are not charged: nothing takes the goods; no bill was made of them while later days are billed; or
 * what takes them counts from a later period on, for its version began within theirs.
 */
export type StorageGap = UnratedReason | 'missed' | 'begun'

/** Goods of a product that lay on consecutive days, and were charged on none of them. */
export interface UnbilledStorage extends Days {
  productId: string
  reason: StorageGap
  /** their quantities at the end of each day, added up, in units of 10^-4 */
  unitDays: Whole
}

/** Days of a bill that one version counts on, or none. */
interface Part {
  bill: StorageBill
  days: Days
  versionDays: VersionDays | null
  /** what takes the goods of a number, rate by rate */
  takers: ((at: number) => ChargeOrReason)[]
}

/** What is known of the goods in the time of a bill, as its rates look at them. */
function goodsIn({ period, facts }: StorageBill, { warehouseId, goods }: ClientStorage): Goods {
  const time = { from: period.from - 1, to: period.to }
  const known = goods.map(({ stays }) => {
    const then = stays.filter(stay => overlap(stay, time) !== undefined)
    return {
      weight: then.some(({ isWeighed }) => isWeighed),
      volume: then.some(({ isMeasured }) => isMeasured),
    }
  })
  return describeGoods(
    warehouseId,
    goods.map(({ position }) => position),
    known,
    facts,
  )
}

const partsOf = (of: ClientStorage): Part[] =>
  of.bills.flatMap(bill => {
    const goods = goodsIn(bill, of)
    return versionParts(bill).map(({ days, versionDays }) => ({
      ...{ bill, days, versionDays },
      takers:
        versionDays === null
          ? []
          : storageRatesOf(versionDays.version).map(rate => chargeFinder(rate, goods)),
    }))
  })

/** The days that a bill charges by a charge of one of its versions. */
function chargedDays(charge: CompiledCharge, versionDays: VersionDays, bill: StorageBill): Days[] {
  const { period, billingPeriod, isPast } = bill
  const within = overlap(versionDays, period)
  // What lies free is agreed upon, and what is still to be billed is judged by each day.
  if (charge.isFree || (billingPeriod === null && !isPast)) return within === undefined ? [] : [within]
  if (billingPeriod === null) return []
  const charged = periodsOf(charge, versionDays, { period, billingPeriod }).map(({ days }) => days)
  const { method, period: own } = charge.content.storage ?? {}
  if (isPast || !own || own === billingPeriod || method === StorageMethod.Anniversary) return charged
  // A period of its own that has begun is charged with the bill in which it ends, which is still to come.
  const ended = periodsEndingIn(period, own).at(-1)?.to ?? period.from - 1
  const begun = overlap(versionDays, { from: ended + 1, to: period.to })
  return begun === undefined ? charged : [...charged, begun]
}

/** What is left of some days without others. */
function daysWithout(days: Days, others: readonly Days[]): Days[] {
  let left = [days]
  for (const { from, to } of others)
    left = left.flatMap(one =>
      [overlap(one, { from: one.from, to: from - 1 }), overlap(one, { from: to + 1, to: one.to })].filter(
        some => some !== undefined,
      ),
    )
  return left
}

const isCharge = (taker: ChargeOrReason): taker is CompiledCharge => typeof taker !== 'number'

/** Why nothing would charge goods on the days of a part, and the days that what takes them charges. */
function assessPart(
  { bill, days, versionDays, takers }: Part,
  at: number,
): { days: Days; reason: StorageGap; charged: Days[] } {
  if (versionDays === null) return { days, reason: UnratedReason.NoRateCard, charged: [] }
  const found = takers.map(taker => taker(at))
  return {
    days,
    reason: whyUnrated(found) ?? (bill.billingPeriod === null ? 'missed' : 'begun'),
    charged: found.filter(isCharge).flatMap(charge => chargedDays(charge, versionDays, bill)),
  }
}

interface Piece extends Days {
  unitDays: Whole
}
interface UnbilledProduct {
  productId: string
  reason: StorageGap
  pieces: Piece[]
}

/** Pieces as the days that follow each other. */
function joined(pieces: readonly Piece[]): Piece[] {
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

/** The goods of a client in a warehouse that nothing charges on some days, by product and reason. */
export function unbilledStorage(of: ClientStorage, asked: Days): UnbilledStorage[] {
  const parts = partsOf(of)
  const found = new Map<string, UnbilledProduct>()
  for (const [at, { position, stays }] of of.goods.entries()) {
    const judged = parts.map(part => assessPart(part, at))
    const charged = judged.flatMap(one => one.charged)
    for (const { days, reason } of judged) {
      const { productId } = position
      const key = `${productId} ${reason}`
      for (const { quantity, ...stay } of stays) {
        const lay = overlap(stay, overlap(days, asked) ?? { from: 1, to: 0 })
        for (const { from, to } of lay === undefined ? [] : daysWithout(lay, charged)) {
          const one: UnbilledProduct = found.get(key) ?? { productId, reason, pieces: [] }
          found.set(key, one)
          one.pieces.push({ from, to, unitDays: multiply(quantity, to - from + 1) })
        }
      }
    }
  }
  return [...found.values()].flatMap(({ pieces, ...one }) =>
    joined(pieces).map(piece => ({ ...one, ...piece })),
  )
}
