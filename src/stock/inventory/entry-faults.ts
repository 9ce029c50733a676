// What is wrong with the entries of a command: collected, and told all at once in their order. Spec 7.

import { maxFaults, verificationFailed } from '../../platform/http/refusal.ts'

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

/** Begins to collect the faults of an array that is called so, or whose entries are. */
export function faultsIn(array: string | ((entry: number) => string)): EntryFaults {
  const nameOf = typeof array === 'string' ? (entry: number) => `${array}[${entry}]` : array
  const faults: { entry: number; fault: string }[] = []
  const refuse = (entry: number, fault: string) => void faults.push({ entry, fault })
  return {
    refuse,
    of: entry => fault => refuse(entry, fault),
    throwIfAny() {
      if (faults.length === 0) return
      const told = faults.toSorted((a, b) => a.entry - b.entry)
      throw verificationFailed(
        ...told.slice(0, maxFaults).map(({ entry, fault }) => `${nameOf(entry)}: ${fault}.`),
        ...(told.length > maxFaults ? ['Further faults are not listed.'] : []),
      )
    },
  }
}
