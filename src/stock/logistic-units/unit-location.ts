// Where a unit stands that goods are put on: where the goods on it lie already, else where the first of those
// that are put on it want it. Spec 2.14.

import type { ReportFault } from '../../platform/http/entry-faults.ts'
import type { TargetUnit } from './target-units.ts'

/**
 * Decides where a unit stands, and returns the location's id. `wanted` is the location that an entry names;
 * where it names none the unit stays where it is, and a new one, or one of another warehouse, is put `here`.
 * `refuse` is told the fault, as the end of a sentence, and the answer is undefined then.
 */
export function decideUnitLocation(
  unit: TargetUnit,
  wanted: string | null,
  here: string | null,
  refuse: ReportFault,
): string | undefined {
  const { known, warehouseId } = unit
  const name = known?.logisticUnitNumber ?? 'that is new'
  const decided = unit.standsAt ?? unit.warehouseLocationId
  if (decided !== null) {
    if (wanted === null || wanted === decided) return decided
    refuse(
      unit.standsAt === null
        ? `the logistic unit ${name} cannot be put into two locations`
        : `the logistic unit ${name} stands elsewhere with goods on it`,
      'state',
    )
    return undefined
  }
  const own = known?.warehouseId === warehouseId ? known.warehouseLocationId : here
  const location = wanted ?? own
  if (location === null) {
    refuse(`the logistic unit ${name} needs a location to stand in`, 'required')
    return undefined
  }
  unit.warehouseLocationId = location
  return location
}
