// The content of a version made ready for charging: decimals as whole numbers, selectors as sets. Pure.

import { hash } from 'node:crypto'
import { MetricResolution } from '../../partners/enumerations.ts'
import {
  ChargeApplication,
  ChargePartKind,
  MetricRounding,
  RateBreaks,
  type RateKind,
  RateMetric,
} from '../enumerations.ts'
import { type Whole, wholeOf } from './exact.ts'
import type { RateCardContent, RateChargeContent, RateContent, Selectors } from './rate-card-content.ts'

/** Prices have six places; base, minimum and maximum have two. */
export interface Band {
  /** the greatest metric that it counts for, in millionths; null: any */
  upTo: Whole | null
  rate: Whole
  base: Whole | null
}

/** What of a rate charge decides what it measures. */
export interface MeasurementRule {
  /** the selectors that look at parts */
  partSelectors: readonly CompiledSelector[]
  /** which parts it takes from */
  partKind: ChargePartKind
  metric: RateMetric
  isCascade: boolean
  isByProduct: boolean
  unitTypeId: string | null
  cubicKGPerM3: Whole
  rounding: MetricRounding
  roundTo: Whole
}

/** A rate charge, ready. */
export interface CompiledCharge extends MeasurementRule {
  /** its place among all charges of the card, from 0 */
  number: number
  content: RateChargeContent & { id: string }
  /** names how it measures: the same for all charges that measure alike, of whatever card */
  measureKey: string
  /** the selectors that look at the consignment as a whole */
  headerSelectors: readonly CompiledSelector[]
  isFee: boolean
  /** it takes its parts and costs nothing */
  isFree: boolean
  isFafExempt: boolean
  rate: Whole
  base: Whole | null
  min: Whole | null
  max: Whole | null
  breaks: (typeof RateBreaks)[keyof typeof RateBreaks]
  bands: readonly Band[]
}

/** One selector that is set. */
export interface CompiledSelector {
  name: keyof Selectors
  /** numbers, ids in lower case, or the attributes of `productAttributes` as `id description` */
  values: ReadonlySet<number | string | boolean>
}

/** A rate, ready. */
export interface CompiledRate {
  content: RateContent & { id: string }
  kind: RateKind
  charges: readonly CompiledCharge[]
}

/** A card, ready. */
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

/** Attributes and codes are compared without regard to case, as everywhere. */
export const attributeKey = (productAttributeId: string, description: string): string =>
  `${productAttributeId.toLowerCase()} ${description.toLowerCase()}`

function compileSelectors(when: Selectors): CompiledSelector[] {
  return Object.entries(when).flatMap(([name, value]) => {
    if (value === undefined || value === null) return []
    const values =
      name === 'productAttributes'
        ? (value as NonNullable<Selectors['productAttributes']>).flatMap(one =>
            one.descriptions.map(description => attributeKey(one.productAttributeId, description)),
          )
        : [value].flat().map(one => (typeof one === 'string' ? one.toLowerCase() : one))
    return [{ name: name as keyof Selectors, values: new Set(values as (number | string | boolean)[]) }]
  })
}

const partsOfMetric: Partial<Record<RateMetric, ChargePartKind>> = {
  [RateMetric.Consignment]: ChargePartKind.Consignment,
  [RateMetric.TaskValue]: ChargePartKind.Task,
  [RateMetric.ConsumableValue]: ChargePartKind.Consumable,
}

/** Which parts a metric is measured on. */
export const partKindOf = (metric: RateMetric): ChargePartKind => partsOfMetric[metric] ?? ChargePartKind.Line

/** The same name for all that measure alike. */
const measureKeyOf = ({ partSelectors, ...measuring }: MeasurementRule): string => {
  const selectors = partSelectors.map(({ name, values }) => [name, ...values])
  const text = JSON.stringify([selectors, measuring], (_, value) =>
    typeof value === 'bigint' ? `${value}n` : value,
  )
  // Selectors may be long, and are looked up by their name again and again.
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
    roundTo: price(content.roundTo ?? 1) as Whole,
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

/** Makes a content without faults ready. */
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
