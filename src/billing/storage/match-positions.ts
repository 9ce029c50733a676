// Finds the rate charge for a position: the first charge of a rate whose selectors match and that can measure
// it takes the whole position. Pure.

import { RateMetric, UnratedReason } from '../../vocabulary/billing.ts'
import { attributeKey, type CompiledCharge, type CompiledRate } from '../evaluator/compiled-card.ts'
import { type FoundValue, selectorHolds } from '../evaluator/match.ts'
import { unitOf } from '../evaluator/metrics.ts'
import type { KnownFigures } from './known-figures.ts'
import {
  factOf,
  type Position,
  type StorageFacts,
  type StorageProduct,
  type StoredLocation,
} from './stock-history.ts'

/** A position with the facts that charges look at. */
interface PositionDetails {
  warehouseId: string
  position: Position
  product: StorageProduct
  location: StoredLocation
  known: KnownFigures
}

/** The value of a position for each selector; goods in store have no value for other selectors. */
const positionValues: Partial<Record<string, (details: PositionDetails) => FoundValue>> = {
  warehouseIds: ({ warehouseId }) => warehouseId,
  productIds: ({ position }) => position.productId,
  productGroupIds: ({ product }) => product.productGroupId,
  productAttributes: ({ position }) =>
    position.attributes.map(({ productAttributeId, description }) =>
      attributeKey(productAttributeId, description ?? ''),
    ),
  dgHazardClassIds: ({ product }) => product.dgHazardClassIds,
  zoneIds: ({ location }) => location.zoneId,
  locationIds: ({ position }) => position.locationId,
  locationTypes: ({ location }) => location.type,
}

function matches({ headerSelectors, partSelectors }: CompiledCharge, details: PositionDetails): boolean {
  for (const selectors of [headerSelectors, partSelectors])
    for (const selector of selectors)
      if (!selectorHolds(selector, positionValues[selector.name]?.(details))) return false
  return true
}

/**
 * Whether a charge can measure a position. Loose goods fill no logistic unit, a product may lack the unit
 * that is charged, and an unknown weight or volume is never taken as 0.
 */
function isMeasurable(charge: CompiledCharge, { position, product, known }: PositionDetails): boolean {
  switch (charge.metric) {
    case RateMetric.LogisticUnits:
      return position.logisticUnitId !== null
    case RateMetric.VirtualPallet:
    case RateMetric.UnitType:
      return unitOf(charge, { facts: product }) !== undefined
    case RateMetric.WeightKG:
      return known.weight
    case RateMetric.VolumeM3:
      return known.volume
    default:
      return true
  }
}

/** The charge that takes a position, or the reason why none does. */
export type ChargeOrReason = CompiledCharge | UnratedReason

/** Positions with the facts that charges look at. */
export interface Goods {
  facts: StorageFacts
  details: readonly PositionDetails[]
}

/** Combines positions with their facts and known figures. */
export const describeGoods = (
  warehouseId: string,
  positions: readonly Position[],
  known: readonly KnownFigures[],
  facts: StorageFacts,
): Goods => ({
  facts,
  details: positions.map((position, at) => ({
    warehouseId,
    position,
    known: known[at] as KnownFigures,
    product: factOf(facts.products, position.productId),
    location: factOf(facts.locations, position.locationId),
  })),
})

/** Returns a function that finds the charge of a rate that takes a position, given its index. */
export function chargeFinder(rate: CompiledRate, goods: Pick<Goods, 'details'>) {
  return (at: number): ChargeOrReason => {
    const positions = goods.details[at] as PositionDetails
    let reason: UnratedReason = UnratedReason.NothingMatches
    for (const charge of rate.charges) {
      if (!matches(charge, positions)) continue
      if (isMeasurable(charge, positions)) return charge
      reason = UnratedReason.NotMeasured
    }
    return reason
  }
}
