// A consignment with everything that determines its charges, as read now or as frozen when it was Closed, and
// its conversion to the evaluator's input. Pure.

import { buildChain } from '../../partners/convert-quantity.ts'
import { withoutTrailingZeros } from '../../platform/decimal.ts'
import { ChargePartKind } from '../../vocabulary/billing.ts'
import type { ConsignmentStatus, ConsignmentType } from '../../vocabulary/consignments.ts'
import {
  type ChargeInput,
  type ChargePart,
  type LinePart,
  type ProductFacts,
  unitsOf,
} from '../evaluator/charge-input.ts'
import { wholeOf } from '../evaluator/exact.ts'
import { type Area, areaContains, type Place } from '../evaluator/locality.ts'

/** The facts of a product that billing uses, as they are read and frozen. */
export interface StoredProductFacts {
  productGroupId: string | null
  dgHazardClassIds: string[]
  steps: {
    inputMetricType: number
    inputUnitTypeId: string | null
    inputUnitTypeName: string | null
    outputMetricType: number
    outputUnitTypeId: string | null
    conversionRate: string
  }[]
}

/**
 * Goods of a line: what was ordered or, once figures are actual, one product that moved. Figures are decimal
 * text: weight in kg, volume in m³.
 */
export interface BillableLine {
  /** the line; several products may have moved for one */
  id: string
  productId: string | null
  productCode: string | null
  productName: string | null
  facts: StoredProductFacts | null
  attributes: { productAttributeId: string; description: string }[]
  packageTypeCode: string | null
  quantity: string
  weight: string | null
  volume: string | null
  /** a unit on several lines is counted with the first; null if the goods are loose */
  logisticUnits: number | null
  serials: number
}

/** A task or consumable. The quantity is decimal text. */
export interface BillableValue {
  typeId: string
  name: string
  quantity: string
}

/** The card of one side, with its FAF: the fraction by which freight is raised, as decimal text. */
export interface CardInForce {
  rateCardVersionId: string
  because: number
  fafPercent: string | null
  fafProfileRateId: string | null
}

/** Everything that determines the charges of a consignment. */
export interface BillableConsignment {
  /** the number of the rules by which it is charged */
  evaluatorVersion: number
  organisationId: string
  id: string
  consignmentNumber: string
  referenceNumber: string | null
  containerNumber: string | null
  status: ConsignmentStatus
  consignmentType: ConsignmentType
  clientId: string
  carrierId: string | null
  carrierName: string | null
  warehouseId: string | null
  warehouseRevenueAccountId: string | null
  warehouseCostCentreId: string | null
  priority: number
  isContainerised: boolean
  containerSize: number | null
  containerType: number | null
  chargeDate: string
  chargeUtc: string
  /** 1 Monday to 7 Sunday */
  weekday: number
  /** actual quantities should be charged, but there are none because its goods are not kept here */
  isByExpected: boolean
  origin: Place | null
  destination: Place | null
  originLocalityIds: string[]
  destinationLocalityIds: string[]
  serviceTypeIds: string[]
  lines: BillableLine[]
  tasks: BillableValue[]
  consumables: BillableValue[]
  clientCard: CardInForce | null
  carrierCard: CardInForce | null
  clientFreightResolution: 0 | 1 | 2
  carrierFreightResolution: 0 | 1 | 2
  freightWarningType: number
  freightWarningThreshold: string
  exclusions: { rateChargeId: string; partKey: string }[]
  /** how many times it has been Closed with its charges frozen */
  closings: number
}

/** Returns the ids of the localities that an address is in. */
export const localitiesOf = (
  place: Place | null,
  localities: readonly { id: string; areas: readonly Area[] }[],
): string[] =>
  place === null
    ? []
    : localities.flatMap(({ id, areas }) => (areas.some(area => areaContains(area, place)) ? [id] : []))

/** Converts the stored facts of a product to those that the evaluator uses. */
export const factsOf = ({ productGroupId, dgHazardClassIds, steps }: StoredProductFacts): ProductFacts => ({
  productGroupId,
  dgHazardClassIds,
  units: unitsOf(
    buildChain(
      steps.map(({ conversionRate, ...step }) => ({
        ...step,
        conversionRate: withoutTrailingZeros(conversionRate),
      })),
    ),
  ),
})

const figure = (places: number, value: string | null) => (value === null ? null : wholeOf(places, value))

// Lines of one product share its stored facts, so these are converted only once.
const convertedFacts = new WeakMap<StoredProductFacts, ProductFacts>()

function cachedFactsOf(facts: StoredProductFacts): ProductFacts {
  const converted = convertedFacts.get(facts) ?? factsOf(facts)
  convertedFacts.set(facts, converted)
  return converted
}

const linePart = (line: BillableLine): LinePart => ({
  kind: ChargePartKind.Line,
  productId: line.productId,
  facts: line.facts === null ? null : cachedFactsOf(line.facts),
  attributes: line.attributes,
  packageTypeCode: line.packageTypeCode,
  quantity: wholeOf(4, line.quantity),
  weight: figure(4, line.weight),
  volume: figure(6, line.volume),
  logisticUnits: line.logisticUnits,
  serials: line.serials,
})

/** Converts a consignment to the evaluator's input. Its parts are lines, then tasks, then consumables. */
export const inputOf = (consignment: BillableConsignment): ChargeInput => ({
  header: consignment,
  evaluatorVersion: consignment.evaluatorVersion,
  parts: [
    ...consignment.lines.map(linePart),
    ...consignment.tasks.map(valuePart(ChargePartKind.Task)),
    ...consignment.consumables.map(valuePart(ChargePartKind.Consumable)),
  ],
})

const valuePart =
  (kind: typeof ChargePartKind.Task | typeof ChargePartKind.Consumable) =>
  ({ typeId, quantity }: BillableValue): ChargePart => ({ kind, typeId, quantity: wholeOf(4, quantity) })

/** A part as users know it. */
export interface PartDescription {
  kind: ChargePartKind
  /** the line, task type or consumable type; null for freight */
  id: string | null
  /** product code, or name of the task or consumable type; null for freight */
  name: string | null
}

/** Describes a part by its index in the order of `inputOf`; null stands for the freight as a whole. */
export function describePart(
  { lines, tasks, consumables }: BillableConsignment,
  part: number | null,
): PartDescription {
  if (part === null) return { kind: ChargePartKind.Freight, id: null, name: null }
  const line = lines[part]
  if (line !== undefined) return { kind: ChargePartKind.Line, id: line.id, name: line.productCode }
  const isTask = part < lines.length + tasks.length
  const value = [...tasks, ...consumables][part - lines.length] as BillableValue
  const kind = isTask ? ChargePartKind.Task : ChargePartKind.Consumable
  return { kind, id: value.typeId, name: value.name }
}
