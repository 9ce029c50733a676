// Whether the selectors of a rate charge match. An absent selector matches anything, a selector with several
// values matches any of them, and all selectors that are set must match. Pure.

import { ChargePartKind } from '../../vocabulary/billing.ts'
import type { ChargeHeader, ChargePart, LinePart } from './charge-input.ts'
import { attributeKey, type CompiledCharge, type CompiledSelector } from './compiled-card.ts'

type Value = number | string | boolean
/** The value, or values, that a consignment or part has for a selector. */
export type FoundValue = Value | null | undefined | readonly Value[]

const headerValues: Partial<Record<CompiledSelector['name'], (header: ChargeHeader) => FoundValue>> = {
  consignmentTypes: header => header.consignmentType,
  serviceTypeIds: header => header.serviceTypeIds,
  carrierIds: header => header.carrierId,
  warehouseIds: header => header.warehouseId,
  priorities: header => header.priority,
  isContainerised: header => header.isContainerised,
  containerSizes: header => header.containerSize,
  containerTypes: header => header.containerType,
  originLocalityIds: header => header.originLocalityIds,
  destinationLocalityIds: header => header.destinationLocalityIds,
  weekdays: header => header.weekday,
}

const lineValues: Partial<Record<CompiledSelector['name'], (line: LinePart) => FoundValue>> = {
  productIds: line => line.productId,
  productGroupIds: line => line.facts?.productGroupId,
  productAttributes: line =>
    line.attributes.map(({ productAttributeId, description }) =>
      attributeKey(productAttributeId, description),
    ),
  dgHazardClassIds: line => line.facts?.dgHazardClassIds,
  packageTypeCodes: line => line.packageTypeCode?.toLowerCase(),
}

/** Whether a selector wants the value that was found, or one of several. */
export const selectorHolds = ({ values }: CompiledSelector, found: FoundValue): boolean =>
  Array.isArray(found) ? found.some(value => values.has(value)) : found != null && values.has(found as Value)

/** The value of a header for a selector of the consignment as a whole. */
export const headerValue = (name: CompiledSelector['name'], header: ChargeHeader): FoundValue =>
  headerValues[name]?.(header)

/** The selectors of the consignment as a whole that do not match. */
export const failingSelectors = (charge: CompiledCharge, header: ChargeHeader): CompiledSelector[] =>
  charge.headerSelectors.filter(selector => !selectorHolds(selector, headerValue(selector.name, header)))

/** Whether all selectors of the consignment as a whole match. */
export function matchesHeader(charge: CompiledCharge, header: ChargeHeader): boolean {
  for (const selector of charge.headerSelectors)
    if (!selectorHolds(selector, headerValue(selector.name, header))) return false
  return true
}

/** The value of a part for a selector of parts. */
export function partValue(name: CompiledSelector['name'], part: ChargePart): FoundValue {
  if (part.kind === ChargePartKind.Line) return lineValues[name]?.(part)
  return part.typeId
}

/** Whether all selectors of parts match a part, which is of the kind that the charge measures. */
export function matchesPart(charge: Pick<CompiledCharge, 'partSelectors'>, part: ChargePart): boolean {
  for (const selector of charge.partSelectors)
    if (!selectorHolds(selector, partValue(selector.name, part))) return false
  return true
}
