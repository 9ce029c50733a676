// How long goods are stored without charge: absolute hours from their receipt, whatever the clocks do.
// Pure.

import { type Decimal, roundTo } from '../../platform/decimal.ts'
import type { CompiledCharge } from '../rate-cards/compiled-card.ts'
import { type Calendar, dayAt, startOf } from './local-days.ts'
import { factOf, type Position, type StockHistory, type StorageFacts } from './stock-history.ts'

/** Hours, to four places, in microseconds. */
const microseconds = (hours: Decimal): number => Number(roundTo(4, hours)) * 360_000

/** The free hours of a product's goods by a charge: the charge's own, else the product's or its client's. */
const freeTime = ({ content }: CompiledCharge, productId: string, facts: StorageFacts): number =>
  microseconds(content.storage?.freeHours ?? factOf(facts.products, productId).freeStorageHours)

const receiptKey = ({ productId, receivedDay }: Pick<Position, 'productId' | 'receivedDay'>) =>
  `${productId} ${receivedDay}`

/** When goods came, by product and day: with the last receipt of that day. */
export type Receipts = ReadonlyMap<string, number>

/**
 * The receipts of a history. The goods of a position are only known by their product and day, so those
 * that came earlier on that day are free for longer, never shorter.
 */
export function receiptsOf({ positions, lines }: StockHistory, calendar: Calendar): Receipts {
  const found = new Map<string, number>()
  for (let place = 0; place < lines.length; place++) {
    if (!lines.isReceiptAt(place)) continue
    const one = positions[lines.positionAt(place)] as Position
    const at = lines.instantAt(place)
    if (dayAt(calendar, at) === one.receivedDay) found.set(receiptKey(one), at)
  }
  return found
}

/**
 * Tells when the goods of a position cease to be free by a charge: their receipt, else the beginning of the
 * day on which they came, and the free hours. Goods that came before the calendar begins are free no longer.
 */
export function freeUntilBy(
  charge: CompiledCharge,
  facts: StorageFacts,
  calendar: Calendar,
  receipts: Receipts,
): (position: Position) => number {
  const freeOf = new Map<string, number>()
  return position => {
    const { productId, receivedDay } = position
    let free = freeOf.get(productId)
    if (free === undefined) {
      free = freeTime(charge, productId, facts)
      freeOf.set(productId, free)
    }
    if (free === 0) return Number.NEGATIVE_INFINITY
    return (receipts.get(receiptKey(position)) ?? startOf(calendar, receivedDay)) + free
  }
}
