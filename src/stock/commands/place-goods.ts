// Where goods that come in go: the location that an entry names, that of its logistic unit, or a default one.
// Spec 2.3, 2.14.

import type { FieldFault, ReportEntryFault } from '../../platform/http/entry-faults.ts'
import type { DestinationUnit } from '../logistic-units/destination-units.ts'
import { resolveUnitLocation } from '../logistic-units/unit-location.ts'
import {
  inactiveRefusal,
  type LocationReference,
  placementRefusal,
  type StockLocation,
} from './location-reference.ts'

/** Goods of an entry, and what it says of their place. */
export interface GoodsToPlace {
  warehouseId: string
  productId: string
  /** the location that the entry names, null for none; undefined if there is none of that name */
  location: StockLocation | null | undefined
  /** the unit that they are put on, null for none; undefined if they can be put on none */
  unit: DestinationUnit | null | undefined
  /** where they go if nothing else tells; null if something has to */
  defaultLocationId: string | null
  /** whether a count found them there, so that it does not matter what the place is for */
  isFound?: boolean | undefined
}

/** Finds a location that was read. */
type FindLocation = (reference: LocationReference) => StockLocation | undefined

/**
 * The location of the goods of each entry, undefined if they cannot be placed. Decides where their units are
 * put: a location that one entry names for a unit also counts for the entries on it that name none.
 */
export function placeGoods(
  goods: readonly GoodsToPlace[],
  find: FindLocation,
  refuse: ReportEntryFault,
): (StockLocation | undefined)[] {
  const named = new Map(goods.flatMap(({ location }) => (location ? [[location.id, location]] : [])))
  const findNamed: FindLocation = reference =>
    named.get(reference.warehouseLocationId ?? '') ?? find(reference)
  const places = new Map<GoodsToPlace, StockLocation | undefined>()
  const faults = new Map<GoodsToPlace, FieldFault>()
  const [naming, others] = [goods.filter(({ location }) => location), goods.filter(one => !one.location)]
  for (const one of [...naming, ...others])
    places.set(
      one,
      placeOf(one, findNamed, (...fault) => faults.set(one, fault)),
    )
  for (const [i, one] of goods.entries()) {
    const fault = faults.get(one)
    if (fault) refuse(i, ...fault)
  }
  return goods.map(one => places.get(one))
}

function placeOf(
  { warehouseId, productId, location, unit, defaultLocationId, isFound = false }: GoodsToPlace,
  find: FindLocation,
  refuse: (...fault: FieldFault) => void,
): StockLocation | undefined {
  if (location === undefined) return undefined
  const nameOf = (warehouseLocationId: string) => find({ warehouseId, warehouseLocationId })?.name
  const decided = unit ? (unit.fixedLocationId ?? unit.warehouseLocationId) : null
  if (location && decided !== null && decided !== location.id) {
    refuse(`its logistic unit stands in ${nameOf(decided)}, not in ${location.name}`, 'wrong_place')
    return undefined
  }
  const warehouseLocationId = unit
    ? resolveUnitLocation(unit, location?.id ?? null, defaultLocationId, refuse)
    : (location?.id ?? defaultLocationId)
  if (warehouseLocationId === null && unit === null)
    refuse('say where it is, by warehouseLocationId, locationName or logisticUnit', 'required')
  const place = warehouseLocationId ? find({ warehouseId, warehouseLocationId }) : undefined
  const refusal = place && (isFound ? inactiveRefusal(place) : placementRefusal(place, productId))
  if (refusal) refuse(`${place.name} ${refusal}`, 'wrong_place')
  return place
}
