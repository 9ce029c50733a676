// Columns of many rows as one text, an array of PostgreSQL or lines, which takes a tenth of the time that
// rows take. Pure.

import { type Whole, whole } from './exact.ts'

/** The items of an array, such as `{a,NULL}`: null is `NULL`. They hold no commas, blanks or quotes. */
export const textItems = (column: string | null): string[] =>
  column === null || column === '{}' ? [] : column.slice(1, -1).split(',')

/** The lines of a column. */
export const textLines = (column: string | null | undefined): string[] =>
  column === null || column === undefined ? [] : column.split('\n')

const [newline, minus, point, zero] = [10, 45, 46, 48]
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
export const integerItems = (column: string | null): number[] => wholeItems(column) as number[]

/** A text of its own: a part of a large one would keep all of that in memory. */
export const detachedText = (text: string): string => Buffer.from(text).toString()

/**
 * The numbers of one column after another, looked at by their place in it: an array, or lines of numbers with
 * blanks between. They stand side by side, without an object for each; `NaN` is null, told by letters, or a
 * number that is kept beside because no double holds it.
 */
export class WholeColumn {
  #numbers: Float64Array = new Float64Array(1024)
  #large: Map<number, Whole> | undefined
  /** of each line, the place of its first number, and behind the last line the length */
  readonly #begins: number[] = []
  length = 0

  /** Reads another column. */
  read(column: string | null | undefined): this {
    const text = column ?? '{}'
    const isArray = text.startsWith('{')
    const end = isArray ? text.length - 1 : text.length
    this.#large = undefined
    this.#begins.length = 0
    this.#begins.push(0)
    let [at, count] = [isArray ? 1 : 0, 0]
    let numbers = this.#numbers
    // Each turn reads a number, unless there is none, and what stands behind it.
    while (at <= end) {
      const begin = at
      const isNegative = text.charCodeAt(at) === minus
      if (isNegative) at++
      let [value, digit] = [0, 0]
      for (; at < end; at++) {
        digit = text.charCodeAt(at) - zero
        if (digit >= 0 && digit <= 9) value = value * 10 + digit
        else if (digit !== point - zero) break
      }
      const isNull = digit > 9
      while (isNull && at < end && text.charCodeAt(at) >= zero) at++
      if (at > begin) {
        if (count === numbers.length) numbers = this.#widen()
        const isLarge = at - begin > maxDigits && !isNull
        if (isLarge) {
          this.#large ??= new Map()
          this.#large.set(count, whole(BigInt(text.slice(begin, at).replace('.', ''))))
        }
        numbers[count] = isNull || isLarge ? Number.NaN : isNegative ? 0 - value : value
        count++
      }
      if (at === end || text.charCodeAt(at) === newline) this.#begins.push(count)
      at++
    }
    this.length = count
    return this
  }

  /** The place of the first number of a line; of the line behind the last one, the length. */
  begin(line: number): number {
    return this.#begins[line] as number
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

  /** The numbers of the lines of a column. */
  numbersOf(column: string | null): Int32Array {
    const lines = textLines(column)
    const numbers = new Int32Array(lines.length)
    for (let n = 0; n < lines.length; n++) {
      const text = lines[n] as string
      numbers[n] = this.#numbers.get(text) ?? this.#add(detachedText(text))
    }
    return numbers
  }

  #add(text: string): number {
    this.#numbers.set(text, this.#texts.length)
    return this.#texts.push(text) - 1
  }
}
