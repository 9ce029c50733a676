// The rows of a table while they pass: taken one by one out of the batches in which they come, and summed.

/** The texts of the cells of a row. */
export type Row = readonly (string | null)[]

/** Takes rows out of batches. */
export class RowReader {
  /** how many were taken */
  count = 0
  readonly #batches: AsyncIterator<readonly Row[]>
  #batch: readonly Row[] = []
  #at = 0

  constructor(batches: AsyncIterable<readonly Row[]>) {
    this.#batches = batches[Symbol.asyncIterator]()
  }

  /** There is a row to take without waiting. */
  get isLoaded(): boolean {
    return this.#at < this.#batch.length
  }

  /** Waits until there is a row to take; false where there are no more. */
  async hasMore(): Promise<boolean> {
    while (!this.isLoaded) {
      const next = await this.#batches.next()
      if (next.done) return false
      this.#batch = next.value
      this.#at = 0
    }
    return true
  }

  /** The next row. Ask before whether there is one. */
  take(): Row {
    this.count++
    return this.#batch[this.#at++] as Row
  }
}

/** Decimals of a sum. */
export const sumPlaces = 6
const million = 1_000_000n
// So many numbers of eleven digits are added exactly before they go into the sum.
const maxPending = 4_096

/** An exact sum of decimals of up to six places. */
export class Sum {
  #total = 0n
  #whole = 0
  #parts = 0
  #pending = 0

  /** Adds a decimal as the database writes it. */
  add(digits: string): void {
    const point = digits.indexOf('.')
    this.#whole += Number(point < 0 ? digits : digits.slice(0, point))
    if (point >= 0) {
      const part = Number(digits.slice(point + 1).padEnd(sumPlaces, '0'))
      this.#parts += digits.startsWith('-') ? -part : part
    }
    if (++this.#pending >= maxPending) this.#settle()
  }

  /** The sum, in millionths. */
  get total(): bigint {
    this.#settle()
    return this.#total
  }

  #settle(): void {
    this.#total += BigInt(this.#whole) * million + BigInt(this.#parts)
    this.#whole = 0
    this.#parts = 0
    this.#pending = 0
  }
}
