// What is wrong with the entries of a command: collected, and told all at once in their order. Spec 7.

import { verificationFailed } from '../../platform/http/refusal.ts'

/** Notes a fault of an entry, as the end of a sentence. */
export type Refuse = (entry: number, fault: string) => void

/** Where the faults of the entries of an array are collected. */
export interface EntryFaults {
  refuse: Refuse
  /** the faults of one entry */
  of(entry: number): (fault: string) => void
  /** Throws 400 with a sentence for each fault (`transfers[1]: A-02 is Inactive.`), if there is any. */
  throwIfAny(): void
}

/** Begins to collect the faults of the array that is called so. */
export function faultsIn(array: string): EntryFaults {
  const faults: { entry: number; fault: string }[] = []
  const refuse = (entry: number, fault: string) => void faults.push({ entry, fault })
  return {
    refuse,
    of: entry => fault => refuse(entry, fault),
    throwIfAny() {
      if (faults.length === 0) return
      const told = faults.toSorted((a, b) => a.entry - b.entry)
      throw verificationFailed(...told.map(({ entry, fault }) => `${array}[${entry}]: ${fault}.`))
    },
  }
}
