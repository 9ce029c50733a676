// Columns of many rows as PostgreSQL writes arrays in text, which takes a tenth of the time that rows take.
// Pure.

import { type Whole, whole } from './exact.ts'

/** The items of an array, such as `{a,NULL}`: null is `NULL`. They hold no commas, blanks or quotes. */
export const textItems = (column: string | null): string[] =>
  column === null || column === '{}' ? [] : column.slice(1, -1).split(',')

const [comma, minus, zero, nine] = [44, 45, 48, 57]
/** So many digits are always a safe integer. */
const maxDigits = 15

/**
 * The numbers of an array, such as `{1.50,NULL}`, in units of their last place: all items of a column show as
 * many places.
 */
export function wholeItems(column: string | null): (Whole | null)[] {
  const numbers = new WholeColumn().read(column)
  return Array.from({ length: numbers.length }, (_, place) => numbers.at(place))
}

/** The same of numbers that are neither null nor large. */
export const smallItems = (column: string | null): number[] => wholeItems(column) as number[]

/** A text of its own: a part of a large one would keep all of that in memory. */
export const ownText = (text: string): string => Buffer.from(text, 'latin1').toString('latin1')

/**
 * The numbers of one array after another, looked at by their place in it. They stand side by side, without an
 * object for each; `NaN` is null, or a number that is kept beside because no double holds it.
 */
export class WholeColumn {
  #numbers: Float64Array = new Float64Array(1024)
  #large: Map<number, Whole> | undefined
  length = 0

  /** Reads another array. */
  read(column: string | null | undefined): this {
    const text = column ?? '{}'
    const end = text.length - 1
    this.#large = undefined
    let [count, value, isNull, isNegative, begin] = [0, 0, false, false, 1]
    let numbers = this.#numbers
    for (let at = 1; at <= end; at++) {
      const code = at === end ? comma : text.charCodeAt(at)
      if (code >= zero) {
        if (code <= nine) value = value * 10 + (code - zero)
        else isNull = true
      } else if (code === minus) isNegative = true
      else if (code === comma && at > begin) {
        if (count === numbers.length) numbers = this.#widen()
        const isLarge = at - begin > maxDigits && !isNull
        if (isLarge) {
          this.#large ??= new Map()
          this.#large.set(count, whole(BigInt(text.slice(begin, at).replace('.', ''))))
        }
        numbers[count] = isNull || isLarge ? Number.NaN : isNegative ? 0 - value : value
        count++
        value = 0
        isNull = false
        isNegative = false
        begin = at + 1
      }
    }
    this.length = count
    return this
  }

  #widen(): Float64Array {
    const numbers = new Float64Array(2 * this.#numbers.length)
    numbers.set(this.#numbers)
    this.#numbers = numbers
    return numbers
  }

  /** The number at a place; null where there is none. */
  at(place: number): Whole | null {
    const number = this.#numbers[place] as number
    return Number.isNaN(number) ? (this.#large?.get(place) ?? null) : number
  }

  /** The same of a column whose numbers are neither null nor large. */
  small(place: number): number {
    return this.#numbers[place] as number
  }
}

/** Texts that come again and again, each with a number. */
export class TextNumbers {
  readonly #texts: string[] = []
  readonly #numbers = new Map<string, number>()

  /** How many texts there are. */
  get size(): number {
    return this.#texts.length
  }

  /** The text of a number. */
  text(number: number): string {
    return this.#texts[number] as string
  }

  /** The numbers of the items of a column, texts without commas. */
  numbersOf(column: string | null): Int32Array {
    const items = textItems(column)
    const numbers = new Int32Array(items.length)
    for (let n = 0; n < items.length; n++) {
      const text = items[n] as string
      numbers[n] = this.#numbers.get(text) ?? this.#add(ownText(text))
    }
    return numbers
  }

  #add(text: string): number {
    this.#numbers.set(text, this.#texts.length)
    return this.#texts.push(text) - 1
  }
}

/** More rows than one thing of a page has: a place is the number of the thing times this, and the row's. */
export const maxRows = 10_000_000

/** Rows that belong to things of a page, in whatever order they were read, by their places. */
export class PlacedRows {
  /** of each thing, where its rows begin */
  readonly #begins: Int32Array
  /** the rows in order; undefined: they were read in order */
  readonly #rows: Int32Array | undefined

  constructor(places: WholeColumn, count: number) {
    this.#begins = new Int32Array(count + 1)
    let isInOrder = true
    for (let row = 0; row < places.length; row++) {
      ;(this.#begins[Math.floor(places.small(row) / maxRows) + 1] as number)++
      if (row > 0 && places.small(row) < places.small(row - 1)) isInOrder = false
    }
    for (let n = 0; n < count; n++)
      this.#begins[n + 1] = (this.#begins[n + 1] as number) + (this.#begins[n] as number)
    if (isInOrder) return
    this.#rows = Int32Array.from({ length: places.length }, (_, row) => row)
    this.#rows.sort((a, b) => places.small(a) - places.small(b))
  }

  /** Where the rows of a thing begin, and where those of the next. */
  begin(n: number): number {
    return this.#begins[n] as number
  }

  /** The row that stands at a position of all. */
  rowAt(position: number): number {
    return this.#rows === undefined ? position : (this.#rows[position] as number)
  }
}
