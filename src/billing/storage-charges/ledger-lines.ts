// Lines of the ledger as columns: a year of them is read without an object for each, and parts of it are
// looked at without copies. Pure.

import type { WholeColumn } from '../rate-cards/array-columns.ts'
import type { Whole } from '../rate-cards/exact.ts'

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
}

/** The columns of lines, which are in the order of when they happened, and of movements at one instant. */
export interface LineColumns {
  /** which of the positions */
  positions: WholeColumn
  /** the numbers of the lines in their rows of stock; those of receipts are negative */
  versions: WholeColumn
  /** when they happened, in microseconds after `begins` */
  instants: WholeColumn
  begins: number
  movements: Int32Array
  quantities: WholeColumn
  /** empty: all of them are 0 */
  weights: WholeColumn
  volumes: WholeColumn
}

/** Lines that happened one after another, each of which is told by its place among them. */
export class LedgerLines {
  readonly #columns: LineColumns
  readonly #first: number
  /** the numbers of the positions, by those in the columns; undefined: they are the same */
  readonly #numbers: Int32Array | undefined
  readonly length: number

  constructor(columns: LineColumns, first = 0, length = columns.positions.length, numbers?: Int32Array) {
    this.#columns = columns
    this.#first = first
    this.length = length
    this.#numbers = numbers
  }

  /** Which of the positions a line is of. */
  positionAt(place: number): number {
    const position = this.#columns.positions.small(this.#first + place)
    return this.#numbers === undefined ? position : (this.#numbers[position] as number)
  }

  /** When a line happened, in microseconds. */
  instantAt(place: number): number {
    const { begins, instants } = this.#columns
    return begins + instants.small(this.#first + place)
  }

  isReceiptAt(place: number): boolean {
    return this.#columns.versions.small(this.#first + place) < 0
  }

  /** A line, made when it is looked at: so it lives shortly. */
  at(place: number): LedgerLine {
    const { versions, movements, quantities, weights, volumes } = this.#columns
    const row = this.#first + place
    return {
      position: this.positionAt(place),
      version: Math.abs(versions.small(row)),
      at: this.instantAt(place),
      movement: movements[row] as number,
      quantity: quantities.at(row) as Whole,
      weight: weights.length === 0 ? 0 : (weights.at(row) as Whole),
      volume: volumes.length === 0 ? 0 : (volumes.at(row) as Whole),
    }
  }

  /** The places of all of them. */
  places(): Iterable<number> {
    return new Array(this.length).keys()
  }

  *[Symbol.iterator](): Generator<LedgerLine, void, undefined> {
    for (let place = 0; place < this.length; place++) yield this.at(place)
  }

  /** The place of the first line that happened at an instant or later. */
  placeFrom(instant: number): number {
    let [low, high] = [0, this.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.instantAt(middle) < instant) low = middle + 1
      else high = middle
    }
    return low
  }

  /** The lines from one place until before another. */
  slice(from: number, until: number): LedgerLines {
    return new LedgerLines(this.#columns, this.#first + from, until - from, this.#numbers)
  }

  /** The same lines, whose positions have other numbers. */
  renumbered(numbers: Int32Array): LedgerLines {
    const both = this.#numbers?.map(number => numbers[number] as number) ?? numbers
    return new LedgerLines(this.#columns, this.#first, this.length, both)
  }
}
