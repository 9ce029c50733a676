// The evaluator: computes what a rate card charges for a consignment. Pure, and the only place that decides
// it: reading charges, closing, testing a card and proving a bill all use it. Decision 7.

import { ChargePartKind, RateBreaks, RateChargeOutcome, UnratedReason } from '../../vocabulary/billing.ts'
import { FreightResolution } from '../../vocabulary/partners.ts'
import { type PricedRow, priceRows } from './bands.ts'
import type { ChargeInput, ChargePart } from './charge-input.ts'
import type { CompiledCard, CompiledCharge, CompiledRate } from './compiled-card.ts'
import { add, type ExactInteger, minOf } from './exact.ts'
import { matchesPart } from './match.ts'
import {
  type ChargedSide,
  type ChargeTrace,
  emptyTrace,
  isFreight,
  type MatchedCard,
  type MatchedRate,
  matchCard,
} from './match-card.ts'
import type { MeasuredGroup, Measurement } from './metrics.ts'
import { createMeasurementCache, type MeasurementCache, RatePool } from './rate-pool.ts'

/** The side that a card charges, and the partner's settings that affect the charges. */
export interface ChargeTerms {
  side: ChargedSide
  freightResolution: (typeof FreightResolution)[keyof typeof FreightResolution]
  /** the freight adjustment (FAF): the fraction by which freight is raised, in millionths */
  faf: ExactInteger
}

export interface RatedCharge {
  rate: CompiledRate
  charge: CompiledCharge
  row: PricedRow
  /** identifies a row within its charge, and is stable while rule and part exist; empty for a single row */
  partKey: string
  /** in millionths */
  faf: ExactInteger
}

/** A part, or the rest of a part, that no rate charges; null means the freight as a whole. */
export interface UnratedPart {
  part: number | null
  quantity: ExactInteger
  reason: UnratedReason
}

/** What the evaluator did with one rate. */
export interface RateTrace {
  rate: CompiledRate
  charges: readonly ChargeTrace[]
  /** in cents; null if the rate charged nothing */
  amount: ExactInteger | null
  /** another freight rate was chosen instead */
  isLost: boolean
  /** for each part, the quantity that the rate left, and whether anything is left */
  left: readonly ExactInteger[]
  isLeft: readonly boolean[]
}

/** The charges of a consignment, and the parts that no rate charges. */
export interface RatingResult {
  charges: RatedCharge[]
  unrated: UnratedPart[]
  /** with other prices, other rows might be charged: an amount was too large, or a freight rate lost */
  dependsOnPrices: boolean
}

/** A rating result with what the evaluator did with each rate. */
export interface Evaluation extends RatingResult {
  traces: RateTrace[]
}

/** The evaluation of one rate: its state while it runs, and its result. */
interface RateEvaluation {
  matched: MatchedRate
  /** the rows of all rates so far; this rate appends its own */
  rows: RatedCharge[]
  faf: ExactInteger
  ratePool: RatePool
  /** the index in `rows` of its first row, and the index after its last */
  begin: number
  end: number
  /** in cents; null if nothing was charged */
  amount: ExactInteger | null
  /** a charge took something, even if it was free */
  hasTaken: boolean
  /** another freight rate was chosen instead */
  isLost: boolean
  /** something was not charged because its amount is too large to store */
  isTooLarge: boolean
  /** why a remaining part was not charged by a charge that matched it, by the number of the part */
  reasons: Reasons | undefined
}
type Reasons = Map<number, UnratedReason>

/** Records why a part was not charged by a charge that matched it. */
function noteReason(evaluation: RateEvaluation, part: number, reason: UnratedReason): void {
  evaluation.reasons ??= new Map()
  evaluation.reasons.set(part, reason)
}

/** Records which parts a charge left because they lack the measure, or left as remainders. */
function noteUnchargedParts(evaluation: RateEvaluation, { groups, unmeasured }: Measurement): void {
  for (const part of unmeasured) noteReason(evaluation, part, UnratedReason.NotMeasured)
  for (const { takes } of groups)
    for (const { part, isWhole } of takes) if (!isWhole) noteReason(evaluation, part, UnratedReason.Remainder)
}

/** Applies a charge to the parts that are left. Fills in `trace` if it is given. */
function evaluateCharge(
  charge: CompiledCharge,
  evaluation: RateEvaluation,
  trace: ChargeTrace | undefined,
): void {
  const { faf, ratePool } = evaluation
  const measurement = ratePool.measure(charge)
  const { groups, unmeasured } = measurement
  if (trace !== undefined) trace.unmeasured = unmeasured
  if (groups.length === 0 && unmeasured.length === 0) return
  if (!measurement.isOfAll) noteUnchargedParts(evaluation, measurement)
  let uncharged: Set<MeasuredGroup> | undefined
  for (const measured of groups) {
    const priced = priceOf(charge, measured, faf)
    if (Array.isArray(priced)) {
      trace?.rows.push({ measured, priced })
      addRows(evaluation, charge, measured, priced)
      continue
    }
    uncharged ??= new Set()
    uncharged.add(measured)
    if (priced === UnratedReason.NotMeasured) evaluation.isTooLarge = true
    for (const { part, isWhole } of measured.takes) if (isWhole) noteReason(evaluation, part, priced)
  }
  const charged = uncharged === undefined ? groups : groups.filter(group => !uncharged.has(group))
  if (charged.length === 0) return
  ratePool.take(charge, measurement, charged)
  evaluation.hasTaken = true
  if (trace !== undefined) trace.outcome = charge.isFree ? RateChargeOutcome.Free : RateChargeOutcome.Taken
}

/** Appends the rows of a measured group. */
function addRows(
  evaluation: RateEvaluation,
  charge: CompiledCharge,
  { key }: MeasuredGroup,
  priced: PricedRow[],
): void {
  for (const row of priced) {
    const partKey = partKeyOf(key, charge, row)
    const faf = charge.isFafExempt ? 0 : evaluation.faf
    evaluation.end = evaluation.rows.push({ rate: evaluation.matched.rate, charge, row, partKey, faf })
    evaluation.amount = evaluation.amount === null ? row.amount : add(evaluation.amount, row.amount)
  }
}

/** The rows of a measured group, or why it is not charged. A free charge takes its parts without a row. */
function priceOf(
  charge: CompiledCharge,
  { metric }: MeasuredGroup,
  faf: ExactInteger,
): PricedRow[] | UnratedReason {
  if (charge.isFree) return []
  if (metric <= 0) return UnratedReason.NotPositive
  return priceRows(charge, metric, faf) ?? UnratedReason.NotMeasured
}

/** The key of a row: the key of its group, and its band if the breaks are progressive. */
export const partKeyOf = (key: string, { breaks }: CompiledCharge, { band }: PricedRow): string =>
  breaks === RateBreaks.Progressive ? `${key}${key === '' ? '' : '/'}${band}` : key

/**
 * Applies the charges of a rate in order, until no part is left, and appends their rows to `rows`. Appends a
 * trace of each charge to `traces` if it is given.
 */
function evaluateRate(
  matched: MatchedRate,
  cache: MeasurementCache,
  faf: ExactInteger,
  rows: RatedCharge[],
  traces?: ChargeTrace[],
): RateEvaluation {
  const { rate, headerMatches } = matched
  const ratePool = new RatePool(cache)
  const ownFaf = isFreight(rate.kind) ? faf : 0
  const evaluation: RateEvaluation = {
    matched,
    faf: ownFaf,
    ratePool,
    rows,
    begin: rows.length,
    end: rows.length,
    amount: null,
    hasTaken: false,
    isLost: false,
    isTooLarge: false,
    reasons: undefined,
  }
  for (let c = 0; c < rate.charges.length; c++) {
    const isOver = ratePool.pool.count === 0
    if (isOver && traces === undefined) break
    const charge = rate.charges[c] as CompiledCharge
    const trace =
      traces && emptyTrace(charge, isOver ? NotReached : headerMatches[c] ? NothingTaken : NoMatch)
    if (trace !== undefined) traces?.push(trace)
    if (!isOver && headerMatches[c]) evaluateCharge(charge, evaluation, trace)
  }
  return evaluation
}
const { NotReached, NothingTaken, NoMatch } = RateChargeOutcome

/** Chooses which of the freight rates that come to an amount is charged. The first one wins a tie. */
function resolveFreight(evaluations: readonly RateEvaluation[], { freightResolution }: ChargeTerms): void {
  if (freightResolution === FreightResolution.Compounding) return
  const isLeast = freightResolution === FreightResolution.LeastExpensive
  let chosen: RateEvaluation | undefined
  for (const evaluation of evaluations) {
    if (evaluation.amount === null || !isFreight(evaluation.matched.rate.kind)) continue
    const before = chosen?.amount ?? null
    if (before === null || (isLeast ? evaluation.amount < before : evaluation.amount > before))
      chosen = evaluation
  }
  for (const evaluation of evaluations)
    evaluation.isLost =
      evaluation.amount !== null && isFreight(evaluation.matched.rate.kind) && evaluation !== chosen
}

/** Rates and their evaluations. A rate none of whose charges matches may have no evaluation. */
interface EvaluatedRates {
  rates: readonly MatchedRate[]
  evaluations: readonly RateEvaluation[]
}

/** Why no rate charged a part: the reason of the charge that came closest. A null part means freight. */
function reasonOf(
  { rates, evaluations }: EvaluatedRates,
  input: ChargeInput,
  kind: ChargePartKind,
  part: number | null,
): UnratedReason {
  let closest: UnratedReason = UnratedReason.NoRate
  const chargePart = part === null ? undefined : input.parts[part]
  for (const { reasons } of evaluations) {
    const reason = part === null ? undefined : reasons?.get(part)
    if (reason !== undefined) closest = closerReason(closest, reason)
    if (part === null) for (const reason of reasons?.values() ?? []) closest = closerReason(closest, reason)
  }
  for (const { rate, lackingLocality } of rates) {
    if (rate.charges.some(charge => chargePart === undefined || canTake(charge, kind)))
      closest = closerReason(closest, UnratedReason.NothingMatches)
    const hasUnknownLocality = lackingLocality.some(
      charge => chargePart === undefined || (canTake(charge, kind) && matchesPart(charge, chargePart)),
    )
    if (hasUnknownLocality) closest = closerReason(closest, UnratedReason.NoLocality)
  }
  return closest
}

const canTake = (charge: CompiledCharge, kind: ChargePartKind): boolean =>
  charge.partKind === kind || (charge.partKind === ChargePartKind.Consignment && kind === ChargePartKind.Line)

/** From the reason furthest from a charge to the closest. */
const reasonsByCloseness: readonly UnratedReason[] = [
  UnratedReason.NoRate,
  UnratedReason.NothingMatches,
  UnratedReason.NoLocality,
  UnratedReason.NotMeasured,
  UnratedReason.NotPositive,
  UnratedReason.Remainder,
]
const closerReason = (a: UnratedReason, b: UnratedReason): UnratedReason =>
  reasonsByCloseness.indexOf(a) < reasonsByCloseness.indexOf(b) ? b : a

/** The parts that no activity rate takes completely, with the smallest quantity that a rate left. */
function unratedParts(evaluated: EvaluatedRates, input: ChargeInput): UnratedPart[] {
  const { evaluations } = evaluated
  const found: UnratedPart[] = []
  for (let part = 0; part < input.parts.length; part++) {
    if (evaluations.some(({ ratePool }) => ratePool.pool.isLeft[part] === false)) continue
    const { kind, quantity } = input.parts[part] as ChargePart
    let least = quantity
    for (const { ratePool } of evaluations) least = minOf(least, ratePool.pool.left[part] as ExactInteger)
    found.push({ part, quantity: least, reason: reasonOf(evaluated, input, kind, part) })
  }
  return found
}

/** The freight of a consignment with a carrier, if the card has freight rates and none of them applies. */
function unratedFreight(evaluated: EvaluatedRates, input: ChargeInput): UnratedPart[] {
  const isRated = evaluated.evaluations.some(({ hasTaken }) => hasTaken)
  if (evaluated.rates.length === 0 || isRated || input.header.carrierId === null) return []
  return [{ part: null, quantity: 0, reason: reasonOf(evaluated, input, ChargePartKind.Freight, null) }]
}

/** Lists every part as unrated because no rate card is in force. */
export const unratedWithoutCard = ({ parts }: ChargeInput): UnratedPart[] =>
  parts.map(({ quantity }, part) => ({ part, quantity, reason: UnratedReason.NoRateCard }))

/**
 * Evaluates a consignment by a card that has been matched with its header, and traces every rate. Callers
 * that evaluate the same parts by several cards pass the same `cache`.
 */
export function evaluateCard(
  card: MatchedCard,
  input: ChargeInput,
  terms: ChargeTerms,
  cache: MeasurementCache = createMeasurementCache(input),
): Evaluation {
  const traces: ChargeTrace[][] = []
  const rows: RatedCharge[] = []
  const evaluations = card.rates.map(matched => {
    const charges: ChargeTrace[] = []
    traces.push(charges)
    return evaluateRate(matched, cache, terms.faf, rows, charges)
  })
  const result = ratingResult(card, { evaluations, rows }, input, terms)
  return {
    ...result,
    traces: evaluations.map((evaluation, at) => traceOf(evaluation, traces[at] as ChargeTrace[])),
  }
}

const traceOf = (
  { matched: { rate }, amount, isLost, ratePool }: RateEvaluation,
  charges: ChargeTrace[],
): RateTrace => ({
  ...{ rate, charges, amount, isLost, left: ratePool.pool.left, isLeft: ratePool.pool.isLeft },
})

/** Evaluates a consignment like `evaluateCard`, without the traces. */
export function evaluateWithoutTrace(
  card: MatchedCard,
  input: ChargeInput,
  terms: ChargeTerms,
  cache: MeasurementCache,
): RatingResult {
  const evaluations: RateEvaluation[] = []
  const rows: RatedCharge[] = []
  for (const matched of card.rates)
    if (matched.hasMatch) evaluations.push(evaluateRate(matched, cache, terms.faf, rows))
  return ratingResult(card, { evaluations, rows }, input, terms)
}

function ratingResult(
  { side, rates, hasFreight }: MatchedCard,
  { evaluations, rows }: { evaluations: readonly RateEvaluation[]; rows: RatedCharge[] },
  input: ChargeInput,
  terms: ChargeTerms,
): RatingResult {
  if (hasFreight) resolveFreight(evaluations, terms)
  const charges = hasFreight
    ? evaluations.flatMap(({ isLost, begin, end }) => (isLost ? [] : rows.slice(begin, end)))
    : rows
  const dependsOnPrices = evaluations.some(({ isLost, isTooLarge }) => isLost || isTooLarge)
  if (side === 'carrier') return { charges, unrated: [], dependsOnPrices }
  if (!hasFreight) return { charges, unrated: unratedParts({ rates, evaluations }, input), dependsOnPrices }
  const ofKind = (isOfFreight: boolean): EvaluatedRates => ({
    rates: rates.filter(({ rate }) => isFreight(rate.kind) === isOfFreight),
    evaluations: evaluations.filter(({ matched }) => isFreight(matched.rate.kind) === isOfFreight),
  })
  return {
    charges,
    unrated: [...unratedParts(ofKind(false), input), ...unratedFreight(ofKind(true), input)],
    dependsOnPrices,
  }
}

/**
 * Evaluates a consignment by a rate card. Rows come in the order of rates, charges and parts. Unrated parts
 * are listed for the client's side only.
 */
export const evaluate = (card: CompiledCard, input: ChargeInput, terms: ChargeTerms): Evaluation =>
  evaluateCard(matchCard(card, terms.side, input.header), input, terms)
