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
  evaluateCard,
  type RatedCharge,
  unratedWithoutCard,
} from '../evaluator/evaluate.ts'
import {
  add,
  divideRounded,
  type ExactInteger,
  multiply,
  subtract,
  textOf,
  toNumber,
  wholeOf,
} from '../evaluator/exact.ts'
import { findMatchedCard } from '../evaluator/matched-cards.ts'
import { fillParticulars, type Placeholder } from '../evaluator/particulars.ts'
import type { LoadedVersion } from '../rate-cards/version-cache.ts'
import {
  type BillableConsignment,
  type CardInForce,
  describePart,
  inputOf,
  type PartDescription,
} from './billable-consignment.ts'

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
export interface WorkWithoutRate {
  part: PartDescription
  quantity: number
  reason: UnratedReason
}

/** The result of rating a consignment by the card of one side. */
export interface RatedSide {
  version: LoadedVersion
  card: CardInForce
  terms: ChargeTerms
  evaluation: Evaluation
}

/** A consignment's computed charges and unrated work. */
export interface RatedConsignment {
  charges: ComputedCharge[]
  unrated: WorkWithoutRate[]
  client: RatedSide | null
  carrier: RatedSide | null
}

/**
 * Returns the id of a computed charge. It stays the same while rate charge and part exist, so that the charge
 * can be excluded and proved, and changes with each closing.
 */
export function chargeId(
  { id, closings }: Pick<BillableConsignment, 'id' | 'closings'>,
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
export const metricUnitNames: Partial<Record<RateMetric, string>> = {
  [RateMetric.WeightKG]: 'kg',
  [RateMetric.ChargeableWeightKG]: 'kg',
  [RateMetric.VolumeM3]: 'm³',
  [RateMetric.VirtualPallet]: 'pallets',
  [RateMetric.LogisticUnits]: 'logistic units',
  [RateMetric.Locations]: 'locations',
}

const placeName = (place: BillableConsignment['origin']): string | null =>
  place?.suburb || place?.city || null

/** The name of the unit type that a charge counts in, as its goods know it; null if it counts in none. */
export const unitNameOf = (
  { lines }: BillableConsignment,
  { unitTypeId }: Pick<CompiledCharge, 'unitTypeId'>,
): string | null =>
  lines
    .flatMap(({ facts }) => facts?.steps ?? [])
    .find(({ inputUnitTypeId }) => unitTypeId !== null && inputUnitTypeId === unitTypeId)
    ?.inputUnitTypeName ?? null

/** Returns the values of the placeholders in a charge's particulars. */
function placeholderValues(
  consignment: BillableConsignment,
  { charge, partKey, row, faf }: RatedCharge,
  activityName: string | null,
): Partial<Record<Placeholder, string | null>> {
  const key = partKey.split('/')[0]
  const product = consignment.lines.find(({ productId }) => charge.isByProduct && productId === key)
  const findTypeName = (values: BillableConsignment['tasks']) =>
    values.find(({ typeId }) => typeId === key)?.name ?? null
  return {
    activityName,
    productCode: product?.productCode ?? null,
    productName: product?.productName ?? null,
    taskType: findTypeName(consignment.tasks),
    consumableType: findTypeName(consignment.consumables),
    carrierName: consignment.carrierName,
    origin: placeName(consignment.origin),
    destination: placeName(consignment.destination),
    containerNumber: consignment.containerNumber,
    referenceNumber: consignment.referenceNumber,
    metric: withoutTrailingZeros(textOf(6, row.metric)),
    unit: unitNameOf(consignment, charge) ?? metricUnitNames[charge.metric] ?? null,
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
  warehouse: Pick<BillableConsignment, 'warehouseRevenueAccountId' | 'warehouseCostCentreId'>,
) => ({
  taxRateId: content.taxRateId ?? activity?.taxRateId ?? version.content.defaultTaxRateId,
  revenueAccountId:
    content.revenueAccountId ?? activity?.revenueAccountId ?? warehouse.warehouseRevenueAccountId,
  costCentreId: content.costCentreId ?? warehouse.warehouseCostCentreId,
})

function computedCharge(
  consignment: BillableConsignment,
  { version, card }: RatedSide,
  rated: RatedCharge,
  { taxRates, activityTypes }: BillingSetUp,
): ComputedCharge {
  const { rate, charge, row, partKey, faf } = rated
  const { content } = charge
  const activity = activityOf(rate, activityTypes)
  const accounts = accountsOf(rated, version, activity, consignment)
  const cents = (amount: ExactInteger | null) => (amount === null ? null : textOf(2, amount))
  const isCarrier = rate.kind === RateKind.CarrierFreight
  return {
    id: chargeId(consignment, content.id, partKey),
    partnerId: isCarrier ? (consignment.carrierId as string) : consignment.clientId,
    chargeType: chargeTypes[rate.kind]?.[rate.content.basis] as ChargeType,
    chargeApplication: content.application,
    isIncluded: !consignment.exclusions.some(
      excluded => excluded.rateChargeId === content.id && excluded.partKey === partKey,
    ),
    particulars: fillParticulars(
      content.particulars || rate.content.name,
      content.particulars ? placeholderValues(consignment, rated, activity?.name ?? null) : {},
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
  consignment: BillableConsignment,
  input: ChargeInput,
  side: 'client' | 'carrier',
  versions: ReadonlyMap<string, LoadedVersion>,
): RatedSide | null {
  const card = side === 'client' ? consignment.clientCard : consignment.carrierCard
  const version = card === null ? undefined : versions.get(card.rateCardVersionId)
  if (card === null || version === undefined) return null
  const terms = {
    side,
    freightResolution:
      side === 'client' ? consignment.clientFreightResolution : consignment.carrierFreightResolution,
    faf: wholeOf(6, card.fafPercent ?? '0'),
  }
  const matched = findMatchedCard(version.card, side, input.header)
  return { version, card, terms, evaluation: evaluateCard(matched, input, terms) }
}

/** The ids of the card versions that charge a consignment. */
export const versionIdsOf = ({ clientCard, carrierCard }: BillableConsignment): string[] =>
  [clientCard, carrierCard].flatMap(card => (card === null ? [] : [card.rateCardVersionId]))

/** Computes the charges of a consignment: those of its client's card, then those of its carrier's. */
export function rateConsignment(
  consignment: BillableConsignment,
  versions: ReadonlyMap<string, LoadedVersion>,
  setUp: BillingSetUp,
): RatedConsignment {
  const input = inputOf(consignment)
  const client = rateSide(consignment, input, 'client', versions)
  const carrier = rateSide(consignment, input, 'carrier', versions)
  const charges = [client, carrier].flatMap(side =>
    side === null
      ? []
      : side.evaluation.charges.map(rated => computedCharge(consignment, side, rated, setUp)),
  )
  return { charges, unrated: unratedWork(consignment, input, client), client, carrier }
}

function unratedWork(
  consignment: BillableConsignment,
  input: ChargeInput,
  client: RatedSide | null,
): WorkWithoutRate[] {
  const unrated = client === null ? unratedWithoutCard(input) : client.evaluation.unrated
  return unrated.map(({ part, quantity, reason }) => ({
    part: describePart(consignment, part),
    quantity: toNumber(4, quantity),
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
  charged: ExactInteger,
  incurred: ExactInteger | null,
  warning: FreightWarning,
): FreightMargin {
  const chargedExclTax = toNumber(2, charged)
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
    incurredExclTax: toNumber(2, incurred),
    marginExclTax: toNumber(2, margin),
    marginPercent: toNumber(2, percent),
    isBelowThreshold: isBelowThreshold(margin, charged, warning),
  }
}

/**
 * Whether a margin, which is not rounded for this, is below the threshold. Nothing charged or owed is not.
 */
function isBelowThreshold(
  margin: ExactInteger,
  charged: ExactInteger,
  { freightWarningType, freightWarningThreshold }: FreightWarning,
): boolean {
  const threshold = wholeOf(6, freightWarningThreshold)
  if (freightWarningType === FreightWarningType.Value) return multiply(margin, 10_000) < threshold
  if (freightWarningType === FreightWarningType.None) return false
  if (charged > 0) return multiply(margin, 100_000_000) < multiply(threshold, charged)
  return margin < 0
}

/** Returns a margin in hundredths of a percent. */
function percentOf(margin: ExactInteger, charged: ExactInteger): ExactInteger {
  if (charged > 0) return divideRounded(multiply(margin, 10_000), charged)
  return margin < 0 ? -10_000 : 0
}

/** Adds up decimals with two places. Returns cents. */
export const sumOfCents = (amounts: readonly string[]): ExactInteger =>
  amounts.reduce<ExactInteger>((sum, amount) => add(sum, wholeOf(2, amount)), 0)
