// Ledger lines stored as columns, so that a year of them needs no object for each line, and a slice of them
// needs no copy. Pure.

import type { ColumnBuffer } from '../evaluator/array-columns.ts'
import type { ExactInteger } from '../evaluator/exact.ts'

/** Figures of stock: quantity and weight in units of 10^-4, volume in units of 10^-6. */
export interface Figures {
  quantity: ExactInteger
  weight: ExactInteger
  volume: ExactInteger
}

export interface LedgerLine extends Figures {
  /** the index of the position */
  position: number
  /** the number of the line within its stock row */
  version: number
  /** when it took effect, in microseconds since 1970 */
  at: number
  /** the number of the movement, whose lines are adjacent */
  movement: number
}

/** The columns of lines, ordered by instant and, at one instant, by movement. */
export interface LineColumns {
  /** the indexes of the positions */
  positions: ColumnBuffer
  /** the numbers of the lines within their stock rows; negative for receipts */
  versions: ColumnBuffer
  /** when they took effect, in microseconds after `begins` */
  instants: ColumnBuffer
  begins: number
  movements: Int32Array
  quantities: ColumnBuffer
  /** empty if all weights are 0; likewise for volumes */
  weights: ColumnBuffer
  volumes: ColumnBuffer
}

/** Ledger lines in chronological order, accessed by their index. */
export class LedgerLines {
  readonly #columns: LineColumns
  readonly #first: number
  /** the indexes of positions, by those in the columns; undefined if they are the same */
  readonly #numbers: Int32Array | undefined
  readonly length: number

  constructor(columns: LineColumns, first = 0, length = columns.positions.length, numbers?: Int32Array) {
    this.#columns = columns
    this.#first = first
    this.length = length
    this.#numbers = numbers
  }

  /** The index of the position of a line. */
  positionAt(index: number): number {
    const position = this.#columns.positions.small(this.#first + index)
    return this.#numbers === undefined ? position : (this.#numbers[position] as number)
  }

  /** When a line took effect, in microseconds since 1970. */
  instantAt(index: number): number {
    const { begins, instants } = this.#columns
    return begins + instants.small(this.#first + index)
  }

  /** Whether a line is a receipt. */
  isReceiptAt(index: number): boolean {
    return this.#columns.versions.small(this.#first + index) < 0
  }

  /** A line as an object, which is created on each access and so is short-lived. */
  at(index: number): LedgerLine {
    const { versions, movements, quantities, weights, volumes } = this.#columns
    const row = this.#first + index
    return {
      position: this.positionAt(index),
      version: Math.abs(versions.small(row)),
      at: this.instantAt(index),
      movement: movements[row] as number,
      quantity: quantities.at(row) as ExactInteger,
      weight: weights.length === 0 ? 0 : (weights.at(row) as ExactInteger),
      volume: volumes.length === 0 ? 0 : (volumes.at(row) as ExactInteger),
    }
  }

  /** The indexes of all lines. */
  indexes(): Iterable<number> {
    return new Array(this.length).keys()
  }

  *[Symbol.iterator](): Generator<LedgerLine, void, undefined> {
    for (let index = 0; index < this.length; index++) yield this.at(index)
  }

  /** The index of the first line that took effect at an instant or later. */
  indexFrom(instant: number): number {
    let [low, high] = [0, this.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.instantAt(middle) < instant) low = middle + 1
      else high = middle
    }
    return low
  }

  /** The lines from one index to before another. */
  slice(from: number, until: number): LedgerLines {
    return new LedgerLines(this.#columns, this.#first + from, until - from, this.#numbers)
  }

  /** The same lines with other indexes of positions. */
  renumbered(numbers: Int32Array): LedgerLines {
    const both = this.#numbers?.map(number => numbers[number] as number) ?? numbers
    return new LedgerLines(this.#columns, this.#first, this.length, both)
  }
}
