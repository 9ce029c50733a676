// The evaluator: what a consignment comes to by a card. Pure, and the only place where it is decided:
// reading, closing, testing a card and proving a bill all walk through here.

import { FreightResolution } from '../../partners/enumerations.ts'
import { ChargePartKind, RateBreaks, RateChargeOutcome, RateKind, UnratedReason } from '../enumerations.ts'
import { type PricedRow, priceRows } from './bands.ts'
import type { ChargeInput } from './charge-input.ts'
import type { CompiledCard, CompiledCharge, CompiledRate } from './compiled-card.ts'
import { add, smaller, type Whole } from './exact.ts'
import { failingSelectors, foundInHeader, matchesHeader, matchesPart } from './match.ts'
import { type Measured, measure } from './metrics.ts'
import { fullPool, type Pool, takeConsignment, takeFrom } from './pool.ts'

/**
 * The number of these rules. Other rules are another evaluator, beside this one: bills are proved by
 * theirs.
 */
export const evaluatorVersion = 1

/** Whose card it is, and what of that partner counts. */
export interface ChargeTerms {
  side: 'client' | 'carrier'
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

/** What a charge did, for those who want to know. */
export interface ToldCharge {
  charge: CompiledCharge
  outcome: RateChargeOutcome
  rows: { measured: Measured; priced: readonly PricedRow[] }[]
  unmeasured: readonly number[]
}

/** What a rate did. */
export interface ToldRate {
  rate: CompiledRate
  charges: ToldCharge[]
  /** in cents; null where nothing of it was charged */
  amount: Whole | null
  /** freight that another rate came before */
  isLost: boolean
  /** of each part, what the rate left, and whether that is anything */
  left: readonly Whole[]
  isLeft: readonly boolean[]
}

/** What a consignment comes to. */
export interface Evaluation {
  charges: RatedCharge[]
  unrated: UnratedPart[]
  told: ToldRate[]
}

/** What came of one rate. */
interface RateOutcome extends ToldRate {
  rows: RatedCharge[]
  pool: Pool
  /** why a part that is left was not charged by a charge that matched it */
  reasons: Map<number, UnratedReason>
}

const isFreight = (kind: RateKind): boolean =>
  kind === RateKind.ClientFreight || kind === RateKind.CarrierFreight

/** Which kinds of rates a consignment is charged by on each side. */
const kindsOf = {
  client: [RateKind.Activity, RateKind.ClientFreight] as readonly RateKind[],
  carrier: [RateKind.CarrierFreight] as readonly RateKind[],
}

function evaluateCharge(
  rate: CompiledRate,
  charge: CompiledCharge,
  input: ChargeInput,
  faf: Whole,
  outcome: RateOutcome,
): ToldCharge {
  const { pool, reasons, rows } = outcome
  const told: ToldCharge = { charge, outcome: RateChargeOutcome.NoMatch, rows: [], unmeasured: [] }
  if (!matchesHeader(charge, input.header)) return told
  const { groups, unmeasured } = measure(charge, input, pool)
  told.outcome = RateChargeOutcome.NothingTaken
  told.unmeasured = unmeasured
  for (const part of unmeasured) reasons.set(part, UnratedReason.NotMeasured)
  for (const measured of groups) {
    for (const { part, isWhole } of measured.takes) if (!isWhole) reasons.set(part, UnratedReason.Remainder)
    const priced = priceOf(charge, measured, faf)
    if (!Array.isArray(priced)) {
      for (const { part, isWhole } of measured.takes) if (isWhole) reasons.set(part, priced)
      continue
    }
    takeFrom(pool, measured.takes)
    if (charge.draws === ChargePartKind.Consignment) takeConsignment(pool)
    told.rows.push({ measured, priced })
    told.outcome = charge.isFree ? RateChargeOutcome.Free : RateChargeOutcome.Taken
    for (const row of priced)
      rows.push({
        rate,
        charge,
        row,
        partKey: partKeyOf(measured.key, charge, row),
        faf: charge.isFafExempt ? 0 : faf,
      })
  }
  return told
}

/** The rows of what was measured, or why there are none. What is free takes its parts without a row. */
function priceOf(charge: CompiledCharge, { metric }: Measured, faf: Whole): PricedRow[] | UnratedReason {
  if (charge.isFree) return []
  if (metric <= 0) return UnratedReason.NotPositive
  return priceRows(charge, metric, faf) ?? UnratedReason.NotMeasured
}

const partKeyOf = (key: string, { breaks }: CompiledCharge, { band }: PricedRow): string =>
  breaks === RateBreaks.Progressive ? `${key}${key === '' ? '' : '/'}${band}` : key

/** Walks the charges of a rate over a full pool, until nothing is left. */
function evaluateRate(rate: CompiledRate, input: ChargeInput, faf: Whole): RateOutcome {
  const pool = fullPool(input)
  const outcome: RateOutcome = {
    rate,
    charges: [],
    amount: null,
    isLost: false,
    left: pool.left,
    isLeft: pool.isLeft,
    rows: [],
    pool,
    reasons: new Map(),
  }
  const ownFaf = isFreight(rate.kind) ? faf : 0
  for (const charge of rate.charges) {
    outcome.charges.push(
      pool.count === 0
        ? { charge, outcome: RateChargeOutcome.NotReached, rows: [], unmeasured: [] }
        : evaluateCharge(rate, charge, input, ownFaf, outcome),
    )
  }
  for (const { row } of outcome.rows) outcome.amount = add(outcome.amount ?? 0, row.amount)
  return outcome
}

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
  for (const { rate, reasons } of outcomes) {
    const reason = part === null ? undefined : reasons.get(part)
    if (reason !== undefined) nearest = nearer(nearest, reason)
    if (part === null) for (const one of reasons.values()) nearest = nearer(nearest, one)
    for (const charge of rate.charges) {
      if (part !== null && !canTake(charge, kind)) continue
      nearest = nearer(nearest, UnratedReason.NothingMatches)
      if (isForWantOfLocality(charge, input, part)) nearest = nearer(nearest, UnratedReason.NoLocality)
    }
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

/** Whether a charge matches but for an end of the way that is in no locality at all. */
function isForWantOfLocality(
  charge: CompiledCharge,
  { header, parts }: ChargeInput,
  part: number | null,
): boolean {
  const failing = failingSelectors(charge, header)
  const isMissing = failing.every(
    ({ name }) =>
      (name === 'originLocalityIds' || name === 'destinationLocalityIds') &&
      (foundInHeader(name, header) as readonly string[]).length === 0,
  )
  const one = part === null ? undefined : parts[part]
  return failing.length > 0 && isMissing && (one === undefined || matchesPart(charge, one))
}

/** The parts that no activity rate takes, and what all of them leave. */
function unratedParts(outcomes: readonly RateOutcome[], input: ChargeInput): UnratedPart[] {
  const found: UnratedPart[] = []
  for (const [part, { kind, quantity }] of input.parts.entries()) {
    if (outcomes.some(({ pool }) => pool.isLeft[part] === false)) continue
    let left = quantity
    for (const { pool } of outcomes) left = smaller(left, pool.left[part] as Whole)
    found.push({ part, quantity: left, reason: reasonOf(outcomes, input, kind, part) })
  }
  return found
}

/** The freight of a consignment with a carrier, where a card has rates for it and none comes to an amount. */
function unratedFreight(outcomes: readonly RateOutcome[], input: ChargeInput): UnratedPart[] {
  const isRated = outcomes.some(({ charges }) =>
    charges.some(({ outcome }) => outcome === RateChargeOutcome.Taken || outcome === RateChargeOutcome.Free),
  )
  if (outcomes.length === 0 || isRated || input.header.carrierId === null) return []
  return [{ part: null, quantity: 0, reason: reasonOf(outcomes, input, ChargePartKind.Freight, null) }]
}

/** What every part is where there is no card at all. */
export const unratedWithoutCard = ({ parts }: ChargeInput): UnratedPart[] =>
  parts.map(({ quantity }, part) => ({ part, quantity, reason: UnratedReason.NoRateCard }))

/**
 * What a consignment comes to by a card: its client's, with what nothing charges, or its carrier's. Rows
 * stand in the order of rates, their charges, and parts.
 */
export function evaluate(card: CompiledCard, input: ChargeInput, terms: ChargeTerms): Evaluation {
  const outcomes = card.rates
    .filter(({ kind }) => kindsOf[terms.side].includes(kind))
    .map(rate => evaluateRate(rate, input, terms.faf))
  resolveFreight(outcomes, terms)
  const charges = outcomes.flatMap(outcome => (outcome.isLost ? [] : outcome.rows))
  if (terms.side === 'carrier') return { charges, unrated: [], told: outcomes }
  const activities = outcomes.filter(({ rate }) => !isFreight(rate.kind))
  const freights = outcomes.filter(({ rate }) => isFreight(rate.kind))
  const unrated = [...unratedParts(activities, input), ...unratedFreight(freights, input)]
  return { charges, unrated, told: outcomes }
}
