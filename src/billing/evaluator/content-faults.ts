// Finds the faults of a content that its schema cannot express, all of them at once, with their paths. Pure.
// It runs in addition to the schema's checks, so the content may have any shape; values of the wrong shape
// are skipped here, because the schema reports them.

import type { ValidationError } from '../../platform/http/validation.ts'
import {
  ChargeApplication,
  MetricRounding,
  RateBasis,
  RateBreaks,
  RateKind,
  RateMetric,
  StorageMethod,
} from '../../vocabulary/billing.ts'
import { MetricResolution, Relationship } from '../../vocabulary/partners.ts'
import { unknownPlaceholders } from './particulars.ts'

/** The maximum number of rates in a version, of charges in a rate, and of charges in a version. */
export const maxRates = 200
export const maxCharges = 500
const maxChargesOfVersion = 1_000

type Fields = Record<string, unknown>
type AddFault = (field: string, problem: string, code?: ValidationError['code']) => void

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isSet = (value: unknown) => value !== undefined && value !== null
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

const productSelectors = [
  'productIds',
  'productGroupIds',
  'productAttributes',
  'dgHazardClassIds',
  'packageTypeCodes',
]
const storageSelectors = ['zoneIds', 'locationIds', 'locationTypes']
/** The selectors of facts that consignments have and goods in store lack. */
const consignmentSelectors = [
  ...['consignmentTypes', 'serviceTypeIds', 'carrierIds', 'priorities', 'isContainerised', 'containerSizes'],
  ...['containerTypes', 'originLocalityIds', 'destinationLocalityIds', 'packageTypeCodes', 'weekdays'],
]

const lineMetrics: readonly unknown[] = [
  RateMetric.Quantity,
  RateMetric.WeightKG,
  RateMetric.VolumeM3,
  RateMetric.VirtualPallet,
  RateMetric.UnitType,
  RateMetric.Lines,
  RateMetric.LogisticUnits,
  RateMetric.Serials,
  RateMetric.ChargeableWeightKG,
]
const storageMetrics: readonly unknown[] = [
  RateMetric.Quantity,
  RateMetric.WeightKG,
  RateMetric.VolumeM3,
  RateMetric.VirtualPallet,
  RateMetric.UnitType,
  RateMetric.LogisticUnits,
  RateMetric.Locations,
]

/** Finds the faults of a content, as the `rule` of its schema. */
export function contentFaults(content: unknown): ValidationError[] {
  if (!isFields(content)) return []
  const faults: ValidationError[] = []
  const rates = listOf(content.rates)
  faults.push(...duplicateIdFaults(rates))
  let charges = 0
  for (const [r, rate] of rates.entries()) {
    if (!isFields(rate)) continue
    faults.push(...faultsAt(`/rates/${r}`, add => rateFaults(rate, add)))
    for (const [c, charge] of listOf(rate.charges).entries()) {
      charges++
      if (isFields(charge))
        faults.push(...faultsAt(`/rates/${r}/charges/${c}`, add => chargeFaults(rate, charge, add)))
    }
  }
  if (charges > maxChargesOfVersion)
    faults.push({
      path: '/rates',
      problem: `must have at most ${maxChargesOfVersion.toLocaleString('en-GB')} charges in all`,
      code: 'length',
    })
  return faults
}

function faultsAt(path: string, find: (add: AddFault) => void): ValidationError[] {
  const faults: ValidationError[] = []
  find((field, problem, code = 'invalid') =>
    faults.push({ path: field === '' ? path : `${path}/${field}`, problem, code }),
  )
  return faults
}

/** The ids that two rates, or two charges, have in common. */
function duplicateIdFaults(rates: unknown[]): ValidationError[] {
  const faults: ValidationError[] = []
  const pathByKey = new Map<string, string>()
  const check = (kind: string, entry: unknown, path: string) => {
    const id = isFields(entry) ? entry.id : undefined
    if (typeof id !== 'string') return
    const key = `${kind} ${id.toLowerCase()}`
    const earlier = pathByKey.get(key)
    if (earlier === undefined) pathByKey.set(key, path)
    else faults.push({ path: `${path}/id`, problem: 'must not be given twice', code: 'duplicate' })
  }
  for (const [r, rate] of rates.entries()) {
    check('rate', rate, `/rates/${r}`)
    const charges = isFields(rate) ? listOf(rate.charges) : []
    for (const [c, charge] of charges.entries()) check('charge', charge, `/rates/${r}/charges/${c}`)
  }
  return faults
}

function rateFaults({ kind, basis, activityTypeId }: Fields, add: AddFault): void {
  const hasActivity = [RateKind.Activity, RateKind.Storage, RateKind.Periodic].some(
    activityKind => activityKind === kind,
  )
  const isFreight = kind === RateKind.ClientFreight || kind === RateKind.CarrierFreight
  if (hasActivity && !isSet(activityTypeId))
    add('activityTypeId', `is required when kind is ${kind}`, 'required')
  if (isFreight && isSet(activityTypeId)) add('activityTypeId', 'must be left out for freight')
  if (kind === RateKind.Storage && basis === RateBasis.Metric) add('basis', 'must be 2 (Product) for storage')
  if (kind === RateKind.Periodic && basis === RateBasis.Product)
    add('basis', 'must be 1 (Metric) for a periodic fee')
}

function chargeFaults(rate: Fields, charge: Fields, add: AddFault): void {
  metricFaults(rate, charge, add)
  selectorFaults(rate, charge, add)
  measureFaults(charge, add)
  priceFaults(charge, add)
  breakFaults(charge, add)
  storageFaults(rate, charge, add)
  const { isFafExempt, particulars } = charge
  const isFreight = rate.kind === RateKind.ClientFreight || rate.kind === RateKind.CarrierFreight
  if (isFafExempt === true && !isFreight)
    add('isFafExempt', 'must be left out unless the rate is one of freight')
  for (const word of typeof particulars === 'string' ? unknownPlaceholders(particulars) : [])
    add('particulars', `has the placeholder ${word}, which there is not`)
}

/** Checks that a kind of rate may have the metric. */
function metricFaults(
  { kind, basis }: Fields,
  { metric, isPerProduct, application }: Fields,
  add: AddFault,
): void {
  if (kind === RateKind.Storage && isSet(metric) && !storageMetrics.includes(metric))
    add('metric', `must be one of ${storageMetrics.join(', ')} for storage`)
  if (kind !== RateKind.Storage && metric === RateMetric.Locations)
    add('metric', 'must not be 13 (Locations) unless kind is 4 (Storage)')
  if (kind === RateKind.Periodic) {
    if (isSet(metric) && metric !== RateMetric.Consignment) add('metric', 'must be 1 for a periodic fee')
    if (application === ChargeApplication.Rate) add('application', 'must be 2 (Fee) for a periodic fee')
  }
  if (isPerProduct === true && (basis !== RateBasis.Product || !lineMetrics.includes(metric)))
    add('isPerProduct', 'must be left out unless basis is 2 (Product) and the metric is one of lines')
}

function selectorFaults({ kind, basis }: Fields, { metric, when }: Fields, add: AddFault): void {
  const selectors = isFields(when) ? when : {}
  const refuse = (names: readonly string[], problem: string) => {
    for (const name of names) if (isSet(selectors[name])) add(`when/${name}`, problem)
  }
  if (kind === RateKind.Periodic) refuse(Object.keys(selectors), 'must be left out for a periodic fee')
  else {
    if (basis === RateBasis.Metric) refuse(productSelectors, 'must be left out unless basis is 2 (Product)')
    if (kind !== RateKind.Storage) refuse(storageSelectors, 'must be left out unless kind is 4 (Storage)')
    else refuse(consignmentSelectors, 'must be left out for storage: goods in store have none')
    const isOfValues = metric === RateMetric.TaskValue || metric === RateMetric.ConsumableValue
    if (isOfValues && basis !== RateBasis.Metric) refuse(productSelectors, 'must be left out for this metric')
  }
  for (const [name, needing, noun] of [
    ['taskTypeIds', RateMetric.TaskValue, '7 (TaskValue)'],
    ['consumableTypeIds', RateMetric.ConsumableValue, '8 (ConsumableValue)'],
  ] as const) {
    if (metric === needing && !isSet(selectors[name]))
      add(`when/${name}`, `is required when metric is ${noun}`, 'required')
    if (metric !== needing && kind !== RateKind.Periodic)
      refuse([name], `must be left out unless metric is ${noun}`)
  }
}

/** Checks the fields that a metric needs, and those that it does not use. */
function measureFaults(charge: Fields, add: AddFault): void {
  const { metric, unitTypeId, metricResolution, cubicKGPerM3, rounding, roundTo } = charge
  const isUnit = metric === RateMetric.UnitType
  if (isUnit && !isSet(unitTypeId)) add('unitTypeId', 'is required when metric is 6 (UnitType)', 'required')
  if (!isUnit && isSet(unitTypeId)) add('unitTypeId', 'must be left out unless metric is 6 (UnitType)')
  const isOfUnits = isUnit || metric === RateMetric.VirtualPallet
  if (metricResolution === MetricResolution.Cascade && !isOfUnits)
    add('metricResolution', 'must not be 2 (Cascade) unless metric is 5 (VirtualPallet) or 6 (UnitType)')
  const isChargeable = metric === RateMetric.ChargeableWeightKG
  if (isChargeable && !isSet(cubicKGPerM3))
    add('cubicKGPerM3', 'is required when metric is 12 (ChargeableWeightKG)', 'required')
  if (!isChargeable && isSet(cubicKGPerM3))
    add('cubicKGPerM3', 'must be left out unless metric is 12 (ChargeableWeightKG)')
  if (isSet(roundTo) && (!isSet(rounding) || rounding === MetricRounding.None))
    add('roundTo', 'must be left out where nothing is rounded')
}

function priceFaults(charge: Fields, add: AddFault): void {
  const { application, rateExclTax, minExclTax, maxExclTax, breaks } = charge
  const kind = isFields(breaks) ? breaks.kind : RateBreaks.None
  const hasBands = kind === RateBreaks.Selective || kind === RateBreaks.Progressive
  if (!hasBands && !isSet(rateExclTax)) add('rateExclTax', 'is required', 'required')
  if (hasBands && isSet(rateExclTax)) add('rateExclTax', 'must be left out where bands have the rates')
  if (application === ChargeApplication.Fee)
    for (const field of ['baseExclTax', 'minExclTax', 'maxExclTax'])
      if (isSet(charge[field])) add(field, 'must be left out for a fee')
  const rates = hasBands
    ? listOf((breaks as Fields).bands).map(band => (isFields(band) ? band.rateExclTax : 0))
    : [rateExclTax]
  if (isSet(minExclTax) && rates.some(rate => typeof rate === 'number' && rate < 0))
    add('minExclTax', 'must be left out for a rebate')
  if (typeof minExclTax === 'number' && typeof maxExclTax === 'number' && maxExclTax < minExclTax)
    add('maxExclTax', 'must not be less than minExclTax', 'range')
}

function breakFaults({ application, minExclTax, maxExclTax, breaks }: Fields, add: AddFault): void {
  if (!isFields(breaks)) return
  const bands = listOf(breaks.bands)
  const isProgressive = breaks.kind === RateBreaks.Progressive
  if (breaks.kind === RateBreaks.None) {
    if (bands.length > 0) add('breaks/bands', 'must be empty where there are no breaks')
    return
  }
  if (bands.length === 0) add('breaks/bands', 'must have a band', 'length')
  if (isProgressive && application === ChargeApplication.Fee)
    add('breaks/kind', 'must not be 2 (Progressive) for a fee')
  if (isProgressive && (isSet(minExclTax) || isSet(maxExclTax)))
    add('breaks/kind', 'must not be 2 (Progressive) beside minExclTax or maxExclTax')
  let below = 0
  for (const [b, band] of bands.entries()) {
    if (!isFields(band)) continue
    const { upTo, baseExclTax } = band
    const isLast = b === bands.length - 1
    if (isLast && isSet(upTo)) add(`breaks/bands/${b}/upTo`, 'must be null: the last band has no end')
    if (!isLast && !isSet(upTo)) add(`breaks/bands/${b}/upTo`, 'is required but in the last band', 'required')
    if (!isLast && typeof upTo === 'number' && upTo <= below)
      add(`breaks/bands/${b}/upTo`, 'must be more than that of the band before', 'range')
    if (typeof upTo === 'number') below = upTo
    if (isSet(baseExclTax) && (isProgressive || application === ChargeApplication.Fee))
      add(`breaks/bands/${b}/baseExclTax`, 'must be left out for progressive breaks and fees')
  }
}

function storageFaults({ kind }: Fields, { metricResolution, storage }: Fields, add: AddFault): void {
  if (kind === RateKind.Storage && !isSet(storage))
    add('storage', 'is required when kind is 4 (Storage)', 'required')
  if (kind !== RateKind.Storage && isSet(storage))
    add('storage', 'must be left out unless kind is 4 (Storage)')
  if (kind === RateKind.Storage && metricResolution === MetricResolution.Cascade)
    add('metricResolution', 'must not be 2 (Cascade) for storage: goods go to a charge wholly')
  if (!isFields(storage) || storage.method === StorageMethod.StartOfPeriod) return
  for (const field of ['receiptsCharged', 'isInAdvance'])
    if (isSet(storage[field])) add(`storage/${field}`, 'must be left out unless method is 4 (StartOfPeriod)')
}

/** Finds the rates that do not fit a card of clients or of carriers. Paths begin with `content`. */
export function relationshipFaults(content: { rates: readonly { kind: RateKind }[] }, relationship: number) {
  const isCarrier = relationship === Relationship.Carrier
  return content.rates.flatMap(({ kind }, r) => {
    if ((kind === RateKind.CarrierFreight) === isCarrier) return []
    const kinds = isCarrier
      ? 'be 3 (CarrierFreight) on the card of a carrier'
      : 'not be 3 (CarrierFreight) on the card of a client'
    return [{ path: `content.rates[${r}].kind`, problem: `must ${kinds}` }]
  })
}
