// Decides the location of a unit that goods are put on: that of the goods already on it, otherwise the one
// that the first entry for the unit asks for. Spec 2.14.

import { sql, type Tx } from '../../platform/database/db.ts'
import type { FieldFault, ReportFault } from '../../platform/http/entry-faults.ts'
import type { DestinationUnit } from './destination-units.ts'
import { leftWithId } from './left-with.ts'

/** The problem of goods for a unit that cannot come to them, because other goods are on it elsewhere. */
const unitElsewhere = (name: string | undefined): FieldFault => [
  `the logistic unit ${name} stands elsewhere with goods on it`,
  'wrong_place',
]

/**
 * Decides the location of a unit and returns its id. `wanted` is the location that an entry names, if any.
 * Otherwise the unit stays where it is, and one that does not stand in the warehouse goes to the default
 * location. Reports a fault to `refuse`, as the end of a sentence, and then returns undefined.
 */
export function resolveUnitLocation(
  unit: DestinationUnit,
  wanted: string | null,
  defaultLocationId: string | null,
  refuse: ReportFault,
): string | undefined {
  const { known, ownLocationId } = unit
  const name = known?.logisticUnitNumber ?? 'that is new'
  const decided = unit.fixedLocationId ?? unit.warehouseLocationId
  if (decided !== null) {
    if (wanted === null || wanted === decided) return decided
    if (unit.fixedLocationId !== null) refuse(...unitElsewhere(name))
    else refuse(`the logistic unit ${name} cannot be put into two locations`, 'wrong_place')
    return undefined
  }
  const location = wanted ?? ownLocationId ?? defaultLocationId
  if (location === null) {
    refuse(`the logistic unit ${name} needs a location to stand in`, 'required')
    return undefined
  }
  unit.warehouseLocationId = location
  return location
}

/**
 * Lets units that left with the last of their goods stand nowhere. Call it with units that no entry names a
 * location for, before their locations are decided.
 */
export async function forgetPlacesOfLeft(
  tx: Tx,
  organisationId: string,
  units: readonly (DestinationUnit | null | undefined)[],
): Promise<void> {
  const empty = new Set(units.flatMap(unit => (unit?.ownLocationId && unit.known?.isEmpty ? [unit] : [])))
  if (empty.size === 0) return
  const ids = [...empty].flatMap(({ known }) => known?.id ?? [])
  const left = await tx.rows<{ id: string }>(sql`
    select u.id from logistic_unit u
    where u.organisation_id = ${organisationId} and u.id = any(${ids}) and ${leftWithId} is not null`)
  const leftIds = new Set(left.map(({ id }) => id))
  for (const unit of empty) if (leftIds.has(unit.known?.id ?? '')) unit.ownLocationId = null
}
