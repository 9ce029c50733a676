// What a consignment comes to: the evaluator's rows with everything that a charge says on a bill. Pure.

import { hash } from 'node:crypto'
import { FreightWarningType } from '../../partners/enumerations.ts'
import { ChargeType, RateBasis, RateKind, RateMetric, type UnratedReason } from '../enumerations.ts'
import type { ChargeInput } from '../rate-cards/charge-input.ts'
import type { CompiledCharge, CompiledRate } from '../rate-cards/compiled-card.ts'
import {
  type ChargeTerms,
  type Evaluation,
  evaluateMatched,
  type RatedCharge,
  unratedWithoutCard,
} from '../rate-cards/evaluate.ts'
import {
  add,
  divideRounded,
  multiply,
  numberOf,
  subtract,
  textOf,
  type Whole,
  wholeOf,
} from '../rate-cards/exact.ts'
import { matchedCard } from '../rate-cards/matched-cards.ts'
import { fillParticulars, type Placeholder } from '../rate-cards/particulars.ts'
import type { LoadedVersion } from '../rate-cards/version-cache.ts'
import {
  type ChargeSubject,
  describePart,
  inputOf,
  type PartDescription,
  type SubjectCard,
} from './charge-subject.ts'

/** What bills take from the set-up of the organisation. */
export interface BillingSetUp {
  taxRates: ReadonlyMap<string, { percent: string }>
  activityTypes: ReadonlyMap<
    string,
    { code: string; name: string; revenueAccountId: string | null; taxRateId: string | null }
  >
}

/** A charge that makes itself. Decimals are text. */
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

/** Work that nothing charges. */
export interface UnratedWork {
  part: PartDescription
  quantity: number
  reason: UnratedReason
}

/** What one side's card made of a consignment. */
export interface RatedSide {
  version: LoadedVersion
  card: SubjectCard
  terms: ChargeTerms
  evaluation: Evaluation
}

/** What a consignment comes to. */
export interface RatedConsignment {
  charges: ComputedCharge[]
  unrated: UnratedWork[]
  client: RatedSide | null
  carrier: RatedSide | null
}

/**
 * The id of a charge: the same at every read while rule and part exist, so that it can be excluded and
 * proved; another after each closing.
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

const typesOf: Partial<Record<RateKind, Record<RateBasis, ChargeType>>> = {
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

/** Without zeros at the end. */
export const withoutTrailingZeros = (digits: string): string =>
  digits.includes('.') ? digits.replace(/\.?0+$/, '') : digits

/** What metrics are counted in, where that is not a unit type. */
export const unitNames: Partial<Record<RateMetric, string>> = {
  [RateMetric.WeightKG]: 'kg',
  [RateMetric.ChargeableWeightKG]: 'kg',
  [RateMetric.VolumeM3]: 'm³',
  [RateMetric.VirtualPallet]: 'pallets',
  [RateMetric.LogisticUnits]: 'logistic units',
  [RateMetric.Locations]: 'locations',
}

const placeName = (place: ChargeSubject['origin']): string | null => place?.suburb || place?.city || null

/** What the placeholders of a charge's particulars stand for. */
function placeholderValues(
  subject: ChargeSubject,
  { charge, partKey, row, faf }: RatedCharge,
  activityName: string | null,
): Partial<Record<Placeholder, string | null>> {
  const key = partKey.split('/')[0]
  const product = subject.lines.find(({ productId }) => charge.isByProduct && productId === key)
  const nameIn = (values: ChargeSubject['tasks']) => values.find(({ typeId }) => typeId === key)?.name ?? null
  const unitName = subject.lines
    .flatMap(({ facts }) => facts?.steps ?? [])
    .find(({ inputUnitTypeId }) => charge.unitTypeId !== null && inputUnitTypeId === charge.unitTypeId)
  return {
    activityName,
    productCode: product?.productCode ?? null,
    productName: product?.productName ?? null,
    taskType: nameIn(subject.tasks),
    consumableType: nameIn(subject.consumables),
    carrierName: subject.carrierName,
    origin: placeName(subject.origin),
    destination: placeName(subject.destination),
    containerNumber: subject.containerNumber,
    referenceNumber: subject.referenceNumber,
    metric: withoutTrailingZeros(textOf(6, row.metric)),
    unit: unitName?.inputUnitTypeName ?? unitNames[charge.metric] ?? null,
    rate: withoutTrailingZeros(textOf(6, row.rate)),
    fafPercent: withoutTrailingZeros(textOf(4, faf)),
  }
}

type Activity = BillingSetUp['activityTypes'] extends ReadonlyMap<string, infer A> ? A : never

/** The activity that a rate is for. */
export const activityOf = (
  { content: { activityTypeId } }: CompiledRate,
  activityTypes: BillingSetUp['activityTypes'],
): Activity | undefined => (activityTypeId ? activityTypes.get(activityTypeId) : undefined)

/** By what tax and to which accounts a rate charge is billed: its own, else activity's and warehouse's. */
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
    chargeType: typesOf[rate.kind]?.[rate.content.basis] as ChargeType,
    chargeApplication: content.application,
    isIncluded: !subject.exclusions.some(one => one.rateChargeId === content.id && one.partKey === partKey),
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
  const matched = matchedCard(version.card, side, input.header)
  return { version, card, terms, evaluation: evaluateMatched(matched, input, terms) }
}

/** The versions that a subject is charged by. */
export const versionIdsOf = ({ clientCard, carrierCard }: ChargeSubject): string[] =>
  [clientCard, carrierCard].flatMap(card => (card === null ? [] : [card.rateCardVersionId]))

/** What a consignment comes to: its client's rows, then its carrier's. */
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

/** What of freight is charged and what it costs; null where that is not known. */
export interface FreightMargin {
  chargedExclTax: number
  incurredExclTax: number | null
  marginExclTax: number | null
  marginPercent: number | null
  isBelowThreshold: boolean
}

/** When a margin is worth a warning. */
export interface FreightWarning {
  freightWarningType: number
  freightWarningThreshold: string
}

/**
 * The margin of freight, of amounts in cents. The percentage is of what is charged; where nothing is charged
 * for a cost it is -100.
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
  const threshold = wholeOf(6, warning.freightWarningThreshold)
  const value =
    warning.freightWarningType === FreightWarningType.Value
      ? multiply(margin, 10_000)
      : multiply(percent, 10_000)
  return {
    chargedExclTax,
    incurredExclTax: numberOf(2, incurred),
    marginExclTax: numberOf(2, margin),
    marginPercent: numberOf(2, percent),
    isBelowThreshold: warning.freightWarningType !== FreightWarningType.None && value < threshold,
  }
}

/** In hundredths of a percent. */
function percentOf(margin: Whole, charged: Whole): Whole {
  if (charged > 0) return divideRounded(multiply(margin, 10_000), charged)
  return margin < 0 ? -10_000 : 0
}

/** The sum of decimals with two places, in cents. */
export const sumOfCents = (amounts: readonly string[]): Whole =>
  amounts.reduce<Whole>((sum, amount) => add(sum, wholeOf(2, amount)), 0)
