// What happened to the stock of a client in a warehouse: the goods, what there was of them before, and
// the lines of the ledger since. Pure; read-stock-history.ts reads it.

import type { ProductFacts } from '../rate-cards/charge-input.ts'
import { add, type Whole } from '../rate-cards/exact.ts'

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

/** How much it is: quantity and weight in units of 10^-4, volume of 10^-6. */
export interface Figures {
  quantity: Whole
  weight: Whole
  volume: Whole
}

/** A line of the ledger. */
export interface LedgerLine extends Figures {
  /** which of the positions */
  position: number
  /** the number of the line in its row of stock */
  version: number
  /** when it happened, in microseconds */
  at: number
  /** tells the movements apart: lines of one movement stand side by side */
  movement: number
  isReceipt: boolean
}

/** All of it, as far as it was known at an instant. */
export interface StockHistory {
  positions: readonly Position[]
  /** what each of them held before the lines */
  openings: readonly Figures[]
  /** in the order of when they happened, and of movements at one instant */
  lines: readonly LedgerLine[]
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
  let first = 0
  for (let line = lines[0]; line !== undefined && line.at < begins; line = lines[++first]) {
    const before = held[line.position] as Figures
    before.quantity = add(before.quantity, line.quantity)
    before.weight = add(before.weight, line.weight)
    before.volume = add(before.volume, line.volume)
  }
  let last = first
  while (last < lines.length && (lines[last] as LedgerLine).at < ends) last++
  const between = lines.slice(first, last)
  const isThere = held.map(({ quantity, weight, volume }) => quantity !== 0 || weight !== 0 || volume !== 0)
  for (const { position } of between) isThere[position] = true
  if (!isThere.includes(false)) return { positions, openings: held, lines: between }
  const numbers: number[] = []
  let next = 0
  for (const one of isThere) numbers.push(one ? next++ : -1)
  return {
    positions: positions.filter((_, n) => isThere[n]),
    openings: held.filter((_, n) => isThere[n]),
    lines: between.map(line => ({ ...line, position: numbers[line.position] as number })),
  }
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
