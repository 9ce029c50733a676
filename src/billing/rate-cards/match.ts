// Whether the selectors of a rate charge hold. Absent is any; of several values any one will do; all that are
// set must hold. Pure.

import { ChargePartKind } from '../enumerations.ts'
import type { ChargeHeader, ChargePart, LinePart } from './charge-input.ts'
import { attributeKey, type CompiledCharge, type CompiledSelector } from './compiled-card.ts'

type Value = number | string | boolean
/** What stands in the place of a selector. */
export type FoundValue = Value | null | undefined | readonly Value[]

const onHeader: Partial<Record<CompiledSelector['name'], (header: ChargeHeader) => FoundValue>> = {
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

const onLine: Partial<Record<CompiledSelector['name'], (line: LinePart) => FoundValue>> = {
  productIds: line => line.productId,
  productGroupIds: line => line.facts?.productGroupId,
  productAttributes: line =>
    line.attributes.map(one => attributeKey(one.productAttributeId, one.description)),
  dgHazardClassIds: line => line.facts?.dgHazardClassIds,
  packageTypeCodes: line => line.packageTypeCode?.toLowerCase(),
}

/** Whether what was found is one of the values that a selector wants. */
export const selectorHolds = ({ values }: CompiledSelector, found: FoundValue): boolean =>
  Array.isArray(found) ? found.some(one => values.has(one)) : found != null && values.has(found as Value)

/** What the header has in the place of a selector of the consignment as a whole. */
export const headerValue = (name: CompiledSelector['name'], header: ChargeHeader): FoundValue =>
  onHeader[name]?.(header)

/** The selectors of the consignment as a whole that do not hold. */
export const failingSelectors = (charge: CompiledCharge, header: ChargeHeader): CompiledSelector[] =>
  charge.headerSelectors.filter(selector => !selectorHolds(selector, headerValue(selector.name, header)))

/** Whether all selectors of the consignment as a whole hold. */
export function matchesHeader(charge: CompiledCharge, header: ChargeHeader): boolean {
  for (const selector of charge.headerSelectors)
    if (!selectorHolds(selector, headerValue(selector.name, header))) return false
  return true
}

/** What a part has in the place of a selector of parts. */
export function partValue(name: CompiledSelector['name'], part: ChargePart): FoundValue {
  if (part.kind === ChargePartKind.Line) return onLine[name]?.(part)
  return part.typeId
}

/** Whether all selectors of parts hold for a part of the kind that the charge takes from. */
export function matchesPart(charge: Pick<CompiledCharge, 'partSelectors'>, part: ChargePart): boolean {
  for (const selector of charge.partSelectors)
    if (!selectorHolds(selector, partValue(selector.name, part))) return false
  return true
}
