// What is wrong with the entries of a command: collected, and told all at once. Spec 7.

import type { ErrorCode, Fault } from './fault.ts'
import { verificationFailed } from './refusal.ts'

/** What is wrong with an entry: the end of a sentence, and its code. */
export type Problem = [problem: string, code: ErrorCode]

/** Whether what was found in the place of something is why there is none. */
export const isProblem = (found: object | undefined): found is Problem => Array.isArray(found)

/** Notes what is wrong with an entry. */
export type ReportFault = (...problem: Problem) => void

/** Notes what is wrong with the entry of this number. */
export type ReportEntryFault = (entry: number, ...problem: Problem) => void

/** Where the faults of entries are collected that go by a name, in the order of finding. */
export interface FaultCollector {
  /** notes a fault of an entry */
  add(name: string, ...problem: Problem): void
  /** Throws 400 with a sentence for each fault (`receipts[1]: A-02 is Inactive.`), if there is any. */
  throwIfAny(): void
}

/**
 * Begins to collect the faults of entries that go by a name: their path in the body, as `receipts[2]`, or
 * words of ours.
 */
export function collectFaults(names: 'paths' | 'words' = 'paths'): FaultCollector {
  const faults: Fault[] = []
  return {
    add: (name, problem, code) =>
      void faults.push({ path: names === 'paths' ? name : null, code, message: `${name}: ${problem}.` }),
    throwIfAny() {
      if (faults.length > 0) throw verificationFailed(...faults)
    },
  }
}

/** Where the faults of the entries of an array are collected. */
export interface EntryFaultCollector {
  refuse: ReportEntryFault
  /** the faults of one entry */
  of(entry: number): ReportFault
  /** Throws 400 with a sentence for each fault in the order of the entries, if there is any. */
  throwIfAny(): void
}

/** Begins to collect the faults of the array of the body that is called so. */
export function collectEntryFaults(array: string | ((entry: number) => string)): EntryFaultCollector {
  const found: { entry: number; problem: Problem }[] = []
  const refuse: ReportEntryFault = (entry, ...problem) => void found.push({ entry, problem })
  return {
    refuse,
    of:
      entry =>
      (...problem) =>
        refuse(entry, ...problem),
    throwIfAny() {
      const faults = typeof array === 'string' ? collectFaults() : collectFaults('words')
      const nameOf = typeof array === 'string' ? (entry: number) => `${array}[${entry}]` : array
      for (const { entry, problem } of found.toSorted((a, b) => a.entry - b.entry))
        faults.add(nameOf(entry), ...problem)
      faults.throwIfAny()
    },
  }
}
