// Measures goods in store: their quantity, weight or volume, units of them, or the places that they fill.
// Pure.
//
// A meter counts in whole parts of a unit. The number of parts in a unit suits every product: with thirds of
// one pallet and halves of another, the parts are sixths. So sums are exact, and are rounded only once a day.

import { RateMetric } from '../../vocabulary/billing.ts'
import type { CompiledCharge } from '../evaluator/compiled-card.ts'
import {
  add,
  commonMultiple,
  divideDown,
  type ExactInteger,
  type Fraction,
  multiply,
  powerOfTen,
  reduceFraction,
} from '../evaluator/exact.ts'
import { unitOf } from '../evaluator/metrics.ts'
import type { Figures } from './ledger-lines.ts'
import { factOf, type Position, type StorageFacts } from './stock-history.ts'

/** Adds up a metric as goods come and go. */
export interface StockMeter {
  add(position: number, figures: Figures): void
  /** the current total, in parts */
  total(): ExactInteger
}

/** How the goods of a group are measured. */
export interface Metering {
  /** the number of parts in one unit of the metric */
  parts: ExactInteger
  /** creates a meter with a total of 0 */
  start(): StockMeter
}

const placeOf: Partial<Record<RateMetric, (position: Position) => string>> = {
  [RateMetric.LogisticUnits]: ({ logisticUnitId }) => logisticUnitId ?? '',
  [RateMetric.Locations]: ({ locationId }) => locationId,
}

/** Counts the places that are not empty. */
function placesMeter(placeAt: (position: number) => string): StockMeter {
  const quantities = new Map<string, ExactInteger>()
  let filled = 0
  return {
    add(position, { quantity }) {
      const place = placeAt(position)
      const before = quantities.get(place) ?? 0
      const after = add(before, quantity)
      quantities.set(place, after)
      filled += Number(after > 0) - Number(before > 0)
    },
    total: () => filled,
  }
}

const figureOf: Partial<Record<RateMetric, { figure: keyof Figures; places: number }>> = {
  [RateMetric.WeightKG]: { figure: 'weight', places: 4 },
  [RateMetric.VolumeM3]: { figure: 'volume', places: 6 },
}
const quantity = { figure: 'quantity', places: 4 } as const

/** The fraction of a unit that 10^-4 of an item of a product is, for a metric that counts units. */
function shareOf(charge: CompiledCharge, productId: string, facts: StorageFacts): Fraction {
  const unit = unitOf(charge, { facts: factOf(facts.products, productId) })
  const { numerator, denominator } = unit ?? { numerator: 1, denominator: 1 }
  return reduceFraction({ numerator, denominator: multiply(denominator, powerOfTen(quantity.places)) })
}

/** Adds up a figure, multiplied by the parts of each position; 1 if `partsOf` lacks it. */
function sumMeter(figure: keyof Figures, partsOf: ReadonlyMap<number, ExactInteger>): StockMeter {
  let sum: ExactInteger = 0
  return {
    add(position, figures) {
      sum = add(sum, multiply(figures[figure], partsOf.get(position) ?? 1))
    },
    total: () => sum,
  }
}

/** Adds up quantities, in units of 10^-4. */
export const quantityMeter = (): StockMeter => sumMeter('quantity', new Map())

/** How a charge measures a group of positions, all of which must have the measure. */
export function meteringOf(
  charge: CompiledCharge,
  positions: readonly Position[],
  group: readonly number[],
  facts: StorageFacts,
): Metering {
  const at = (position: number) => positions[position] as Position
  const place = placeOf[charge.metric]
  if (place !== undefined) return { parts: 1, start: () => placesMeter(position => place(at(position))) }
  const { figure, places } = figureOf[charge.metric] ?? quantity
  const isOfUnits = charge.metric === RateMetric.VirtualPallet || charge.metric === RateMetric.UnitType
  if (!isOfUnits) return { parts: powerOfTen(places), start: () => sumMeter(figure, new Map()) }
  const shares = new Map<string, Fraction>()
  for (const position of group) {
    const { productId } = at(position)
    if (!shares.has(productId)) shares.set(productId, shareOf(charge, productId, facts))
  }
  let parts: ExactInteger = 1
  for (const { denominator } of shares.values()) parts = commonMultiple(parts, denominator)
  const ofProduct = new Map<string, ExactInteger>()
  for (const [product, { numerator, denominator }] of shares)
    ofProduct.set(product, multiply(numerator, divideDown(parts, denominator)))
  const partsOf = new Map<number, ExactInteger>()
  for (const position of group) {
    const productParts = ofProduct.get(at(position).productId) as ExactInteger
    if (productParts !== 1) partsOf.set(position, productParts)
  }
  return { parts, start: () => sumMeter(figure, partsOf) }
}
