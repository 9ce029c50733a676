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

/** A sentence without the name that the API gives the field, for it stands at the field. */
function atField(path: string, message: string): string {
  if (!message.startsWith(`${path} `)) return message
  const rest = message.slice(path.length + 1)
  return rest.charAt(0).toUpperCase() + rest.slice(1)
}

/** The faults in a refusal; none without one. */
export function faultsOf(error: unknown): Faults {
  if (error === undefined) return { at: () => undefined, other: undefined, all: [] }
  const details = error instanceof WaybillError ? error.details : []
  const ofFields = new Map(
    details.flatMap(({ path, message }) => (path === null ? [] : [[path, atField(path, message)]])),
  )
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
