// Computes the charges of a consignment: the evaluator's rows, completed with everything a bill shows. Pure.

import { hash } from 'node:crypto'
import { withoutTrailingZeros } from '../../platform/decimal.ts'
import { ChargeType, RateBasis, RateKind, RateMetric, type UnratedReason } from '../../vocabulary/billing.ts'
import { FreightWarningType } from '../../vocabulary/partners.ts'
import type { ChargeInput } from '../evaluator/charge-input.ts'
import type { CompiledCharge, CompiledRate } from '../evaluator/compiled-card.ts'
import {
  type ChargeTerms,
  type Evaluation,
  evaluateMatched,
  type RatedCharge,
  unratedWithoutCard,
} from '../evaluator/evaluate.ts'
import {
  add,
  divideRounded,
  multiply,
  numberOf,
  subtract,
  textOf,
  type Whole,
  wholeOf,
} from '../evaluator/exact.ts'
import { findMatchedCard } from '../evaluator/matched-cards.ts'
import { fillParticulars, type Placeholder } from '../evaluator/particulars.ts'
import type { LoadedVersion } from '../rate-cards/version-cache.ts'
import {
  type ChargeSubject,
  describePart,
  inputOf,
  type PartDescription,
  type SubjectCard,
} from './charge-subject.ts'

/** The part of the organisation's set-up that billing uses. */
export interface BillingSetUp {
  taxRates: ReadonlyMap<string, { percent: string }>
  activityTypes: ReadonlyMap<
    string,
    { code: string; name: string; revenueAccountId: string | null; taxRateId: string | null }
  >
}

/** A charge that follows from a rate card. Decimals are text. */
export interface ComputedCharge {
  id: string
  partnerId: string
  chargeType: ChargeType
  chargeApplication: number
  isIncluded: boolean
  particulars: string
  metricValue: string
  chargeMin: string | null
  chargeBase: string | null
  chargeRate: string
  chargeMax: string | null
  taxRateId: string
  taxRatePercent: string
  revenueAccountId: string | null
  costCentreId: string | null
  amountExclTax: string
  rateCardVersionId: string
  rateId: string
  rateChargeId: string
  partKey: string
  activityTypeId: string | null
  activityCode: string | null
  activityName: string | null
  fafPercent: string
  fafProfileRateId: string | null
}

/** Work that no rate charges. */
export interface UnratedWork {
  part: PartDescription
  quantity: number
  reason: UnratedReason
}

/** The result of rating a consignment by the card of one side. */
export interface RatedSide {
  version: LoadedVersion
  card: SubjectCard
  terms: ChargeTerms
  evaluation: Evaluation
}

/** A consignment's computed charges and unrated work. */
export interface RatedConsignment {
  charges: ComputedCharge[]
  unrated: UnratedWork[]
  client: RatedSide | null
  carrier: RatedSide | null
}

/**
 * Returns the id of a computed charge. It stays the same while rate charge and part exist, so that the charge
 * can be excluded and proved, and changes with each closing.
 */
export function chargeId(
  { id, closings }: Pick<ChargeSubject, 'id' | 'closings'>,
  rateChargeId: string,
  partKey: string,
): string {
  const digits = hash('sha256', `${id} ${closings} ${rateChargeId} ${partKey}`, 'hex')
  const variant = ((Number.parseInt(digits.slice(16, 18), 16) & 0x3f) | 0x80).toString(16)
  return [
    digits.slice(0, 8),
    digits.slice(8, 12),
    `8${digits.slice(13, 16)}`,
    `${variant}${digits.slice(18, 20)}`,
    digits.slice(20, 32),
  ].join('-')
}

const chargeTypes: Partial<Record<RateKind, Record<RateBasis, ChargeType>>> = {
  [RateKind.Activity]: {
    [RateBasis.Metric]: ChargeType.ClientActivityMetricRate,
    [RateBasis.Product]: ChargeType.ClientActivityProductRate,
  },
  [RateKind.ClientFreight]: {
    [RateBasis.Metric]: ChargeType.ClientFreightMetricRate,
    [RateBasis.Product]: ChargeType.ClientFreightProductRate,
  },
  [RateKind.CarrierFreight]: {
    [RateBasis.Metric]: ChargeType.CarrierFreightMetricRate,
    [RateBasis.Product]: ChargeType.CarrierFreightProductRate,
  },
}

/** The unit names of metrics that are not counted in a unit type. */
export const unitNames: Partial<Record<RateMetric, string>> = {
  [RateMetric.WeightKG]: 'kg',
  [RateMetric.ChargeableWeightKG]: 'kg',
  [RateMetric.VolumeM3]: 'm³',
  [RateMetric.VirtualPallet]: 'pallets',
  [RateMetric.LogisticUnits]: 'logistic units',
  [RateMetric.Locations]: 'locations',
}

const placeName = (place: ChargeSubject['origin']): string | null => place?.suburb || place?.city || null

/** The name of the unit type that a charge counts in, as its goods know it; null if it counts in none. */
export const unitNameOf = (
  { lines }: ChargeSubject,
  { unitTypeId }: Pick<CompiledCharge, 'unitTypeId'>,
): string | null =>
  lines
    .flatMap(({ facts }) => facts?.steps ?? [])
    .find(({ inputUnitTypeId }) => unitTypeId !== null && inputUnitTypeId === unitTypeId)
    ?.inputUnitTypeName ?? null

/** Returns the values of the placeholders in a charge's particulars. */
function placeholderValues(
  subject: ChargeSubject,
  { charge, partKey, row, faf }: RatedCharge,
  activityName: string | null,
): Partial<Record<Placeholder, string | null>> {
  const key = partKey.split('/')[0]
  const product = subject.lines.find(({ productId }) => charge.isByProduct && productId === key)
  const findTypeName = (values: ChargeSubject['tasks']) =>
    values.find(({ typeId }) => typeId === key)?.name ?? null
  return {
    activityName,
    productCode: product?.productCode ?? null,
    productName: product?.productName ?? null,
    taskType: findTypeName(subject.tasks),
    consumableType: findTypeName(subject.consumables),
    carrierName: subject.carrierName,
    origin: placeName(subject.origin),
    destination: placeName(subject.destination),
    containerNumber: subject.containerNumber,
    referenceNumber: subject.referenceNumber,
    metric: withoutTrailingZeros(textOf(6, row.metric)),
    unit: unitNameOf(subject, charge) ?? unitNames[charge.metric] ?? null,
    rate: withoutTrailingZeros(textOf(6, row.rate)),
    fafPercent: withoutTrailingZeros(textOf(4, faf)),
  }
}

type Activity = BillingSetUp['activityTypes'] extends ReadonlyMap<string, infer A> ? A : never

/** Finds the activity type of a rate. */
export const activityOf = (
  { content: { activityTypeId } }: CompiledRate,
  activityTypes: BillingSetUp['activityTypes'],
): Activity | undefined => (activityTypeId ? activityTypes.get(activityTypeId) : undefined)

/** Returns tax rate and accounts of a rate charge: its own, else those of its activity type or warehouse. */
export const accountsOf = (
  { charge: { content } }: { charge: CompiledCharge },
  version: LoadedVersion,
  activity: Activity | undefined,
  warehouse: Pick<ChargeSubject, 'warehouseRevenueAccountId' | 'warehouseCostCentreId'>,
) => ({
  taxRateId: content.taxRateId ?? activity?.taxRateId ?? version.content.defaultTaxRateId,
  revenueAccountId:
    content.revenueAccountId ?? activity?.revenueAccountId ?? warehouse.warehouseRevenueAccountId,
  costCentreId: content.costCentreId ?? warehouse.warehouseCostCentreId,
})

function computedCharge(
  subject: ChargeSubject,
  { version, card }: RatedSide,
  rated: RatedCharge,
  { taxRates, activityTypes }: BillingSetUp,
): ComputedCharge {
  const { rate, charge, row, partKey, faf } = rated
  const { content } = charge
  const activity = activityOf(rate, activityTypes)
  const accounts = accountsOf(rated, version, activity, subject)
  const cents = (amount: Whole | null) => (amount === null ? null : textOf(2, amount))
  const isCarrier = rate.kind === RateKind.CarrierFreight
  return {
    id: chargeId(subject, content.id, partKey),
    partnerId: isCarrier ? (subject.carrierId as string) : subject.clientId,
    chargeType: chargeTypes[rate.kind]?.[rate.content.basis] as ChargeType,
    chargeApplication: content.application,
    isIncluded: !subject.exclusions.some(
      excluded => excluded.rateChargeId === content.id && excluded.partKey === partKey,
    ),
    particulars: fillParticulars(
      content.particulars || rate.content.name,
      content.particulars ? placeholderValues(subject, rated, activity?.name ?? null) : {},
    ),
    metricValue: textOf(6, row.metric),
    chargeMin: cents(charge.min),
    chargeBase: cents(row.base),
    chargeRate: textOf(6, row.rate),
    chargeMax: cents(charge.max),
    ...accounts,
    taxRatePercent: taxRates.get(accounts.taxRateId)?.percent ?? '0',
    amountExclTax: textOf(2, row.amount),
    rateCardVersionId: version.id,
    rateId: rate.content.id,
    rateChargeId: content.id,
    partKey,
    activityTypeId: rate.content.activityTypeId ?? null,
    activityCode: activity?.code ?? null,
    activityName: activity?.name ?? null,
    fafPercent: textOf(6, faf),
    fafProfileRateId: faf === 0 ? null : card.fafProfileRateId,
  }
}

function rateSide(
  subject: ChargeSubject,
  input: ChargeInput,
  side: 'client' | 'carrier',
  versions: ReadonlyMap<string, LoadedVersion>,
): RatedSide | null {
  const card = side === 'client' ? subject.clientCard : subject.carrierCard
  const version = card === null ? undefined : versions.get(card.rateCardVersionId)
  if (card === null || version === undefined) return null
  const terms = {
    side,
    freightResolution: side === 'client' ? subject.clientFreightResolution : subject.carrierFreightResolution,
    faf: wholeOf(6, card.fafPercent ?? '0'),
  }
  const matched = findMatchedCard(version.card, side, input.header)
  return { version, card, terms, evaluation: evaluateMatched(matched, input, terms) }
}

/** The ids of the card versions that charge a subject. */
export const versionIdsOf = ({ clientCard, carrierCard }: ChargeSubject): string[] =>
  [clientCard, carrierCard].flatMap(card => (card === null ? [] : [card.rateCardVersionId]))

/** Computes the charges of a consignment: those of its client's card, then those of its carrier's. */
export function rateConsignment(
  subject: ChargeSubject,
  versions: ReadonlyMap<string, LoadedVersion>,
  setUp: BillingSetUp,
): RatedConsignment {
  const input = inputOf(subject)
  const client = rateSide(subject, input, 'client', versions)
  const carrier = rateSide(subject, input, 'carrier', versions)
  const charges = [client, carrier].flatMap(side =>
    side === null ? [] : side.evaluation.charges.map(rated => computedCharge(subject, side, rated, setUp)),
  )
  return { charges, unrated: unratedWork(subject, input, client), client, carrier }
}

function unratedWork(subject: ChargeSubject, input: ChargeInput, client: RatedSide | null): UnratedWork[] {
  const unrated = client === null ? unratedWithoutCard(input) : client.evaluation.unrated
  return unrated.map(({ part, quantity, reason }) => ({
    part: describePart(subject, part),
    quantity: numberOf(4, quantity),
    reason,
  }))
}

/** The freight margin. Figures are null if the cost is unknown. */
export interface FreightMargin {
  chargedExclTax: number
  incurredExclTax: number | null
  marginExclTax: number | null
  marginPercent: number | null
  isBelowThreshold: boolean
}

/** The threshold below which a margin raises a warning: a decimal, an amount or percentage by type. */
export interface FreightWarning {
  freightWarningType: number
  freightWarningThreshold: string
}

/**
 * Computes the freight margin from amounts in cents. The percentage is of the amount charged; it is -100 if
 * there is a cost but nothing is charged.
 */
export function freightMargin(
  charged: Whole,
  incurred: Whole | null,
  warning: FreightWarning,
): FreightMargin {
  const chargedExclTax = numberOf(2, charged)
  if (incurred === null)
    return {
      chargedExclTax,
      incurredExclTax: null,
      marginExclTax: null,
      marginPercent: null,
      isBelowThreshold: false,
    }
  const margin = subtract(charged, incurred)
  const percent = percentOf(margin, charged)
  return {
    chargedExclTax,
    incurredExclTax: numberOf(2, incurred),
    marginExclTax: numberOf(2, margin),
    marginPercent: numberOf(2, percent),
    isBelowThreshold: isBelowThreshold(margin, charged, warning),
  }
}

/**
 * Whether a margin, which is not rounded for this, is below the threshold. Nothing charged or owed is not.
 */
function isBelowThreshold(
  margin: Whole,
  charged: Whole,
  { freightWarningType, freightWarningThreshold }: FreightWarning,
): boolean {
  const threshold = wholeOf(6, freightWarningThreshold)
  if (freightWarningType === FreightWarningType.Value) return multiply(margin, 10_000) < threshold
  if (freightWarningType === FreightWarningType.None) return false
  if (charged > 0) return multiply(margin, 100_000_000) < multiply(threshold, charged)
  return margin < 0
}

/** Returns a margin in hundredths of a percent. */
function percentOf(margin: Whole, charged: Whole): Whole {
  if (charged > 0) return divideRounded(multiply(margin, 10_000), charged)
  return margin < 0 ? -10_000 : 0
}

/** Adds up decimals with two places. Returns cents. */
export const sumOfCents = (amounts: readonly string[]): Whole =>
  amounts.reduce<Whole>((sum, amount) => add(sum, wholeOf(2, amount)), 0)
