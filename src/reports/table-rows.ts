// Reads the rows of a table one by one from batches, and sums columns exactly.

/** The texts of the cells of a row. */
export type Row = readonly (string | null)[]

/** Reads rows one by one from batches. */
export class RowReader {
  /** how many rows have been taken */
  count = 0
  readonly #batches: AsyncIterator<readonly Row[]>
  #batch: readonly Row[] = []
  #at = 0

  constructor(batches: AsyncIterable<readonly Row[]>) {
    this.#batches = batches[Symbol.asyncIterator]()
  }

  /** Whether there is a row to take without waiting. */
  get isLoaded(): boolean {
    return this.#at < this.#batch.length
  }

  /** Waits until there is a row to take. Returns false at the end. */
  async hasMore(): Promise<boolean> {
    while (!this.isLoaded) {
      const next = await this.#batches.next()
      if (next.done) return false
      this.#batch = next.value
      this.#at = 0
    }
    return true
  }

  /** Takes the next row. Call it only after `hasMore` or `isLoaded` returned true. */
  take(): Row {
    this.count++
    return this.#batch[this.#at++] as Row
  }
}

/** How many decimal places a sum has. */
export const sumPlaces = 6
const million = 1_000_000n
// A double holds the sum of this many numbers of eleven digits exactly. Adding doubles is faster than adding
// bigints, so this many are summed as doubles before they are added to the total.
const maxPending = 4_096

/** The exact sum of decimals with up to six places. */
export class Sum {
  #total = 0n
  #integerPart = 0
  #millionths = 0
  #pending = 0

  /** Adds a decimal as the database writes it. */
  add(digits: string): void {
    const point = digits.indexOf('.')
    this.#integerPart += Number(point < 0 ? digits : digits.slice(0, point))
    if (point >= 0) {
      const fraction = Number(digits.slice(point + 1).padEnd(sumPlaces, '0'))
      this.#millionths += digits.startsWith('-') ? -fraction : fraction
    }
    if (++this.#pending >= maxPending) this.#flush()
  }

  /** The sum, in millionths. */
  get total(): bigint {
    this.#flush()
    return this.#total
  }

  #flush(): void {
    this.#total += BigInt(this.#integerPart) * million + BigInt(this.#millionths)
    this.#integerPart = 0
    this.#millionths = 0
    this.#pending = 0
  }
}
