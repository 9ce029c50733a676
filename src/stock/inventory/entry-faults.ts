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
      const told = faults.toSorted((a, b) => a.entry - b.entry)
      refuseAll(told.map(({ entry, fault }) => `${nameOf(entry)}: ${fault}.`))
    },
  }
}

/** Where the faults of entries are collected that go by a name (`receipts[2]`), in the order of finding. */
export interface Faults {
  /** notes a fault of an entry, as the end of a sentence */
  add(name: string, fault: string): void
  /** Throws 400 with a sentence for each fault, if there is any. */
  throwIfAny(): void
}

/** Begins to collect the faults of entries that go by a name. */
export function collectFaults(): Faults {
  const faults: string[] = []
  return {
    add: (name, fault) => void faults.push(`${name}: ${fault}.`),
    throwIfAny: () => refuseAll(faults),
  }
}

function refuseAll(faults: readonly string[]): void {
  if (faults.length === 0) return
  const further = faults.length > maxFaults ? ['Further faults are not listed.'] : []
  throw verificationFailed(...faults.slice(0, maxFaults), ...further)
}
