// Collects the reasons of one import while it is planned. Pure. Decision 5.

import type { ReasonKind, WaitingReason } from '../events/import-reason.ts'

export type AddReason = (kind: ReasonKind, code: string | null, path: string | null, message: string) => void

/**
 * Collects reasons in the order in which they are found. A code that occurs in several places is one reason;
 * serials and attributes are one reason for each path.
 */
export function collectReasons(): { add: AddReason; all(): WaitingReason[] } {
  const reasons = new Map<string, WaitingReason>()
  return {
    add(kind, code, path, message) {
      const place = kind === 'serial' || kind === 'attribute' ? path : ''
      const key = `${kind}\0${code}\0${message}\0${place}`
      if (!reasons.has(key)) reasons.set(key, { kind, code, message, path })
    },
    all: () => [...reasons.values()],
  }
}

/** A code in an import, with its kind, the noun for that kind in messages, and its path. */
export interface CodeReference {
  kind: ReasonKind
  noun: string
  code: string
  path: string
}

/** The id of the record that a code names. If it is unknown or inactive, adds a reason and returns null. */
export function resolveActiveId(
  { kind, noun, code, path }: CodeReference,
  found: { id: string; isActive: boolean } | undefined,
  addReason: AddReason,
): string | null {
  if (found === undefined) addReason(kind, code, path, `There is no ${noun} with the code ${code}.`)
  else if (!found.isActive) addReason(kind, code, path, `The ${noun} ${code} is inactive.`)
  else return found.id
  return null
}
