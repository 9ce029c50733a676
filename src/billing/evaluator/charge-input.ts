// The input of the evaluator: the facts of a consignment that selectors look at, and its parts. Pure.
//
// Figures are whole numbers: quantities, weights and values in units of 10^-4, volumes in units of 10^-6.

import type { Chain } from '../../partners/convert-quantity.ts'
import type { ChargePartKind } from '../../vocabulary/billing.ts'
import type { ConsignmentType } from '../../vocabulary/consignments.ts'
import { type ExactInteger, type Fraction, whole } from './exact.ts'

/** The facts that selectors of the consignment as a whole look at. Ids are in lower case. */
export interface ChargeHeader {
  consignmentType: ConsignmentType
  serviceTypeIds: readonly string[]
  carrierId: string | null
  warehouseId: string | null
  priority: number
  isContainerised: boolean
  containerSize: number | null
  containerType: number | null
  /** the localities that the origin and the destination are in */
  originLocalityIds: readonly string[]
  destinationLocalityIds: readonly string[]
  /** the weekday of the charge date, from 1 (Monday) to 7 (Sunday) */
  weekday: number
}

/** The facts of a product that charges depend on. */
export interface ProductFacts {
  productGroupId: string | null
  dgHazardClassIds: readonly string[]
  units: readonly UnitOfProduct[]
}

/** A unit of a product: `numerator / denominator` of it is one item. */
export interface UnitOfProduct extends Fraction {
  metricType: number
  /** set for metric type UnitType only */
  unitTypeId: string | null
}

/** The units of a chain of conversions, whose last unit is the item. */
export function unitsOf(chain: Chain): UnitOfProduct[] {
  const numerator = whole((chain.at(-1) as Chain[number]).size)
  return chain.map(({ metricType, unitTypeId, size }) => ({
    metricType,
    unitTypeId: unitTypeId ?? null,
    numerator,
    denominator: whole(size),
  }))
}

/** A line of goods. */
export interface LinePart {
  kind: typeof ChargePartKind.Line
  /** null if the line only has a description */
  productId: string | null
  facts: ProductFacts | null
  attributes: readonly { productAttributeId: string; description: string }[]
  packageTypeCode: string | null
  quantity: ExactInteger
  /** null if it is not known */
  weight: ExactInteger | null
  volume: ExactInteger | null
  /** the number of logistic units counted with it: 0 if another line counts them; null for loose goods */
  logisticUnits: number | null
  serials: number
}

/** A task or a consumable of the consignment. */
export interface ValuePart {
  kind: typeof ChargePartKind.Task | typeof ChargePartKind.Consumable
  /** the task type or consumable type */
  typeId: string
  quantity: ExactInteger
}

export type ChargePart = LinePart | ValuePart

/** A consignment as input of the evaluator. */
export interface ChargeInput {
  /** the number of the rules by which it is charged */
  evaluatorVersion: number
  header: ChargeHeader
  parts: readonly ChargePart[]
}
