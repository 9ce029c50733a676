// The evaluator: what a consignment comes to by a card. Pure, and the only place where it is decided:
// reading, closing, testing a card and proving a bill all walk through here.

import { FreightResolution } from '../../partners/enumerations.ts'
import { ChargePartKind, RateBreaks, RateChargeOutcome, UnratedReason } from '../enumerations.ts'
import { type PricedRow, priceRows } from './bands.ts'
import type { ChargeInput, ChargePart } from './charge-input.ts'
import type { CompiledCard, CompiledCharge, CompiledRate } from './compiled-card.ts'
import { add, smaller, type Whole } from './exact.ts'
import { matchesPart } from './match.ts'
import {
  type ChargedSide,
  isFreight,
  type MatchedCard,
  type MatchedRate,
  matchCard,
  nothing,
  type ToldCharge,
} from './match-card.ts'
import type { Measured, Measurement } from './metrics.ts'
import { type Offer, offerOf, Taking } from './offer.ts'

/**
 * The number of these rules. Other rules are another evaluator, beside this one: bills are proved by
 * theirs.
 */
export const evaluatorVersion = 1

/** The number of no rules: a consignment was Closed before there were rate cards, and none charged it. */
export const noEvaluator = 0

/** Whose card it is, and what of that partner counts. */
export interface ChargeTerms {
  side: ChargedSide
  freightResolution: (typeof FreightResolution)[keyof typeof FreightResolution]
  /** the fraction by which freight is raised, in millionths */
  faf: Whole
}

/** A row that is charged. */
export interface RatedCharge {
  rate: CompiledRate
  charge: CompiledCharge
  row: PricedRow
  /** tells the rows of a charge apart, and stays the same while rule and part exist; empty where it is one */
  partKey: string
  /** in millionths */
  faf: Whole
}

/** A part that nothing charges, or what is left of it; null is the freight as a whole. */
export interface UnratedPart {
  part: number | null
  quantity: Whole
  reason: UnratedReason
}

/** What a rate did. */
export interface ToldRate {
  rate: CompiledRate
  charges: readonly ToldCharge[]
  /** in cents; null where nothing of it was charged */
  amount: Whole | null
  /** freight that another rate came before */
  isLost: boolean
  /** of each part, what the rate left, and whether that is anything */
  left: readonly Whole[]
  isLeft: readonly boolean[]
}

/** What a consignment comes to, and what nothing of it is charged by. */
export interface Charged {
  charges: RatedCharge[]
  unrated: UnratedPart[]
}

/** The same, with what each rate did. */
export interface Evaluation extends Charged {
  told: ToldRate[]
}

/** What came of one rate. */
interface RateOutcome extends ToldRate {
  matched: MatchedRate
  rows: readonly RatedCharge[]
  /** a charge took something, if only for nothing */
  isTaking: boolean
  /** why a part that is left was not charged by a charge that matched it */
  reasons: Reasons | undefined
}
type Reasons = Map<number, UnratedReason>

/** A rate under way. */
interface Walk {
  matched: MatchedRate
  faf: Whole
  taking: Taking
  rows: RatedCharge[]
  isTaking: boolean
  reasons: Reasons | undefined
}

/** Notes why a part was not charged by a charge that matched it. */
function note(walk: Walk, part: number, reason: UnratedReason): void {
  walk.reasons ??= new Map()
  walk.reasons.set(part, reason)
}

/** Notes of what a charge measured why it did not charge it: parts without a measure, and remainders. */
function noteUncharged(walk: Walk, { groups, unmeasured }: Measurement): void {
  for (const part of unmeasured) note(walk, part, UnratedReason.NotMeasured)
  for (const { takes } of groups)
    for (const { part, isWhole } of takes) if (!isWhole) note(walk, part, UnratedReason.Remainder)
}

function evaluateCharge(charge: CompiledCharge, c: number, walk: Walk): ToldCharge {
  const { matched, faf, taking } = walk
  const measurement = taking.measure(charge)
  const { groups, unmeasured } = measurement
  if (groups.length === 0 && unmeasured.length === 0) return matched.idle.untaking[c] as ToldCharge
  if (!measurement.isOfAll) noteUncharged(walk, measurement)
  const rows: ToldCharge['rows'] = []
  for (const measured of groups) {
    const priced = priceOf(charge, measured, faf)
    if (!Array.isArray(priced)) {
      for (const { part, isWhole } of measured.takes) if (isWhole) note(walk, part, priced)
      continue
    }
    rows.push({ measured, priced })
    addRows(walk, charge, measured, priced)
  }
  if (rows.length === 0) return { ...nothing(charge, RateChargeOutcome.NothingTaken), unmeasured }
  taking.take(charge, measurement, rows)
  walk.isTaking = true
  const outcome = charge.isFree ? RateChargeOutcome.Free : RateChargeOutcome.Taken
  return { charge, outcome, rows, unmeasured }
}

/** Adds the rows of what a charge measured. */
function addRows(
  { matched, faf, rows }: Walk,
  charge: CompiledCharge,
  { key }: Measured,
  priced: PricedRow[],
) {
  for (const row of priced)
    rows.push({
      rate: matched.rate,
      charge,
      row,
      partKey: partKeyOf(key, charge, row),
      faf: charge.isFafExempt ? 0 : faf,
    })
}

/** The rows of what was measured, or why there are none. What is free takes its parts without a row. */
function priceOf(charge: CompiledCharge, { metric }: Measured, faf: Whole): PricedRow[] | UnratedReason {
  if (charge.isFree) return []
  if (metric <= 0) return UnratedReason.NotPositive
  return priceRows(charge, metric, faf) ?? UnratedReason.NotMeasured
}

/** The key of a row: what the charge was measured for, and its band where each band is a row. */
export const partKeyOf = (key: string, { breaks }: CompiledCharge, { band }: PricedRow): string =>
  breaks === RateBreaks.Progressive ? `${key}${key === '' ? '' : '/'}${band}` : key

/**
 * Walks the charges of a rate over all that is offered, until nothing is left. What its charges did is listed
 * where it `isTold`.
 */
function evaluateRate(matched: MatchedRate, offer: Offer, faf: Whole, isTold: boolean): RateOutcome {
  const { rate, isFor, idle } = matched
  if (!matched.isForAny) return untaken(matched, offer)
  const taking = new Taking(offer)
  const ownFaf = isFreight(rate.kind) ? faf : 0
  const walk: Walk = { matched, faf: ownFaf, taking, rows: [], isTaking: false, reasons: undefined }
  const charges: ToldCharge[] = []
  for (let c = 0; c < rate.charges.length; c++) {
    const isOver = taking.pool.count === 0
    if (isOver && !isTold) break
    const charge = rate.charges[c] as CompiledCharge
    const told = isOver ? idle.unreached[c] : isFor[c] ? evaluateCharge(charge, c, walk) : idle.unmatched[c]
    if (isTold) charges.push(told as ToldCharge)
  }
  const { rows, isTaking, reasons } = walk
  let amount: Whole | null = null
  for (const { row } of rows) amount = add(amount ?? 0, row.amount)
  const { left, isLeft } = taking.pool
  return { rate, charges, amount, isLost: false, left, isLeft, matched, rows, isTaking, reasons }
}

/** What comes of a rate that is not for the consignment. */
const untaken = (matched: MatchedRate, { full: { left, isLeft } }: Offer): RateOutcome => ({
  ...{ rate: matched.rate, charges: matched.idle.unmatched, amount: null, isLost: false, left, isLeft },
  ...{ matched, rows: [], isTaking: false, reasons: undefined },
})

/** Of the freight rates that come to an amount, only one is charged, unless all are. Ties: the first. */
function resolveFreight(outcomes: readonly RateOutcome[], { freightResolution }: ChargeTerms): void {
  if (freightResolution === FreightResolution.Compounding) return
  const isLeast = freightResolution === FreightResolution.LeastExpensive
  let chosen: RateOutcome | undefined
  for (const outcome of outcomes) {
    if (outcome.amount === null || !isFreight(outcome.rate.kind)) continue
    const before = chosen?.amount ?? null
    if (before === null || (isLeast ? outcome.amount < before : outcome.amount > before)) chosen = outcome
  }
  for (const outcome of outcomes)
    outcome.isLost = outcome.amount !== null && isFreight(outcome.rate.kind) && outcome !== chosen
}

/** Why no charge of the rates that take from parts of a kind came to charge one: the nearest miss. */
function reasonOf(
  outcomes: readonly RateOutcome[],
  input: ChargeInput,
  kind: ChargePartKind,
  part: number | null,
): UnratedReason {
  let nearest: UnratedReason = UnratedReason.NoRate
  const one = part === null ? undefined : input.parts[part]
  for (const { rate, reasons, matched } of outcomes) {
    const reason = part === null ? undefined : reasons?.get(part)
    if (reason !== undefined) nearest = nearer(nearest, reason)
    if (part === null) for (const each of reasons?.values() ?? []) nearest = nearer(nearest, each)
    if (rate.charges.some(charge => one === undefined || canTake(charge, kind)))
      nearest = nearer(nearest, UnratedReason.NothingMatches)
    const isForWantOfLocality = matched.wanting.some(
      charge => one === undefined || (canTake(charge, kind) && matchesPart(charge, one)),
    )
    if (isForWantOfLocality) nearest = nearer(nearest, UnratedReason.NoLocality)
  }
  return nearest
}

const canTake = (charge: CompiledCharge, kind: ChargePartKind): boolean =>
  charge.draws === kind || (charge.draws === ChargePartKind.Consignment && kind === ChargePartKind.Line)

/** From the farthest miss to the nearest. */
const misses: readonly UnratedReason[] = [
  UnratedReason.NoRate,
  UnratedReason.NothingMatches,
  UnratedReason.NoLocality,
  UnratedReason.NotMeasured,
  UnratedReason.NotPositive,
  UnratedReason.Remainder,
]
const nearer = (a: UnratedReason, b: UnratedReason): UnratedReason =>
  misses.indexOf(a) < misses.indexOf(b) ? b : a

/** The parts that no activity rate takes, and what all of them leave. */
function unratedParts(outcomes: readonly RateOutcome[], input: ChargeInput): UnratedPart[] {
  const found: UnratedPart[] = []
  for (let part = 0; part < input.parts.length; part++) {
    if (outcomes.some(({ isLeft }) => isLeft[part] === false)) continue
    const { kind, quantity } = input.parts[part] as ChargePart
    let least = quantity
    for (const { left } of outcomes) least = smaller(least, left[part] as Whole)
    found.push({ part, quantity: least, reason: reasonOf(outcomes, input, kind, part) })
  }
  return found
}

/** The freight of a consignment with a carrier, where a card has rates for it and none comes to an amount. */
function unratedFreight(outcomes: readonly RateOutcome[], input: ChargeInput): UnratedPart[] {
  const isRated = outcomes.some(({ isTaking }) => isTaking)
  if (outcomes.length === 0 || isRated || input.header.carrierId === null) return []
  return [{ part: null, quantity: 0, reason: reasonOf(outcomes, input, ChargePartKind.Freight, null) }]
}

/** What every part is where there is no card at all. */
export const unratedWithoutCard = ({ parts }: ChargeInput): UnratedPart[] =>
  parts.map(({ quantity }, part) => ({ part, quantity, reason: UnratedReason.NoRateCard }))

/**
 * What a consignment comes to by a card that has been held against its header. `offer` is that of its parts:
 * whoever evaluates them by several cards passes the same one.
 */
export function evaluateMatched(
  card: MatchedCard,
  input: ChargeInput,
  terms: ChargeTerms,
  offer: Offer = offerOf(input),
): Evaluation {
  const outcomes = outcomesOf(card, terms, offer, true)
  return { ...chargedBy(card, outcomes, input), told: outcomes }
}

/** The same for those who do not ask what each rate did. */
export const chargeMatched = (
  card: MatchedCard,
  input: ChargeInput,
  terms: ChargeTerms,
  offer: Offer,
): Charged => chargedBy(card, outcomesOf(card, terms, offer, false), input)

function outcomesOf(card: MatchedCard, terms: ChargeTerms, offer: Offer, isTold: boolean): RateOutcome[] {
  const outcomes = card.rates.map(matched => evaluateRate(matched, offer, terms.faf, isTold))
  if (card.hasFreight) resolveFreight(outcomes, terms)
  return outcomes
}

function chargedBy(card: MatchedCard, outcomes: readonly RateOutcome[], input: ChargeInput): Charged {
  const charges: RatedCharge[] = []
  for (const outcome of outcomes) for (const row of outcome.isLost ? [] : outcome.rows) charges.push(row)
  if (card.side === 'carrier') return { charges, unrated: [] }
  if (!card.hasFreight) return { charges, unrated: unratedParts(outcomes, input) }
  const activities = outcomes.filter(({ rate }) => !isFreight(rate.kind))
  const freights = outcomes.filter(({ rate }) => isFreight(rate.kind))
  return { charges, unrated: [...unratedParts(activities, input), ...unratedFreight(freights, input)] }
}

/**
 * What a consignment comes to by a card: its client's, with what nothing charges, or its carrier's. Rows
 * stand in the order of rates, their charges, and parts.
 */
export const evaluate = (card: CompiledCard, input: ChargeInput, terms: ChargeTerms): Evaluation =>
  evaluateMatched(matchCard(card, terms.side, input.header), input, terms)
