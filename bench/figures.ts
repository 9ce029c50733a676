// Prints the results of benchmarks, and sends them to bench/all.ts if that started them.

import process from 'node:process'

/** One line of the table. */
export interface Finding {
  what: string
  figure: string
  target: string
  isMet: boolean
}

/** Prints a result and sends it to bench/all.ts. */
export function reportFinding(finding: Finding): void {
  console.log(`${finding.what}: ${finding.figure} (target ${finding.target})`)
  process.send?.(finding)
}

/** A percentile: the value below which this share of the sorted values lies. */
export const percentile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0

export const median = (values: readonly number[]): number =>
  percentile(
    values.toSorted((a, b) => a - b),
    0.5,
  )
