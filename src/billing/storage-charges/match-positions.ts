// Which rate charge a position goes to: wholly to the first whose selectors hold and that can measure it.
// Pure.

import { RateMetric, UnratedReason } from '../enumerations.ts'
import { attributeKey, type CompiledCharge, type CompiledRate } from '../rate-cards/compiled-card.ts'
import { type FoundValue, selectorHolds } from '../rate-cards/match.ts'
import { unitOf } from '../rate-cards/metrics.ts'
import type { KnownFigures } from './known-figures.ts'
import {
  factOf,
  type Position,
  type StorageFacts,
  type StoredLocation,
  type StoredProduct,
} from './stock-history.ts'

/** A position with what is known of it. */
interface PositionDetails {
  warehouseId: string
  position: Position
  product: StoredProduct
  location: StoredLocation
  known: KnownFigures
}

/** What stands in the place of each selector; goods in store have nothing in the place of any other. */
const foundIn: Partial<Record<string, (described: PositionDetails) => FoundValue>> = {
  warehouseIds: ({ warehouseId }) => warehouseId,
  productIds: ({ position }) => position.productId,
  productGroupIds: ({ product }) => product.productGroupId,
  productAttributes: ({ position }) =>
    position.attributes.map(one => attributeKey(one.productAttributeId, one.description ?? '')),
  dgHazardClassIds: ({ product }) => product.dgHazardClassIds,
  zoneIds: ({ location }) => location.zoneId,
  locationIds: ({ position }) => position.locationId,
  locationTypes: ({ location }) => location.type,
}

function matches({ headerSelectors, partSelectors }: CompiledCharge, described: PositionDetails): boolean {
  for (const selectors of [headerSelectors, partSelectors])
    for (const selector of selectors)
      if (!selectorHolds(selector, foundIn[selector.name]?.(described))) return false
  return true
}

/**
 * Loose goods fill no logistic unit, a product may lack the unit that is charged, and of some goods nobody
 * knows the weight or volume: that is never 0.
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

/** The charge that takes a position, or why none does. */
export type ChargeOrReason = CompiledCharge | UnratedReason

/** Goods as charges look at them: each position with what is known of it. */
export interface Goods {
  facts: StorageFacts
  described: readonly PositionDetails[]
}

/** Describes positions, whose figures the ledger knows or does not. */
export const describeGoods = (
  warehouseId: string,
  positions: readonly Position[],
  known: readonly KnownFigures[],
  facts: StorageFacts,
): Goods => ({
  facts,
  described: positions.map((position, at) => ({
    warehouseId,
    position,
    known: known[at] as KnownFigures,
    product: factOf(facts.products, position.productId),
    location: factOf(facts.locations, position.locationId),
  })),
})

/** Finds the taker of positions, by their numbers, among the charges of a rate. */
export function chargeFinder(rate: CompiledRate, goods: Pick<Goods, 'described'>) {
  return (at: number): ChargeOrReason => {
    const positions = goods.described[at] as PositionDetails
    let reason: UnratedReason = UnratedReason.NothingMatches
    for (const charge of rate.charges) {
      if (!matches(charge, positions)) continue
      if (isMeasurable(charge, positions)) return charge
      reason = UnratedReason.NotMeasured
    }
    return reason
  }
}
