// What benchmarks have found: printed, and told to bench/all.ts where that has started them.

import process from 'node:process'

/** One line of the table. */
export interface Finding {
  what: string
  figure: string
  target: string
  isMet: boolean
}

/** Tells a finding. */
export function found(finding: Finding): void {
  console.log(`${finding.what}: ${finding.figure} (target ${finding.target})`)
  process.send?.(finding)
}

/** The value that this share of sorted values is not above. */
export const percentile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0

export const median = (values: readonly number[]): number =>
  percentile(
    values.toSorted((a, b) => a - b),
    0.5,
  )
