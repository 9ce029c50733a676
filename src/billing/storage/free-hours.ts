// Free storage hours: goods are stored without charge for a number of absolute hours after their receipt,
// whatever daylight saving does to the clock. Pure.

import { type DecimalValue, roundTo } from '../../platform/decimal.ts'
import type { CompiledCharge } from '../evaluator/compiled-card.ts'
import { dayAt, type LocalCalendar, startOf } from './local-days.ts'
import { factOf, type Position, type StockHistory, type StorageFacts } from './stock-history.ts'

/** Converts hours, to four places, to microseconds. */
const microseconds = (hours: DecimalValue): number => Number(roundTo(4, hours)) * 360_000

/** The free time of a product in microseconds: that of the charge, else of the product or its client. */
const freeTime = ({ content }: CompiledCharge, productId: string, facts: StorageFacts): number =>
  microseconds(content.storage?.freeHours ?? factOf(facts.products, productId).freeStorageHours)

const receiptKey = ({ productId, receivedDay }: Pick<Position, 'productId' | 'receivedDay'>) =>
  `${productId} ${receivedDay}`

/** The instants of receipts in microseconds, by product and day: the last receipt of each day. */
export type Receipts = ReadonlyMap<string, number>

/**
 * Finds the receipts in a history. A position only tells the product and the day of its receipt, so goods
 * that came earlier on that day are free for longer, never for a shorter time.
 */
export function receiptsOf({ positions, lines }: StockHistory, calendar: LocalCalendar): Receipts {
  const found = new Map<string, number>()
  for (let index = 0; index < lines.length; index++) {
    if (!lines.isReceiptAt(index)) continue
    const position = positions[lines.positionAt(index)] as Position
    const at = lines.instantAt(index)
    if (dayAt(calendar, at) === position.receivedDay) found.set(receiptKey(position), at)
  }
  return found
}

/**
 * Returns a function that gives the instant, in microseconds, at which a charge begins to charge the goods of
 * a position: their receipt (or, if it is unknown, the beginning of the day of receipt) plus the free hours.
 * Goods received before the calendar begins are no longer free.
 */
export function freeUntilBy(
  charge: CompiledCharge,
  facts: StorageFacts,
  calendar: LocalCalendar,
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
