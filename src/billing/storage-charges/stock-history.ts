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
 * Cuts a history into spans of time. The lines before a span are added to its openings, each of them once as
 * long as every span begins no earlier than the one before: a year of weekly periods costs what a month does.
 */
export class HistorySpans {
  readonly #history: StockHistory
  /** the balances of all positions before the line at `#next` */
  #balances: Figures[] = []
  #next = 0

  constructor(history: StockHistory) {
    this.#history = history
    this.#restart()
  }

  #restart(): void {
    this.#balances = [...this.#history.openings]
    this.#next = 0
  }

  /** Adds up the lines before a place. */
  #advanceTo(place: number): void {
    if (place < this.#next) this.#restart()
    const { lines } = this.#history
    for (; this.#next < place; this.#next++) {
      const line = lines.at(this.#next)
      const before = this.#balances[line.position] as Figures
      this.#balances[line.position] = {
        quantity: add(before.quantity, line.quantity),
        weight: add(before.weight, line.weight),
        volume: add(before.volume, line.volume),
      }
    }
  }

  /**
   * The history from one instant (microseconds) until before another, as if it had been read for that span:
   * positions that stayed empty throughout are left out.
   */
  between(begins: number, ends: number): StockHistory {
    const { positions, lines } = this.#history
    const first = lines.placeFrom(begins)
    this.#advanceTo(first)
    const between = lines.slice(first, lines.placeFrom(ends))
    const isUsed = this.#balances.map(
      ({ quantity, weight, volume }) => quantity !== 0 || weight !== 0 || volume !== 0,
    )
    for (let place = 0; place < between.length; place++) isUsed[between.positionAt(place)] = true
    return {
      positions: positions.filter((_, n) => isUsed[n]),
      openings: this.#balances.filter((_, n) => isUsed[n]),
      lines: isUsed.includes(false) ? between.renumbered(numbersOf(isUsed)) : between,
    }
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
