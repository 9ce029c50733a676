// Small ways of breaking the service, each with the tests that must notice. They are tried by `npm run mutants`.

/** One small breakage. */
export interface Mutant {
  /** what is broken, in words */
  about: string
  file: string
  /** stands in the file exactly once */
  from: string
  to: string
  /** the test files that must fail with it */
  tests: readonly string[]
}

export const mutants: readonly Mutant[] = []
