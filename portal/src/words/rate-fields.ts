// The fields of rate cards: what each is called, and its values in words. The editor labels its fields with
// them, and the comparison of two versions its rows.

import {
  BillingPeriod,
  ChargeApplication,
  MetricResolution,
  MetricRounding,
  RateBasis,
  RateBreaks,
  RateKind,
  RateMetric,
  ReceiptsCharged,
  StorageCount,
  StorageMethod,
} from '../../../client/src/waybill.ts'
import { price, quantity } from '../../../ui/numbers.ts'
import { inWords, nameIn } from './consignments.ts'
import { rateCardWords } from './rate-cards.ts'
import {
  type NameOf,
  type Rate,
  type RateCharge,
  type SelectorName,
  selectorValue,
  selectorWords,
  sentenceOf,
} from './rate-charges.ts'

export const fieldWords = {
  name: 'Name',
  kind: 'Kind',
  basis: 'Basis',
  activityTypeId: 'Activity',
  fafProfileId: 'Fuel adjustment',
  defaultTaxRateId: 'Tax rate',
  minimumSpendPerPeriod: 'Minimum spend a period',
  minimumSpendRevenueAccountId: 'Account of the minimum spend',
  note: 'Note',
  metric: 'Measured by',
  unitTypeId: 'Unit',
  metricResolution: 'Only whole ones',
  cubicKGPerM3: 'Kilograms a cubic metre',
  rounding: 'Rounding',
  roundTo: 'To multiples of',
  isPerProduct: 'Product by product',
  application: 'Application',
  rateExclTax: 'Rate',
  baseExclTax: 'Base',
  minExclTax: 'At least',
  maxExclTax: 'At most',
  isFafExempt: 'Without fuel adjustment',
  taxRateId: 'Tax rate',
  revenueAccountId: 'Revenue account',
  costCentreId: 'Cost centre',
  particulars: 'Particulars',
  'breaks.kind': 'Bands',
  'breaks.bands': 'Bands and their rates',
  'storage.count': 'Stock counted',
  'storage.method': 'Of a period',
  'storage.period': 'Period',
  'storage.isInAdvance': 'Billed in advance',
  'storage.receiptsCharged': 'Receipts in a period',
  'storage.freeHours': 'Free hours',
  'storage.groupBy': 'A charge for each',
  charges: 'Order of the charges',
  charge: 'The whole charge',
  rate: 'The whole rate',
} as const

const metrics: Readonly<Record<number, string>> = {
  [RateMetric.Consignment]: 'Consignment, once',
  [RateMetric.Quantity]: 'Items',
  [RateMetric.WeightKG]: 'Weight in kg',
  [RateMetric.VolumeM3]: 'Volume in m³',
  [RateMetric.VirtualPallet]: 'Pallets, from the unit chain',
  [RateMetric.UnitType]: 'A unit, from the unit chain',
  [RateMetric.TaskValue]: 'Value of a task',
  [RateMetric.ConsumableValue]: 'Value of a consumable',
  [RateMetric.Lines]: 'Lines',
  [RateMetric.LogisticUnits]: 'Logistic units',
  [RateMetric.Serials]: 'Serials',
  [RateMetric.ChargeableWeightKG]: 'Weight or volume, the greater',
  [RateMetric.Locations]: 'Places in use',
}

const chosen: Readonly<Record<string, Readonly<Record<number, string>>>> = {
  kind: Object.fromEntries(Object.values(RateKind).map(kind => [kind, rateCardWords.kind(kind)])),
  basis: {
    [RateBasis.Metric]: 'All lines together',
    [RateBasis.Product]: 'Lines by product',
  },
  metric: metrics,
  metricResolution: { [MetricResolution.Compound]: 'No', [MetricResolution.Cascade]: 'Yes' },
  rounding: {
    [MetricRounding.None]: 'As measured',
    [MetricRounding.Up]: 'Up',
    [MetricRounding.Nearest]: 'To the nearest',
  },
  application: {
    [ChargeApplication.Rate]: 'Rate times quantity',
    [ChargeApplication.Fee]: 'Fee, once',
  },
  'breaks.kind': {
    [RateBreaks.None]: 'None',
    [RateBreaks.Selective]: 'All of it at the band it falls in',
    [RateBreaks.Progressive]: 'Each part at the rate of its band',
  },
  'storage.count': {
    [StorageCount.Closing]: 'As each day ends',
    [StorageCount.Opening]: 'As each day begins',
    [StorageCount.Chronological]: 'The most of each day',
    [StorageCount.PartThereof]: 'As each day begins, and what it receives',
    [StorageCount.CumulativePartThereof]: 'As the period begins, and all received since',
  },
  'storage.method': {
    [StorageMethod.SumOfDays]: 'Sum of the days',
    [StorageMethod.Average]: 'Average of the days',
    [StorageMethod.Maximum]: 'The most',
    [StorageMethod.StartOfPeriod]: 'Its start',
    [StorageMethod.Anniversary]: 'From each receipt',
  },
  'storage.period': Object.fromEntries(
    Object.values(BillingPeriod).map(period => [period, inWords(nameIn(BillingPeriod, period))]),
  ),
  'storage.receiptsCharged': {
    [ReceiptsCharged.None]: 'Free',
    [ReceiptsCharged.Full]: 'In full',
    [ReceiptsCharged.HalfAfterMid]: 'Half after the middle',
    [ReceiptsCharged.DaysLeft]: 'By the days left',
  },
}

const groupNames: Readonly<Record<string, string>> = {
  ...{ warehouse: 'Warehouse', zone: 'Zone', location: 'Place', product: 'Product' },
  ...{ productGroup: 'Product group', hazardClass: 'Hazard class', logisticUnit: 'Logistic unit' },
}

/** What storage can be charged by, as options. */
export const groupOptions = Object.entries(groupNames).map(([value, text]) => ({ value, text }))

/** The values that a field of a few can have, as options. */
export const optionsOfField = (field: string) =>
  Object.entries(chosen[field] ?? {}).map(([value, text]) => ({ value, text }))

/** What a field is called. */
export function fieldName(field: string): string {
  const selector = field.replace(/^when\./, '') as SelectorName
  return fieldWords[field as keyof typeof fieldWords] ?? selectorWords[selector] ?? inWords(field)
}

type Band = NonNullable<RateCharge['breaks']>['bands'][number]

const bandInWords = ({ upTo, rateExclTax, baseExclTax }: Band) =>
  [
    baseExclTax == null ? '' : `${price(baseExclTax)} plus `,
    price(rateExclTax),
    upTo == null ? ' above' : ` up to ${quantity(upTo)}`,
  ].join('')

/** The value of a field in words. */
export function fieldValue(field: string, value: unknown, nameOf: NameOf): string {
  if (value === null || value === undefined) return rateCardWords.nothing
  if (field === 'rate') return rateCardWords.ratePrices((value as Rate).charges.length)
  if (field === 'charge') return sentenceOf(value as RateCharge, 0, true, nameOf)
  if (field === 'breaks.bands') return (value as readonly Band[]).map(bandInWords).join(', ')
  if (field === 'storage.groupBy')
    return (value as readonly string[]).map(group => groupNames[group] ?? group).join(', ')
  if (field.startsWith('when.')) {
    const selector = field.slice('when.'.length) as SelectorName
    return [value]
      .flat()
      .map(item => selectorValue(selector, item, nameOf))
      .join(', ')
  }
  if (field === 'charges') return (value as readonly string[]).map(nameOf).join(', ')
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  if (typeof value === 'number') return chosen[field]?.[value] ?? price(value)
  return nameOf(String(value))
}
