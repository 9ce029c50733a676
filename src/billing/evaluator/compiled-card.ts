// The content of a version compiled for charging: decimals as whole numbers, selectors as sets. Pure.

import { hash } from 'node:crypto'
import {
  ChargeApplication,
  ChargePartKind,
  MetricRounding,
  RateBreaks,
  type RateKind,
  RateMetric,
} from '../../vocabulary/billing.ts'
import { MetricResolution } from '../../vocabulary/partners.ts'
import { type ExactInteger, wholeOf } from './exact.ts'
import type { RateCardContent, RateChargeContent, RateContent, Selectors } from './rate-card-content.ts'

/** A band of breaks. Rates are in millionths; base, minimum and maximum amounts are in cents. */
export interface Band {
  /** the largest metric in the band, in millionths; null if it has no end */
  upTo: ExactInteger | null
  rate: ExactInteger
  base: ExactInteger | null
}

/** The parts of a rate charge that decide what it measures. */
export interface MeasurementRule {
  /** the selectors that look at parts */
  partSelectors: readonly CompiledSelector[]
  /** the kind of parts that it measures */
  partKind: ChargePartKind
  metric: RateMetric
  isCascade: boolean
  isByProduct: boolean
  unitTypeId: string | null
  cubicKGPerM3: ExactInteger
  rounding: MetricRounding
  roundTo: ExactInteger
}

/** A compiled rate charge. Rates are in millionths; base, min and max are in cents. */
export interface CompiledCharge extends MeasurementRule {
  /** its index among all charges of the card */
  number: number
  content: RateChargeContent & { id: string }
  /** identifies its measurement rule: equal for all charges that measure alike, of any card */
  measureKey: string
  /** the selectors that look at the consignment as a whole */
  headerSelectors: readonly CompiledSelector[]
  isFee: boolean
  /** it takes its parts and charges nothing */
  isFree: boolean
  isFafExempt: boolean
  rate: ExactInteger
  base: ExactInteger | null
  min: ExactInteger | null
  max: ExactInteger | null
  breaks: (typeof RateBreaks)[keyof typeof RateBreaks]
  bands: readonly Band[]
}

/** One selector that is set. */
export interface CompiledSelector {
  name: keyof Selectors
  /** numbers, ids in lower case, or the attributes of `productAttributes` as `id description` */
  values: ReadonlySet<number | string | boolean>
}

export interface CompiledRate {
  content: RateContent & { id: string }
  kind: RateKind
  charges: readonly CompiledCharge[]
}

export interface CompiledCard {
  rates: readonly CompiledRate[]
}

const partSelectorNames: ReadonlySet<string> = new Set([
  'productIds',
  'productGroupIds',
  'productAttributes',
  'dgHazardClassIds',
  'packageTypeCodes',
  'taskTypeIds',
  'consumableTypeIds',
  'zoneIds',
  'locationIds',
  'locationTypes',
])

/** The key of an attribute's value. Attributes and codes match case-insensitively, as everywhere. */
export const attributeKey = (productAttributeId: string, description: string): string =>
  `${productAttributeId.toLowerCase()} ${description.toLowerCase()}`

function compileSelectors(when: Selectors): CompiledSelector[] {
  return Object.entries(when).flatMap(([name, value]) => {
    if (value === undefined || value === null) return []
    const values =
      name === 'productAttributes'
        ? (value as NonNullable<Selectors['productAttributes']>).flatMap(attribute =>
            attribute.descriptions.map(description =>
              attributeKey(attribute.productAttributeId, description),
            ),
          )
        : [value].flat().map(item => (typeof item === 'string' ? item.toLowerCase() : item))
    return [{ name: name as keyof Selectors, values: new Set(values as (number | string | boolean)[]) }]
  })
}

const partsOfMetric: Partial<Record<RateMetric, ChargePartKind>> = {
  [RateMetric.Consignment]: ChargePartKind.Consignment,
  [RateMetric.TaskValue]: ChargePartKind.Task,
  [RateMetric.ConsumableValue]: ChargePartKind.Consumable,
}

/** The kind of parts that a metric is measured on. */
export const partKindOf = (metric: RateMetric): ChargePartKind => partsOfMetric[metric] ?? ChargePartKind.Line

/** The key of a measurement rule: equal for equal rules. */
const measureKeyOf = ({ partSelectors, ...measuring }: MeasurementRule): string => {
  const selectors = partSelectors.map(({ name, values }) => [name, ...values])
  const text = JSON.stringify([selectors, measuring], (_, value) =>
    typeof value === 'bigint' ? `${value}n` : value,
  )
  // Hashed because selectors may be long, and the key is looked up very often.
  return hash('sha256', text)
}

function compileCharge(content: RateChargeContent, number: number): CompiledCharge {
  const price = (value: number | null | undefined) => (value == null ? null : wholeOf(6, value))
  const amount = (value: number | null | undefined) => (value == null ? null : wholeOf(2, value))
  const selectors = compileSelectors(content.when ?? {})
  const breaks = content.breaks?.kind ?? RateBreaks.None
  const [rate, base, min] = [
    price(content.rateExclTax) ?? 0,
    amount(content.baseExclTax),
    amount(content.minExclTax),
  ]
  const measuring: MeasurementRule = {
    partSelectors: selectors.filter(({ name }) => partSelectorNames.has(name)),
    partKind: partKindOf(content.metric),
    metric: content.metric,
    isCascade: content.metricResolution === MetricResolution.Cascade,
    isByProduct: content.isPerProduct ?? false,
    unitTypeId: content.unitTypeId?.toLowerCase() ?? null,
    cubicKGPerM3: price(content.cubicKGPerM3) ?? 0,
    rounding: content.rounding ?? MetricRounding.None,
    roundTo: price(content.roundTo ?? 1) as ExactInteger,
  }
  return {
    ...measuring,
    number,
    content: content as CompiledCharge['content'],
    measureKey: measureKeyOf(measuring),
    headerSelectors: selectors.filter(({ name }) => !partSelectorNames.has(name)),
    isFee: content.application === ChargeApplication.Fee,
    isFree: breaks === RateBreaks.None && rate === 0 && !base && !min,
    isFafExempt: content.isFafExempt ?? false,
    rate,
    base,
    min,
    max: amount(content.maxExclTax),
    breaks,
    bands: (content.breaks?.bands ?? []).map(band => ({
      upTo: price(band.upTo),
      rate: wholeOf(6, band.rateExclTax),
      base: amount(band.baseExclTax),
    })),
  }
}

/** Compiles a content, which must have no faults. */
export function compileCard({ rates }: Pick<RateCardContent, 'rates'>): CompiledCard {
  let next = 0
  return {
    rates: rates.map(content => ({
      content: content as CompiledRate['content'],
      kind: content.kind,
      charges: content.charges.map(charge => compileCharge(charge, next++)),
    })),
  }
}
