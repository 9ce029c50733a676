// Where received goods go: the location that a receipt names, that of its logistic unit, or the default one.
// Spec 2.3, 2.14.

import { sql, type Tx } from '../../platform/database/db.ts'
import type { FaultCollector } from '../../platform/http/entry-faults.ts'
import {
  findLocations,
  hasLocation,
  type LocationReference,
  placementRefusal,
  type StockLocation,
} from '../../stock/commands/location-reference.ts'
import {
  type DestinationUnit,
  type ResolvedUnits,
  resolveUnitsOfCommands,
  type UnitRequest,
} from '../../stock/logistic-units/destination-units.ts'
import { leftWithId } from '../../stock/logistic-units/left-with.ts'
import type { Arrival, Receipt } from './receipt.ts'

/** What is read to find the places of receipts. */
export interface PlaceFacts {
  /** the units of each group of receipts */
  units: readonly ResolvedUnits[]
  /** where units without goods stand, by their id */
  emptyUnits: ReadonlyMap<string, { warehouseId: string; locationId: string }>
  location(reference: LocationReference): StockLocation | undefined
}

/** The unit that each receipt asks for, null for none. */
export const unitRequestsOf = (
  { consignment: { warehouseId } }: Arrival,
  receipts: readonly Receipt[],
): (UnitRequest | null)[] =>
  receipts.map(({ unit, product: { partnerId, gs1CompanyPrefix }, isUnitAnnounced: mayBeCreated }) =>
    unit === null ? null : { unit, partnerId, warehouseId, mayBeCreated, gs1CompanyPrefix },
  )

/** Reads what is needed to place groups of receipts. It locks their units: call it under the stock lock. */
export async function readReceiptPlaces(
  tx: Tx,
  organisationId: string,
  groups: readonly { arrival: Arrival; receipts: readonly Receipt[] }[],
): Promise<PlaceFacts> {
  const units = await resolveUnitsOfCommands(
    tx,
    organisationId,
    groups.map(({ arrival, receipts }) => unitRequestsOf(arrival, receipts)),
  )
  const allUnits = units.flatMap(resolved => resolved.units)
  const emptyUnits = await placesOfEmptyUnits(tx, organisationId, allUnits)
  const location = await findLocations(tx, organisationId, [
    ...groups.flatMap(({ arrival: { defaultLocationId, consignment }, receipts }) => [
      { warehouseId: consignment.warehouseId, warehouseLocationId: defaultLocationId },
      ...receipts.map(({ location }) => ({ warehouseId: consignment.warehouseId, ...location })),
    ]),
    ...[...emptyUnits.values()].map(({ warehouseId, locationId }) => ({
      ...{ warehouseId, warehouseLocationId: locationId },
    })),
    ...allUnits.flatMap(unit =>
      unit?.fixedLocationId
        ? [{ warehouseId: unit.warehouseId, warehouseLocationId: unit.fixedLocationId }]
        : [],
    ),
  ])
  return { units, emptyUnits, location }
}

/**
 * Where units without goods stand, by their id. One that left with its goods does not stand where it left
 * from.
 */
async function placesOfEmptyUnits(
  tx: Tx,
  organisationId: string,
  units: readonly (DestinationUnit | undefined)[],
): Promise<PlaceFacts['emptyUnits']> {
  const unitIds = units.flatMap(unit => (unit?.known?.isEmpty ? [unit.known.id] : []))
  if (unitIds.length === 0) return new Map()
  const rows = await tx.rows<{ id: string; warehouseId: string; locationId: string }>(sql`
    select u.id, u.warehouse_id, u.warehouse_location_id as location_id from logistic_unit u
    where u.organisation_id = ${organisationId} and u.id = any(${unitIds})
      and ${leftWithId} is null`)
  return new Map(rows.map(({ id, ...place }) => [id, place]))
}

/** The location of each receipt, undefined only if it has a fault. Sets where their units are put. */
export function placeReceipts(
  { emptyUnits, location: find }: PlaceFacts,
  { consignment: { warehouseId }, defaultLocationId }: Arrival,
  receipts: readonly Receipt[],
  { units, faults: unitFaults }: ResolvedUnits,
  faults: FaultCollector,
): (StockLocation | undefined)[] {
  for (const [entry, ...fault] of unitFaults) faults.add(receipts[entry]?.name as string, ...fault)
  const byId = (warehouseLocationId: string) => ({ warehouseId, warehouseLocationId })
  const ownPlaceOf = (unit: DestinationUnit) => {
    const own = emptyUnits.get(unit.known?.id ?? '')
    return own?.warehouseId === warehouseId ? own.locationId : undefined
  }
  // A location that one receipt names for a unit also counts for receipts on that unit that name none.
  const namedPlaces = receipts.map(({ name, location }, i) => {
    const reference = { warehouseId, ...location }
    if (!hasLocation(reference)) return undefined
    const place = find(reference)
    if (place === undefined)
      faults.add(
        name,
        `the warehouse has no location ${location.warehouseLocationId ?? location.locationName}`,
        'unknown_reference',
      )
    const unit = units[i]
    if (unit !== undefined && place !== undefined) unit.warehouseLocationId ??= place.id
    return place
  })
  return receipts.map(({ name, location, product }, i) => {
    const [place, unit] = [namedPlaces[i], units[i]]
    if (place === undefined && hasLocation({ warehouseId, ...location })) return undefined
    if (unit) unit.warehouseLocationId ??= ownPlaceOf(unit) ?? defaultLocationId
    const stands = unit && find(byId(unit.fixedLocationId ?? (unit.warehouseLocationId as string)))
    if (place && stands && place.id !== stands.id)
      faults.add(name, `its logistic unit stands in ${stands.name}, not in ${place.name}`, 'wrong_place')
    const final = stands ?? place ?? find(byId(defaultLocationId))
    const refusal = final && placementRefusal(final, product.id)
    if (refusal) faults.add(name, `${final.name} ${refusal}`, 'wrong_place')
    return final
  })
}
