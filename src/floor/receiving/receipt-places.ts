// Where received goods go: the location that a receipt names, that of its logistic unit, or the default one.
// Spec 2.3, 2.14.

import type { Tx } from '../../platform/database/db.ts'
import type { FaultCollector, ReportEntryFault } from '../../platform/http/entry-faults.ts'
import {
  findLocations,
  hasLocation,
  type LocationReference,
  type StockLocation,
} from '../../stock/commands/location-reference.ts'
import { type GoodsToPlace, placeGoods } from '../../stock/commands/place-goods.ts'
import {
  type ResolvedUnits,
  resolveUnitsOfCommands,
  type UnitRequest,
} from '../../stock/logistic-units/destination-units.ts'
import { forgetPlacesOfLeft } from '../../stock/logistic-units/unit-location.ts'
import type { Arrival, Receipt } from './receipt.ts'

/** What is read to find the places of receipts. */
export interface PlaceFacts {
  /** the units of each group of receipts */
  units: readonly ResolvedUnits[]
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
  await forgetPlacesOfLeft(tx, organisationId, allUnits)
  const location = await findLocations(tx, organisationId, [
    ...groups.flatMap(({ arrival: { defaultLocationId, consignment }, receipts }) => [
      { warehouseId: consignment.warehouseId, warehouseLocationId: defaultLocationId },
      ...receipts.map(({ location }) => ({ warehouseId: consignment.warehouseId, ...location })),
    ]),
    ...allUnits.flatMap(unit =>
      [unit?.fixedLocationId, unit?.ownLocationId].flatMap(warehouseLocationId =>
        unit && warehouseLocationId ? [{ warehouseId: unit.warehouseId, warehouseLocationId }] : [],
      ),
    ),
  ])
  return { units, location }
}

/** The location of each receipt, undefined only if it has a fault. Decides where their units are put. */
export function findReceiptPlaces(
  { location: find }: PlaceFacts,
  { consignment: { warehouseId }, defaultLocationId }: Arrival,
  receipts: readonly Receipt[],
  { units, faults: unitFaults }: ResolvedUnits,
  faults: FaultCollector,
): (StockLocation | undefined)[] {
  const refuse: ReportEntryFault = (i, ...fault) => faults.add(receipts[i]?.name as string, ...fault)
  for (const fault of unitFaults) refuse(...fault)
  const goods = receipts.map(({ location: named, product, unit }, i): GoodsToPlace => {
    const reference = { warehouseId, ...named }
    const location = hasLocation(reference) ? find(reference) : null
    if (location === undefined)
      refuse(
        i,
        `the warehouse has no location ${named.warehouseLocationId ?? named.locationName}`,
        'unknown_reference',
      )
    return {
      ...{ warehouseId, productId: product.id, location, defaultLocationId },
      unit: unit === null ? null : units[i],
    }
  })
  return placeGoods(goods, find, refuse)
}
