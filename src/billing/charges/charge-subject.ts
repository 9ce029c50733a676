// A consignment with everything that decides what it comes to, as it is read: now, or as it was frozen
// when it was Closed; and the same as the evaluator takes it. Pure.

import type { ConsignmentStatus, ConsignmentType } from '../../consignments/enumerations.ts'
import { chainOf } from '../../partners/convert-quantity.ts'
import { ChargePartKind } from '../enumerations.ts'
import {
  type ChargeInput,
  type ChargePart,
  type LinePart,
  type ProductFacts,
  unitsOf,
} from '../rate-cards/charge-input.ts'
import { wholeOf } from '../rate-cards/exact.ts'
import { type Area, holds, type Place } from '../rate-cards/locality.ts'

/** What billing reads of a product; it is frozen as it is. */
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

/** A line. Figures are decimals as text. */
export interface SubjectLine {
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
  /** what stands on several lines is counted with the first */
  logisticUnits: number
  serials: number
}

/** A task or consumable. */
export interface SubjectValue {
  typeId: string
  name: string
  quantity: string
}

/** The card of one side, and the fraction by which freight is raised, as a decimal in text. */
export interface SubjectCard {
  rateCardVersionId: string
  because: number
  fafPercent: string | null
  fafProfileRateId: string | null
}

/** Everything that decides what a consignment comes to. */
export interface ChargeSubject {
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
  /** actual quantities should count, and there are none: its goods are not kept here */
  isByExpected: boolean
  origin: Place | null
  destination: Place | null
  originLocalityIds: string[]
  destinationLocalityIds: string[]
  serviceTypeIds: string[]
  lines: SubjectLine[]
  tasks: SubjectValue[]
  consumables: SubjectValue[]
  clientCard: SubjectCard | null
  carrierCard: SubjectCard | null
  clientFreightResolution: 0 | 1 | 2
  carrierFreightResolution: 0 | 1 | 2
  freightWarningType: number
  freightWarningThreshold: string
  exclusions: { rateChargeId: string; partKey: string }[]
  /** how often it has been Closed with its charges frozen */
  closings: number
}

/** The localities that an address is in. */
export const localitiesOf = (
  place: Place | null,
  localities: readonly { id: string; areas: readonly Area[] }[],
): string[] =>
  place === null
    ? []
    : localities.flatMap(({ id, areas }) => (areas.some(area => holds(area, place)) ? [id] : []))

/** What the evaluator looks at of what was read of a product. */
export const factsOf = ({ productGroupId, dgHazardClassIds, steps }: StoredProductFacts): ProductFacts => ({
  productGroupId,
  dgHazardClassIds,
  units: unitsOf(
    chainOf(
      steps.map(({ conversionRate, ...step }) => ({ ...step, conversionRate: trimmed(conversionRate) })),
    ),
  ),
})

/** Without zeros at the end, which would only make numbers longer. */
const trimmed = (digits: string): string => (digits.includes('.') ? digits.replace(/\.?0+$/, '') : digits)

const figure = (places: number, value: string | null) => (value === null ? null : wholeOf(places, value))

// Lines of one product may share what was read of it; then it is prepared once.
const prepared = new WeakMap<StoredProductFacts, ProductFacts>()

function preparedFacts(facts: StoredProductFacts): ProductFacts {
  const known = prepared.get(facts) ?? factsOf(facts)
  prepared.set(facts, known)
  return known
}

const linePart = (line: SubjectLine): LinePart => ({
  kind: ChargePartKind.Line,
  productId: line.productId,
  facts: line.facts === null ? null : preparedFacts(line.facts),
  attributes: line.attributes,
  packageTypeCode: line.packageTypeCode,
  quantity: wholeOf(4, line.quantity),
  weight: figure(4, line.weight),
  volume: figure(6, line.volume),
  logisticUnits: line.logisticUnits,
  serials: line.serials,
})

/** The subject as the evaluator takes it. Parts: lines, then tasks, then consumables. */
export const inputOf = (subject: ChargeSubject): ChargeInput => ({
  header: subject,
  parts: [
    ...subject.lines.map(linePart),
    ...subject.tasks.map(valuePart(ChargePartKind.Task)),
    ...subject.consumables.map(valuePart(ChargePartKind.Consumable)),
  ],
})

const valuePart =
  (kind: typeof ChargePartKind.Task | typeof ChargePartKind.Consumable) =>
  ({ typeId, quantity }: SubjectValue): ChargePart => ({ kind, typeId, quantity: wholeOf(4, quantity) })

/** A part, as people know it. */
export interface PartDescription {
  kind: ChargePartKind
  /** the line, task type or consumable type; null for freight */
  id: string | null
  /** code of the product, or name of the type */
  name: string | null
}

/** The part of a number, in the order of `inputOf`; null is the freight as a whole. */
export function describePart(
  { lines, tasks, consumables }: ChargeSubject,
  part: number | null,
): PartDescription {
  if (part === null) return { kind: ChargePartKind.Freight, id: null, name: null }
  const line = lines[part]
  if (line !== undefined) return { kind: ChargePartKind.Line, id: line.id, name: line.productCode }
  const isTask = part < lines.length + tasks.length
  const value = [...tasks, ...consumables][part - lines.length] as SubjectValue
  const kind = isTask ? ChargePartKind.Task : ChargePartKind.Consumable
  return { kind, id: value.typeId, name: value.name }
}
