// Columns of many rows as PostgreSQL writes arrays in text, which takes a tenth of the time that rows take.
// Pure.

import { type Whole, whole } from './exact.ts'

/** The items of an array, such as `{a,NULL}`: null is `NULL`. They hold no commas, blanks or quotes. */
export const textItems = (column: string | null): string[] =>
  column === null || column === '{}' ? [] : column.slice(1, -1).split(',')

const [comma, end, minus, zero, nine] = [44, 125, 45, 48, 57]
/** So many digits are always a safe integer. */
const maxDigits = 15

/**
 * The numbers of an array, such as `{1.50,NULL}`, in units of their last place: all items of a column show as
 * many places.
 */
export function wholeItems(column: string | null): (Whole | null)[] {
  const found: (Whole | null)[] = []
  if (column === null || column === '{}') return found
  let [value, digits, isNegative, begin] = [0, 0, false, 1]
  for (let at = 1; at < column.length; at++) {
    const code = column.charCodeAt(at)
    if (code >= zero && code <= nine) {
      value = value * 10 + code - zero
      digits++
    } else if (code === minus) isNegative = true
    else if (code === comma || code === end) {
      if (digits === 0) found.push(null)
      else if (digits > maxDigits) found.push(whole(BigInt(column.slice(begin, at).replace('.', ''))))
      else found.push(isNegative ? 0 - value : value)
      value = 0
      digits = 0
      isNegative = false
      begin = at + 1
    }
  }
  return found
}

/** The same of numbers that are neither null nor large. */
export const smallItems = (column: string | null): number[] => wholeItems(column) as number[]

/** A text of its own: a part of a large one would keep all of that in memory. */
export const ownText = (text: string): string => Buffer.from(text, 'latin1').toString('latin1')

/** More rows than one thing of a page has: a place is the number of the thing times this, and the row's. */
export const maxRows = 10_000_000

/** Rows that belong to things of a page, in whatever order they were read, by their places. */
export class PlacedRows {
  readonly #places: readonly number[]
  /** of each thing, where its rows begin in `#rows` */
  readonly #begins: Int32Array
  readonly #rows: Int32Array

  constructor(places: readonly number[], count: number) {
    this.#places = places
    this.#begins = new Int32Array(count + 1)
    this.#rows = new Int32Array(places.length)
    for (const place of places) (this.#begins[Math.floor(place / maxRows) + 1] as number)++
    for (let n = 0; n < count; n++)
      this.#begins[n + 1] = (this.#begins[n + 1] as number) + (this.#begins[n] as number)
    const next = this.#begins.slice()
    for (let row = 0; row < places.length; row++) {
      const n = Math.floor((places[row] as number) / maxRows)
      this.#rows[next[n] as number] = row
      next[n] = (next[n] as number) + 1
    }
  }

  /** What is made of the rows of one thing, in their order. */
  of<Item>(n: number, make: (row: number) => Item): Item[] {
    const [begin, end] = [this.#begins[n] as number, this.#begins[n + 1] as number]
    const placeAt = (at: number) => this.#places[this.#rows[at] as number] as number
    for (let at = begin + 1; at < end; at++)
      if (placeAt(at) < placeAt(at - 1)) {
        this.#rows
          .subarray(begin, end)
          .sort((a, b) => (this.#places[a] as number) - (this.#places[b] as number))
        break
      }
    const items: Item[] = []
    for (let at = begin; at < end; at++) items.push(make(this.#rows[at] as number))
    return items
  }
}
