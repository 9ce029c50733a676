// The history of a client's stock in a warehouse: its positions, their opening balances, and the ledger lines
// since. Pure; read-stock-history.ts reads it.

import type { ProductFacts } from '../evaluator/charge-input.ts'
import { add } from '../evaluator/exact.ts'
import type { Figures, LedgerLines } from './ledger-lines.ts'

/** A position: identical goods in one place, which is one stock row. Its properties never change. */
export interface Position {
  /** the id of the warehouse product */
  id: string
  productId: string
  locationId: string
  logisticUnitId: string | null
  attributes: readonly { productAttributeId: string; description: string | null }[]
  /** the local day on which the goods were received */
  receivedDay: number
}

/** A stock history as it was known at an instant. */
export interface StockHistory {
  positions: readonly Position[]
  /** the balance of each position before the lines */
  openings: readonly Figures[]
  lines: LedgerLines
}

/**
 * Cuts a history into spans of time. The lines before a span are added to its opening balances. If spans are
 * requested in chronological order, each line is added once, so that many short periods cost no more than one
 * long period.
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

  /** Adds the lines before an index to the balances. */
  #advanceTo(index: number): void {
    if (index < this.#next) this.#restart()
    const { lines } = this.#history
    for (; this.#next < index; this.#next++) {
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
   * The history from one instant to before another (microseconds), as if it had been read for that span.
   * Positions that are empty throughout are left out.
   */
  between(begins: number, ends: number): StockHistory {
    const { positions, lines } = this.#history
    const first = lines.indexFrom(begins)
    this.#advanceTo(first)
    const between = lines.slice(first, lines.indexFrom(ends))
    const isUsed = this.#balances.map(
      ({ quantity, weight, volume }) => quantity !== 0 || weight !== 0 || volume !== 0,
    )
    for (let index = 0; index < between.length; index++) isUsed[between.positionAt(index)] = true
    return {
      positions: positions.filter((_, n) => isUsed[n]),
      openings: this.#balances.filter((_, n) => isUsed[n]),
      lines: isUsed.includes(false) ? between.renumbered(numbersOf(isUsed)) : between,
    }
  }
}

/** Numbers the used items consecutively from 0; the others get -1. */
export function numbersOf(isUsed: readonly boolean[]): Int32Array {
  const numbers = new Int32Array(isUsed.length)
  let next = 0
  for (let n = 0; n < numbers.length; n++) numbers[n] = isUsed[n] ? next++ : -1
  return numbers
}

/** The facts of a product that storage charges depend on. */
export interface StorageProduct extends ProductFacts {
  /** how long its goods are stored without charge, in hours, as a decimal in text */
  freeStorageHours: string
}

/** The facts of a location that storage charges depend on. */
export interface StoredLocation {
  zoneId: string | null
  type: number
}

/** The facts of products and locations, by their ids. */
export interface StorageFacts {
  products: ReadonlyMap<string, StorageProduct>
  locations: ReadonlyMap<string, StoredLocation>
}

/** The facts of a product or location, which must be known for every position that was read. */
export function factOf<T>(facts: ReadonlyMap<string, T>, id: string): T {
  const found = facts.get(id)
  if (found === undefined) throw new Error(`Storage knows nothing of ${id}.`)
  return found
}
