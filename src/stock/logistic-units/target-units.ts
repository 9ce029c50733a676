// The logistic units that goods are put on: known ones, and those that are made for it. Where the goods lie
// follows from the unit, for a unit stands where the goods on it are. Spec 2.3, 2.14.

import type { Tx } from '../../platform/database/db.ts'
import { refuseViolations } from '../../platform/database/errors.ts'
import type { Problem, ReportEntryFault } from '../../platform/http/entry-faults.ts'
import { duplicate } from '../../platform/http/refusal.ts'
import { placeUnits } from '../ledger/place-units.ts'
import type { LockedStock } from '../ledger/stock-lock.ts'
import { createUnits, findUnits, type LogisticUnitState, type UnitReference } from './unit-references.ts'

/** A unit that goods of an entry are to be put on. */
export interface UnitRequest {
  unit: UnitReference
  partnerId: string
  warehouseId: string
  /** it is made where there is none of that name, without isNew */
  mayBeMade?: boolean
  gs1CompanyPrefix: string | null
}

/** A unit that gets goods. */
export interface TargetUnit extends UnitRequest {
  known: LogisticUnitState | undefined
  /** where it has to stand: where the goods on it lie already, in this warehouse */
  standsAt: string | null
  /** where it is put; set by the caller for each unit that has none to stand at */
  warehouseLocationId: string | null
}

/** The ids, SSCCs and references that a unit is named by, as names that differ from each other. */
const namesOf = ({ partnerId, unit }: UnitRequest): { name: string; unit: UnitReference }[] => [
  ...(unit.logisticUnitId
    ? [{ name: `id ${unit.logisticUnitId.toLowerCase()}`, unit: { logisticUnitId: unit.logisticUnitId } }]
    : []),
  ...(unit.ssccNumber ? [{ name: `SSCC ${unit.ssccNumber}`, unit: { ssccNumber: unit.ssccNumber } }] : []),
  ...(unit.referenceNumber
    ? [
        {
          name: `reference ${partnerId} ${unit.referenceNumber.toLowerCase()}`,
          unit: { referenceNumber: unit.referenceNumber },
        },
      ]
    : []),
]

/**
 * The unit of each wish, one and the same for wishes that name the same. Call it under the lock of the stock;
 * the units are locked too. `refuse` is told the faults of an entry; its
 * unit is undefined then.
 */
export async function resolveTargetUnits(
  tx: Tx,
  { organisationId }: Pick<LockedStock, 'organisationId'>,
  wishes: readonly (UnitRequest | null)[],
  refuse: ReportEntryFault,
): Promise<(TargetUnit | undefined)[]> {
  const named = wishes.filter(wish => wish !== null)
  if (named.length === 0) return wishes.map(() => undefined)
  const references = named.flatMap(wish =>
    namesOf(wish).map(({ unit }) => ({ partnerId: wish.partnerId, unit })),
  )
  const find = await findUnits(tx, organisationId, references)
  const byName = new Map<string, TargetUnit>()
  return wishes.map((wish, entry) => {
    if (wish === null) return undefined
    const names = namesOf(wish)
    const found = names.flatMap(({ unit }) => find(wish.partnerId, unit) ?? [])
    const known = found[0]
    const earlier = names.map(({ name }) => byName.get(name)).find(unit => unit !== undefined)
    const problem = problemOf(wish, names, found, earlier !== undefined)
    if (problem !== null) {
      refuse(entry, ...problem)
      return undefined
    }
    const unit = earlier ?? {
      ...wish,
      known,
      standsAt: known?.isEmpty === false ? known.warehouseLocationId : null,
      warehouseLocationId: null,
    }
    for (const { name } of names) byName.set(name, unit)
    return unit
  })
}

/** Why goods cannot be put on the unit that is wished for; null where they can. */
function problemOf(
  { unit, partnerId, warehouseId, mayBeMade, gs1CompanyPrefix }: UnitRequest,
  names: ReturnType<typeof namesOf>,
  found: readonly LogisticUnitState[],
  isNamedBefore: boolean,
): Problem | null {
  const known = found[0]
  if (known === undefined) {
    if (unit.isNew || isNamedBefore || (mayBeMade && names.length > 0))
      return unit.generateSscc && !gs1CompanyPrefix
        ? ['an SSCC cannot be generated: the client has no gs1CompanyPrefix', 'state']
        : null
    const by = unit.logisticUnitId ?? unit.ssccNumber ?? unit.referenceNumber
    return [
      by ? `there is no logistic unit ${by}; isNew makes one` : 'logisticUnit names no unit',
      'unknown_reference',
    ]
  }
  const { logisticUnitNumber } = known
  if (found.some(({ id }) => id !== known.id))
    return [`logisticUnit names several units, ${logisticUnitNumber} among them`, 'invalid']
  if (unit.isNew)
    return [
      `the logistic unit ${logisticUnitNumber} has the given id, SSCC or reference already`,
      'duplicate',
    ]
  if (known.partnerId !== partnerId)
    return [`the logistic unit ${logisticUnitNumber} is another client's`, 'state']
  if (!known.isEmpty && known.warehouseId !== warehouseId)
    return [`the logistic unit ${logisticUnitNumber} has goods in another warehouse`, 'state']
  return null
}

/**
 * Makes the units that are new and puts the empty ones where they are to stand. Returns the id of each. Call
 * it after everything that can be refused.
 */
export async function createAndPlaceUnits(
  tx: Tx,
  locked: LockedStock,
  units: ReadonlySet<TargetUnit>,
): Promise<Map<TargetUnit, string>> {
  const place = ({ warehouseId, standsAt, warehouseLocationId }: TargetUnit) => ({
    warehouseId,
    warehouseLocationId: (standsAt ?? warehouseLocationId) as string,
  })
  const known = [...units].flatMap(unit => (unit.known ? [{ unit, id: unit.known.id }] : []))
  const fresh = [...units].filter(unit => unit.known === undefined)
  await placeUnits(
    tx,
    locked,
    known
      .filter(({ unit }) => unit.standsAt === null)
      .map(({ unit, id }) => ({ logisticUnitId: id, ...place(unit) })),
  )
  const made = createUnits(
    tx,
    locked,
    fresh.map(unit => ({
      unit: unit.unit,
      partnerId: unit.partnerId,
      gs1CompanyPrefix: unit.gs1CompanyPrefix,
      ...place(unit),
    })),
  )
  const taken = () =>
    duplicate(null, 'A logistic unit with one of these SSCCs, references or ids exists already.')
  const ids = await refuseViolations(made, {
    logistic_unit_sscc_key: taken,
    logistic_unit_reference_key: taken,
    logistic_unit_pkey: taken,
  })
  return new Map([
    ...known.map(({ unit, id }) => [unit, id] as const),
    ...fresh.map((unit, i) => [unit, ids[i] as string] as const),
  ])
}
