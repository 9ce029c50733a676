// The faults of a refused form: which sentence belongs to which field.

import { WaybillError } from '../../client/src/waybill.ts'
import { reasonsOf } from './rehearse.ts'

/** The faults that the service found. */
export interface Faults {
  /** the fault of a field, by its path in the body: `note`, `products[2].items[0].quantity` */
  at: (path: string) => string | undefined
  /** what belongs to no field */
  other: string | undefined
  /** all of them */
  all: readonly string[]
}

/** The faults in a refusal; none without one. */
export function faultsOf(error: unknown): Faults {
  if (error === undefined) return { at: () => undefined, other: undefined, all: [] }
  const details = error instanceof WaybillError ? error.details : []
  const ofFields = new Map(details.flatMap(({ path, message }) => (path === null ? [] : [[path, message]])))
  const others =
    details.length === 0
      ? reasonsOf(error)
      : details.filter(({ path }) => path === null).map(({ message }) => message)
  return {
    at: path => ofFields.get(path),
    other: others.length === 0 ? undefined : others.join(' '),
    all: reasonsOf(error),
  }
}
