// The charges of rate cards in sentences: for what a charge is, what it costs, and what falls to the next one.

import {
  BillingPeriod,
  ChargeApplication,
  ConsignmentPriority,
  ConsignmentType,
  ContainerSize,
  ContainerType,
  LocationType,
  MetricResolution,
  MetricRounding,
  RateBreaks,
  RateKind,
  RateMetric,
  ReceiptsCharged,
  type Schemas,
  StorageCount,
  StorageMethod,
} from '../../../client/src/waybill.ts'
import { price, quantity } from '../../../ui/numbers.ts'
import { inWords, nameIn } from './consignments.ts'

export type RateCharge = Schemas['RateCharge']
export type Rate = Schemas['Rate']
/** What a version of a card holds. */
export type Content = Schemas['RateCardContent']
export type Selectors = NonNullable<RateCharge['when']>

/** The name of a record that a charge refers to, by its id. */
export type NameOf = (id: string) => string

const lower = (text: string) => text.charAt(0).toLowerCase() + text.slice(1)
const upper = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
/** `a carton`, `an item`. */
const one = (noun: string) => `${/^(?!uni)[aeiou]/i.test(noun) ? 'an' : 'a'} ${noun}`

const nouns: Readonly<Record<number, string>> = {
  [RateMetric.Consignment]: 'consignment',
  [RateMetric.Quantity]: 'item',
  [RateMetric.WeightKG]: 'kg',
  [RateMetric.VolumeM3]: 'm³',
  [RateMetric.VirtualPallet]: 'pallet',
  [RateMetric.TaskValue]: 'unit of work',
  [RateMetric.ConsumableValue]: 'piece',
  [RateMetric.Lines]: 'line',
  [RateMetric.LogisticUnits]: 'logistic unit',
  [RateMetric.Serials]: 'serial',
  [RateMetric.ChargeableWeightKG]: 'chargeable kg',
  [RateMetric.Locations]: 'place',
}

const nounOf = ({ metric, unitTypeId }: RateCharge, nameOf: NameOf): string =>
  metric === RateMetric.UnitType && unitTypeId != null
    ? nameOf(unitTypeId).toLowerCase()
    : (nouns[metric] ?? '')

const weekdays = ['Mondays', 'Tuesdays', 'Wednesdays', 'Thursdays', 'Fridays', 'Saturdays', 'Sundays']

/** What a selector is called, and one of its values in words. */
export const selectorWords = {
  consignmentTypes: 'Consignment types',
  serviceTypeIds: 'Service types',
  carrierIds: 'Carriers',
  warehouseIds: 'Warehouses',
  priorities: 'Priorities',
  isContainerised: 'In a container',
  containerSizes: 'Container sizes',
  containerTypes: 'Container types',
  originLocalityIds: 'From',
  destinationLocalityIds: 'To',
  productIds: 'Products',
  productGroupIds: 'Product groups',
  productAttributes: 'Product attributes',
  dgHazardClassIds: 'Hazard classes',
  taskTypeIds: 'Tasks',
  consumableTypeIds: 'Consumables',
  packageTypeCodes: 'Package types',
  weekdays: 'Weekdays',
  zoneIds: 'Zones',
  locationIds: 'Places',
  locationTypes: 'Kinds of place',
} as const
export type SelectorName = keyof typeof selectorWords

const enumerated: Partial<Record<SelectorName, Readonly<Record<string, number>>>> = {
  consignmentTypes: ConsignmentType,
  priorities: ConsignmentPriority,
  containerSizes: ContainerSize,
  containerTypes: ContainerType,
  locationTypes: LocationType,
}

/** The values that a selector of an enumeration can have, with their words; undefined for any other one. */
export function selectorOptions(name: SelectorName): readonly { value: number; text: string }[] | undefined {
  if (name === 'weekdays') return weekdays.map((text, i) => ({ value: i + 1, text }))
  const values = enumerated[name]
  return values && Object.values(values).map(value => ({ value, text: inWords(nameIn(values, value)) }))
}

/** A value of a selector in words. */
export function selectorValue(name: SelectorName, value: unknown, nameOf: NameOf): string {
  if (typeof value === 'object' && value !== null) {
    const { productAttributeId, descriptions } = value as {
      productAttributeId: string
      descriptions: string[]
    }
    return `${nameOf(productAttributeId)} ${descriptions.join(' or ')}`
  }
  const option = selectorOptions(name)?.find(one => one.value === value)
  return option?.text ?? (typeof value === 'string' ? nameOf(value) : String(value))
}

/** In which order a sentence names its conditions, and the word before each. */
const phrases: readonly (readonly [SelectorName, string])[] = [
  ['consignmentTypes', ''],
  ['priorities', 'of priority'],
  ['containerSizes', 'in containers of'],
  ['containerTypes', 'in containers of type'],
  ['taskTypeIds', ''],
  ['consumableTypeIds', ''],
  ['productIds', 'of'],
  ['productGroupIds', 'of'],
  ['productAttributes', 'that are'],
  ['dgHazardClassIds', 'of hazard class'],
  ['packageTypeCodes', 'in'],
  ['serviceTypeIds', 'with'],
  ['carrierIds', 'by'],
  ['originLocalityIds', 'from'],
  ['destinationLocalityIds', 'to'],
  ['warehouseIds', 'at'],
  ['zoneIds', 'in zone'],
  ['locationIds', 'at'],
  ['locationTypes', 'in places of kind'],
  ['weekdays', 'on'],
]

/** What a charge is for: `outwards by SWF to North Island`; empty if it is for everything. */
export function conditionOf(when: Selectors | null | undefined, nameOf: NameOf): string {
  const given = phrases.flatMap(([name, before]) => {
    const values = when?.[name]
    if (!Array.isArray(values) || values.length === 0) return []
    const names = [...new Set(values.map(value => selectorValue(name, value, nameOf)))]
    const shown = name === 'consignmentTypes' ? names.map(lower) : names
    return [`${before} ${shown.join(' or ')}`.trim()]
  })
  const isContained = when?.isContainerised
  const contained = isContained == null ? [] : [isContained ? 'in a container' : 'not in a container']
  return [...given, ...contained].join(' ')
}

/** Whether the first condition says what, such as outwards, and not only which. */
const beginsWithNoun = (when: Selectors | null | undefined): boolean =>
  [when?.consignmentTypes, when?.taskTypeIds, when?.consumableTypeIds].some(
    values => (values?.length ?? 0) > 0,
  )

/** What a charge is called: its note, what bills say of it, or what it is for. */
export function chargeName({ note, particulars, when }: RateCharge, index: number, nameOf: NameOf): string {
  const plain = particulars?.includes('{') ? undefined : particulars
  return note ?? plain ?? (upper(conditionOf(when, nameOf)) || `Charge ${index + 1}`)
}

const periods: Readonly<Record<number, string>> = {
  [BillingPeriod.Weekly]: 'week',
  [BillingPeriod.Fortnightly]: 'fortnight',
  [BillingPeriod.HalfMonthly]: 'half month',
  [BillingPeriod.Monthly]: 'month',
  [BillingPeriod.FourWeekly]: 'four weeks',
}

const counts: Readonly<Record<number, string>> = {
  [StorageCount.Closing]: 'as each day ends',
  [StorageCount.Opening]: 'as each day begins',
  [StorageCount.Chronological]: 'at the most of each day',
  [StorageCount.PartThereof]: 'as each day begins, and what is received on it',
  [StorageCount.CumulativePartThereof]: 'as the period begins, and all received since',
}

function methodOf({ method, period }: NonNullable<RateCharge['storage']>): string {
  const ofPeriod = period == null ? 'billing period' : (periods[period] ?? '')
  if (method === StorageMethod.SumOfDays) return 'a day'
  if (method === StorageMethod.Average) return `on average of a ${ofPeriod}`
  if (method === StorageMethod.Maximum) return `at the most of a ${ofPeriod}`
  if (method === StorageMethod.StartOfPeriod) return `at the start of a ${ofPeriod}`
  return `for each ${ofPeriod} from its receipt`
}

const groups: Readonly<Record<string, string>> = {
  ...{ warehouse: 'warehouse', zone: 'zone', location: 'place', product: 'product' },
  ...{ productGroup: 'product group', hazardClass: 'hazard class', logisticUnit: 'logistic unit' },
}

const receipts: Readonly<Record<number, string>> = {
  [ReceiptsCharged.None]: 'receipts free',
  [ReceiptsCharged.Full]: 'receipts in full',
  [ReceiptsCharged.HalfAfterMid]: 'receipts after the middle half',
  [ReceiptsCharged.DaysLeft]: 'receipts by the days left',
}

/** How storage is counted, as parts of a sentence. */
function storageOf({ storage }: RateCharge): readonly string[] {
  if (storage == null) return []
  const { count, freeHours, groupBy, receiptsCharged, isInAdvance } = storage
  return [
    `counted ${counts[count] ?? ''}`,
    ...(receiptsCharged == null ? [] : [receipts[receiptsCharged] ?? '']),
    ...(isInAdvance ? ['billed in advance'] : []),
    ...(freeHours == null
      ? []
      : [freeHours === 1 ? 'the first hour free' : `the first ${quantity(freeHours)} hours free`]),
    ...(groupBy?.length ? [`by ${groupBy.map(group => groups[group]).join(' and ')}`] : []),
  ]
}

/** The price before its limits: `3.20 a carton`, `180.00 once`, `free`. */
export function priceOf(charge: RateCharge, kind: number, nameOf: NameOf): string {
  const { application, rateExclTax, baseExclTax, minExclTax, breaks, storage } = charge
  const noun = nounOf(charge, nameOf)
  const per = storage == null ? '' : ` ${methodOf(storage)}`
  const isFee = application === ChargeApplication.Fee
  const once = kind === RateKind.Periodic ? 'a billing period' : 'once'
  const each = (rate: number) => (isFee ? `${price(rate)} ${once}` : `${price(rate)} ${one(noun)}${per}`)
  const base = baseExclTax ? `${price(baseExclTax)} plus ` : ''
  if (breaks != null && breaks.kind !== RateBreaks.None) {
    const bands = breaks.bands.map(({ upTo, rateExclTax: rate, baseExclTax: ofBand }, i) => {
      const first = `${ofBand ? `${price(ofBand)} plus ` : ''}${i === 0 ? each(rate) : price(rate)}`
      return upTo == null ? `${first} above` : `${first} up to ${quantity(upTo)}`
    })
    const how = breaks.kind === RateBreaks.Progressive ? 'each part by its band' : 'all by one band'
    return `${base}${bands.join(', ')}, ${how}`
  }
  const isFree = rateExclTax === 0 && !baseExclTax && !minExclTax
  return isFree ? 'free' : `${base}${each(rateExclTax ?? 0)}`
}

/** How a charge measures, where that is not as one would expect. */
function measureOf({ rounding, roundTo, isPerProduct, isFafExempt, cubicKGPerM3 }: RateCharge) {
  const to = roundTo == null || roundTo === 1 ? 'whole ones' : `multiples of ${quantity(roundTo)}`
  return [
    ...(cubicKGPerM3 == null ? [] : [`at ${quantity(cubicKGPerM3)} kg a m³`]),
    ...(rounding === MetricRounding.Up ? [`rounded up to ${to}`] : []),
    ...(rounding === MetricRounding.Nearest ? [`rounded to ${to}`] : []),
    ...(isPerProduct ? ['product by product'] : []),
    ...(isFafExempt ? ['without fuel adjustment'] : []),
  ]
}

/** How a charge counts and rounds, where that is not as one would expect. */
export const countedInWords = (charge: RateCharge): string =>
  upper([...storageOf(charge), ...measureOf(charge)].join(', '))

const methods: Readonly<Record<string, string>> = {
  SumOfDays: 'the sum of its days',
  Average: 'the average of its days',
  Maximum: 'the most of its days',
  StartOfPeriod: 'its first day',
  Anniversary: 'from each receipt',
}

/** How the days of a period become one figure, which the service tells by the names of its enumerations. */
export function ofDaysInWords(operation: string): string {
  const [method = '', count = ''] = operation.split(' by ')
  const counted = counts[(StorageCount as Readonly<Record<string, number>>)[count] ?? 0]
  return counted === undefined || methods[method] === undefined
    ? operation
    : `${methods[method]}, counted ${counted}`
}

/** A charge of a rate as a sentence; `isLast` if there is no charge after it that the rest could fall to. */
export function sentenceOf(charge: RateCharge, kind: number, isLast: boolean, nameOf: NameOf): string {
  const condition = conditionOf(charge.when, nameOf)
  const { minExclTax, maxExclTax } = charge
  const limits = [
    ...(minExclTax == null ? [] : [`at least ${price(minExclTax)}`]),
    ...(maxExclTax == null ? [] : [`at most ${price(maxExclTax)}`]),
  ]
  const told = [priceOf(charge, kind, nameOf), ...limits, ...measureOf(charge), ...storageOf(charge)].join(
    ', ',
  )
  const isWhole = charge.metricResolution === MetricResolution.Cascade
  const subject = beginsWithNoun(charge.when) ? condition : `goods ${condition}`
  const first = condition === '' ? upper(told) : `For ${subject}: ${told}`
  const whole = isWhole ? ` Only whole ones.` : ''
  const takesAll = charge.metric === RateMetric.Consignment || kind === RateKind.Periodic
  return `${first}.${whole}${isLast || takesAll ? '' : ' The rest falls to the next.'}`
}
