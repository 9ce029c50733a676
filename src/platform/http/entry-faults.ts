// Collects the faults of the entries of a command, so that all of them are reported at once. Spec 7.

import type { ErrorCode, Fault } from './fault.ts'
import { verificationFailed } from './refusal.ts'

/** What is wrong with an entry: the end of a sentence that begins with its name, and a code. */
export type FieldFault = [problem: string, code: ErrorCode]

/** Whether a lookup returned the problem that prevented it instead of its result. */
export const isFieldFault = (found: object | undefined): found is FieldFault => Array.isArray(found)

/** Records a fault of a certain entry. */
export type ReportFault = (...problem: FieldFault) => void

/** Records a fault of the entry with this index. */
export type ReportEntryFault = (entry: number, ...problem: FieldFault) => void

/** Collects the faults of named entries, in the order in which they are found. */
export interface FaultCollector {
  /** Records a fault of an entry. */
  add(name: string, ...problem: FieldFault): void
  /** Throws 400 with a sentence for each fault (`receipts[1]: A-02 is Inactive.`), if there are any. */
  throwIfAny(): void
}

/**
 * Returns an empty collector for the faults of named entries. A name is either the path of the entry in the
 * body, such as `receipts[2]`, or a name in words.
 */
export function collectFaults(names: 'paths' | 'words' = 'paths'): FaultCollector {
  const faults: Fault[] = []
  return {
    add(name, problem, code) {
      const listedAs = `${name}: ${problem}.`
      faults.push(
        names === 'paths'
          ? { path: name, code, message: `${capitalise(problem)}.`, listedAs }
          : { path: null, code, message: listedAs },
      )
    },
    throwIfAny() {
      if (faults.length > 0) throw verificationFailed(...faults)
    },
  }
}

/** Begins a sentence with a capital letter, unless it begins with a name. */
const capitalise = (sentence: string): string =>
  /^[a-z]+[ ,;:]/.test(sentence) ? sentence.charAt(0).toUpperCase() + sentence.slice(1) : sentence

/** Collects the faults of the entries of an array. */
export interface EntryFaultCollector {
  refuse: ReportEntryFault
  /** Returns a function that records the faults of one entry. */
  of(entry: number): ReportFault
  /** Throws 400 with a sentence for each fault, in the order of the entries, if there are any. */
  throwIfAny(): void
}

/** Returns an empty collector for the faults of an array: its name in the body, or how to name an entry. */
export function collectEntryFaults(array: string | ((entry: number) => string)): EntryFaultCollector {
  const found: { entry: number; problem: FieldFault }[] = []
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
