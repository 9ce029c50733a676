// The results of benchmarks: printed, and sent to bench/all.ts when that has started them.

import process from 'node:process'

/** One line of the table. */
export interface Finding {
  what: string
  figure: string
  target: string
  isMet: boolean
}

/** Prints a finding and sends it to bench/all.ts. */
export function reportFinding(finding: Finding): void {
  console.log(`${finding.what}: ${finding.figure} (target ${finding.target})`)
  process.send?.(finding)
}

/** The value below which this share of the sorted values lies. */
export const percentile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0

export const median = (values: readonly number[]): number =>
  percentile(
    values.toSorted((a, b) => a - b),
    0.5,
  )
