// Decides the location of a unit that goods are put on: that of the goods already on it, otherwise the one
// that the first entry for the unit asks for. Spec 2.14.

import type { FieldFault, ReportFault } from '../../platform/http/entry-faults.ts'
import type { DestinationUnit } from './destination-units.ts'

/** The problem of goods for a unit that cannot come to them, because other goods are on it elsewhere. */
const unitElsewhere = (name: string | undefined): FieldFault => [
  `the logistic unit ${name} stands elsewhere with goods on it`,
  'wrong_place',
]

/**
 * Decides the location of a unit and returns its id. `wanted` is the location that an entry names, if any.
 * Otherwise the unit stays where it is, and a new unit, or one of another warehouse, goes to the default
 * location. Reports a fault to `refuse`, as the end of a sentence, and then returns undefined.
 */
export function resolveUnitLocation(
  unit: DestinationUnit,
  wanted: string | null,
  defaultLocationId: string | null,
  refuse: ReportFault,
): string | undefined {
  const { known, warehouseId } = unit
  const name = known?.logisticUnitNumber ?? 'that is new'
  const decided = unit.fixedLocationId ?? unit.warehouseLocationId
  if (decided !== null) {
    if (wanted === null || wanted === decided) return decided
    if (unit.fixedLocationId !== null) refuse(...unitElsewhere(name))
    else refuse(`the logistic unit ${name} cannot be put into two locations`, 'wrong_place')
    return undefined
  }
  const own = known?.warehouseId === warehouseId ? known.warehouseLocationId : defaultLocationId
  const location = wanted ?? own
  if (location === null) {
    refuse(`the logistic unit ${name} needs a location to stand in`, 'required')
    return undefined
  }
  unit.warehouseLocationId = location
  return location
}
