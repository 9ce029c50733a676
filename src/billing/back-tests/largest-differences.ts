// Keeps the consignments with the largest differences. Pure.

import { type ExactInteger, subtract } from '../evaluator/exact.ts'
import type { Bill } from './bill.ts'

/** The maximum number of differences that are kept. */
export const maxKeptDifferences = 10_000

/** A consignment whose two bills differ. Amounts are in cents. */
export interface Difference {
  consignmentId: string
  closingNumber: number
  partnerId: string
  /** the number of earlier adjustments */
  adjustments: number
  before: ExactInteger
  after: ExactInteger
  bills: readonly [before: Bill, after: Bill]
}

/** The absolute size of a difference, in cents. */
const sizeOf = ({ before, after }: Sums): ExactInteger => {
  const difference = subtract(after, before)
  return difference < 0 ? subtract(0, difference) : difference
}

/** Larger differences first; equal ones in the order of their consignments. */
const bySize = (a: Difference, b: Difference): number => {
  const [first, second] = [sizeOf(a), sizeOf(b)]
  if (first !== second) return first < second ? 1 : -1
  return a.consignmentId < b.consignmentId ? -1 : 1
}

/** The sums of a difference, in cents. */
type Sums = Pick<Difference, 'before' | 'after'>

/** Collects differences and keeps the largest. */
export class LargestDifferences {
  #kept: Difference[] = []
  /** smaller differences are not kept */
  #threshold: ExactInteger = 0

  /** Keeps a difference if it may be one of the largest. */
  keep(sums: Sums, make: () => Omit<Difference, keyof Sums>): void {
    if (sizeOf(sums) < this.#threshold) return
    this.#kept.push({ ...make(), ...sums })
    if (this.#kept.length < 2 * maxKeptDifferences) return
    this.#kept = this.all()
    this.#threshold = sizeOf(this.#kept.at(-1) as Difference)
  }

  /** The largest differences, the largest first. */
  all(): Difference[] {
    return this.#kept.toSorted(bySize).slice(0, maxKeptDifferences)
  }
}
