// What a mutant is.

/** One small breakage. */
export interface Mutant {
  /** what is broken, in words */
  about: string
  file: string
  /** stands in the file exactly once */
  from: string
  to: string
  /** the test files that must fail with it; the first are run first */
  tests: readonly string[]
}
