// The reasons of one import, gathered while it is planned. Pure. Open-points 5.

import type { Reason, ReasonKind } from './import-reason.ts'

/** Notes why an import has to wait. */
export type AddReason = (kind: ReasonKind, code: string | null, path: string | null, message: string) => void

/**
 * Gathers reasons in the order in which they are found. The same code in several places is one reason; what a
 * line has too much of or lacks is one for each line.
 */
export function collectReasons(): { add: AddReason; all(): Reason[] } {
  const reasons = new Map<string, Reason>()
  return {
    add(kind, code, path, message) {
      const place = kind === 'serial' || kind === 'attribute' ? path : ''
      const key = `${kind}\0${code}\0${message}\0${place}`
      if (!reasons.has(key)) reasons.set(key, { kind, code, message, path })
    },
    all: () => [...reasons.values()],
  }
}

/** A code of an import: of what kind, in words too, and where it stands. */
export interface CodeReference {
  kind: ReasonKind
  noun: string
  code: string
  path: string
}

/** The id of the record that a code names; null, and a reason, where it is unknown or inactive. */
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
