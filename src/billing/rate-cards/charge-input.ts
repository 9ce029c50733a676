// What a consignment offers to be charged: the facts that selectors look at, and its parts. Pure.
//
// Figures are whole numbers: quantities, weights and values of 10^-4, volumes of 10^-6.

import type { ConsignmentType } from '../../consignments/enumerations.ts'
import type { Chain } from '../../partners/convert-quantity.ts'
import type { ChargePartKind } from '../enumerations.ts'
import { type Fraction, type Whole, whole } from './exact.ts'

/** What the selectors of a consignment as a whole look at. Ids are in lower case. */
export interface ChargeHeader {
  consignmentType: ConsignmentType
  serviceTypeIds: readonly string[]
  carrierId: string | null
  warehouseId: string | null
  priority: number
  isContainerised: boolean
  containerSize: number | null
  containerType: number | null
  /** the localities that the two ends are in */
  originLocalityIds: readonly string[]
  destinationLocalityIds: readonly string[]
  /** of the charge date, 1 Monday to 7 Sunday */
  weekday: number
}

/** What billing reads of a product. */
export interface ProductFacts {
  productGroupId: string | null
  dgHazardClassIds: readonly string[]
  units: readonly UnitOfProduct[]
}

/** A unit of a product: `over / under` of it are one item. */
export interface UnitOfProduct extends Fraction {
  metricType: number
  /** given for metric type UnitType only */
  unitTypeId: string | null
}

/** The units of a chain, which has items last. */
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
  /** null: a description only */
  productId: string | null
  facts: ProductFacts | null
  attributes: readonly { productAttributeId: string; description: string }[]
  packageTypeCode: string | null
  quantity: Whole
  /** null: nobody knows */
  weight: Whole | null
  volume: Whole | null
  logisticUnits: number
  serials: number
}

/** A task or a consumable of the consignment. */
export interface ValuePart {
  kind: typeof ChargePartKind.Task | typeof ChargePartKind.Consumable
  /** the task type or consumable type */
  typeId: string
  quantity: Whole
}

export type ChargePart = LinePart | ValuePart

/** A consignment as the evaluator sees it. */
export interface ChargeInput {
  header: ChargeHeader
  parts: readonly ChargePart[]
}
