// What happened to the stock of a client in a warehouse: the goods, what there was of them before, and
// the lines of the ledger since. Pure; read-stock-history.ts reads it.

import type { ProductFacts } from '../rate-cards/charge-input.ts'
import { add } from '../rate-cards/exact.ts'
import type { Figures, LedgerLines } from './ledger-lines.ts'

/** Goods that lie together and are alike in everything: a row of stock. What it is never changes. */
export interface Position {
  /** the warehouse product */
  id: string
  productId: string
  locationId: string
  logisticUnitId: string | null
  attributes: readonly { productAttributeId: string; description: string | null }[]
  /** the local day on which the goods came */
  receivedDay: number
}

/** All of it, as far as it was known at an instant. */
export interface StockHistory {
  positions: readonly Position[]
  /** what each of them held before the lines */
  openings: readonly Figures[]
  lines: LedgerLines
}

/**
 * What of a history happened between two instants, as it would have been read: what there was before is added
 * up, and positions that were empty all the time are left out.
 */
export function historyBetween(
  { positions, openings, lines }: StockHistory,
  begins: number,
  ends: number,
): StockHistory {
  const held = openings.map(({ quantity, weight, volume }) => ({ quantity, weight, volume }))
  const first = lines.placeFrom(begins)
  for (let place = 0; place < first; place++) {
    const line = lines.at(place)
    const before = held[line.position] as Figures
    before.quantity = add(before.quantity, line.quantity)
    before.weight = add(before.weight, line.weight)
    before.volume = add(before.volume, line.volume)
  }
  const between = lines.slice(first, lines.placeFrom(ends))
  const isThere = held.map(({ quantity, weight, volume }) => quantity !== 0 || weight !== 0 || volume !== 0)
  for (let place = 0; place < between.length; place++) isThere[between.positionAt(place)] = true
  if (!isThere.includes(false)) return { positions, openings: held, lines: between }
  return {
    positions: positions.filter((_, n) => isThere[n]),
    openings: held.filter((_, n) => isThere[n]),
    lines: between.renumbered(numbersOf(isThere)),
  }
}

/** The numbers of those that are there, which follow one another; -1 of any other. */
export function numbersOf(isThere: readonly boolean[]): Int32Array {
  const numbers = new Int32Array(isThere.length)
  let next = 0
  for (let n = 0; n < numbers.length; n++) numbers[n] = isThere[n] ? next++ : -1
  return numbers
}

/** What storage reads of a product. */
export interface StoredProduct extends ProductFacts {
  /** how long its goods are stored without charge, as a decimal in text */
  freeStorageHours: string
}

/** What storage reads of a location. */
export interface StoredLocation {
  zoneId: string | null
  type: number
}

/** What was known of products and locations, by their ids. */
export interface StorageFacts {
  products: ReadonlyMap<string, StoredProduct>
  locations: ReadonlyMap<string, StoredLocation>
}

/** What of a fact there must be for every position that was read. */
export function factOf<T>(facts: ReadonlyMap<string, T>, id: string): T {
  const found = facts.get(id)
  if (found === undefined) throw new Error(`Storage knows nothing of ${id}.`)
  return found
}
