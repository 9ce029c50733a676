// The evaluator: what a consignment comes to by a card. Pure, and the only place where it is decided:
// reading, closing, testing a card and proving a bill all walk through here.

import { FreightResolution } from '../../partners/enumerations.ts'
import { ChargePartKind, RateBreaks, RateChargeOutcome, UnratedReason } from '../enumerations.ts'
import { type PricedRow, priceRows } from './bands.ts'
import type { ChargeInput, ChargePart } from './charge-input.ts'
import type { CompiledCard, CompiledCharge, CompiledRate } from './compiled-card.ts'
import { add, minOf, type Whole } from './exact.ts'
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
export interface RateTrace {
  rate: CompiledRate
  charges: readonly ChargeTrace[]
  /** in cents; null where nothing of it was charged */
  amount: Whole | null
  /** freight that another rate came before */
  isLost: boolean
  /** of each part, what the rate left, and whether that is anything */
  left: readonly Whole[]
  isLeft: readonly boolean[]
}

/** What a consignment comes to, and what nothing of it is charged by. */
export interface RatingResult {
  charges: RatedCharge[]
  unrated: UnratedPart[]
  /** other prices might make other charges: one was too much to be held, or a rate of freight was lost */
  hangsOnPrices: boolean
}

/** The same, with what each rate did. */
export interface Evaluation extends RatingResult {
  told: RateTrace[]
}

/** A rate under way, and what came of it. */
interface Walk {
  matched: MatchedRate
  /** the rows of all rates so far, to which it adds its own */
  rows: RatedCharge[]
  faf: Whole
  taking: RatePool
  /** where among them its own begin, and where those of the next rate do */
  begin: number
  end: number
  /** in cents; null where nothing was charged */
  amount: Whole | null
  /** a charge took something, if only for nothing */
  isTaking: boolean
  /** freight that another rate came before */
  isLost: boolean
  /** something was not charged because it would have come to too much to be held */
  isTooMuch: boolean
  /** why a part that is left was not charged by a charge that matched it */
  reasons: Reasons | undefined
}
type Reasons = Map<number, UnratedReason>

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

/** Charges what a charge measures on what is left. `told` is what it did, where somebody wants to know. */
function evaluateCharge(charge: CompiledCharge, walk: Walk, told: ChargeTrace | undefined): void {
  const { faf, taking } = walk
  const measurement = taking.measure(charge)
  const { groups, unmeasured } = measurement
  if (told !== undefined) told.unmeasured = unmeasured
  if (groups.length === 0 && unmeasured.length === 0) return
  if (!measurement.isOfAll) noteUncharged(walk, measurement)
  let uncharged: Set<MeasuredGroup> | undefined
  for (const measured of groups) {
    const priced = priceOf(charge, measured, faf)
    if (Array.isArray(priced)) {
      told?.rows.push({ measured, priced })
      addRows(walk, charge, measured, priced)
      continue
    }
    uncharged ??= new Set()
    uncharged.add(measured)
    if (priced === UnratedReason.NotMeasured) walk.isTooMuch = true
    for (const { part, isWhole } of measured.takes) if (isWhole) note(walk, part, priced)
  }
  const charged = uncharged === undefined ? groups : groups.filter(one => !uncharged.has(one))
  if (charged.length === 0) return
  taking.take(charge, measurement, charged)
  walk.isTaking = true
  if (told !== undefined) told.outcome = charge.isFree ? RateChargeOutcome.Free : RateChargeOutcome.Taken
}

/** Adds the rows of what a charge measured. */
function addRows(walk: Walk, charge: CompiledCharge, { key }: MeasuredGroup, priced: PricedRow[]): void {
  for (const row of priced) {
    const partKey = partKeyOf(key, charge, row)
    const faf = charge.isFafExempt ? 0 : walk.faf
    walk.end = walk.rows.push({ rate: walk.matched.rate, charge, row, partKey, faf })
    walk.amount = walk.amount === null ? row.amount : add(walk.amount, row.amount)
  }
}

/** The rows of what was measured, or why there are none. What is free takes its parts without a row. */
function priceOf(charge: CompiledCharge, { metric }: MeasuredGroup, faf: Whole): PricedRow[] | UnratedReason {
  if (charge.isFree) return []
  if (metric <= 0) return UnratedReason.NotPositive
  return priceRows(charge, metric, faf) ?? UnratedReason.NotMeasured
}

/** The key of a row: what the charge was measured for, and its band where each band is a row. */
export const partKeyOf = (key: string, { breaks }: CompiledCharge, { band }: PricedRow): string =>
  breaks === RateBreaks.Progressive ? `${key}${key === '' ? '' : '/'}${band}` : key

/**
 * Walks the charges of a rate over all that is offered, until nothing is left, and adds their rows to
 * `rows`. What its charges did is listed in `told`, where somebody wants to know.
 */
function evaluateRate(
  matched: MatchedRate,
  offer: MeasurementCache,
  faf: Whole,
  rows: RatedCharge[],
  told?: ChargeTrace[],
): Walk {
  const { rate, headerMatches } = matched
  const taking = new RatePool(offer)
  const ownFaf = isFreight(rate.kind) ? faf : 0
  const walk: Walk = {
    matched,
    faf: ownFaf,
    taking,
    rows,
    begin: rows.length,
    end: rows.length,
    amount: null,
    isTaking: false,
    isLost: false,
    isTooMuch: false,
    reasons: undefined,
  }
  for (let c = 0; c < rate.charges.length; c++) {
    const isOver = taking.pool.count === 0
    if (isOver && told === undefined) break
    const charge = rate.charges[c] as CompiledCharge
    const toldOfOne =
      told && emptyTrace(charge, isOver ? NotReached : headerMatches[c] ? NothingTaken : NoMatch)
    if (toldOfOne !== undefined) told?.push(toldOfOne)
    if (!isOver && headerMatches[c]) evaluateCharge(charge, walk, toldOfOne)
  }
  return walk
}
const { NotReached, NothingTaken, NoMatch } = RateChargeOutcome

/** Of the freight rates that come to an amount, only one is charged, unless all are. Ties: the first. */
function resolveFreight(walks: readonly Walk[], { freightResolution }: ChargeTerms): void {
  if (freightResolution === FreightResolution.Compounding) return
  const isLeast = freightResolution === FreightResolution.LeastExpensive
  let chosen: Walk | undefined
  for (const walk of walks) {
    if (walk.amount === null || !isFreight(walk.matched.rate.kind)) continue
    const before = chosen?.amount ?? null
    if (before === null || (isLeast ? walk.amount < before : walk.amount > before)) chosen = walk
  }
  for (const walk of walks)
    walk.isLost = walk.amount !== null && isFreight(walk.matched.rate.kind) && walk !== chosen
}

/** Rates and what came of them; those that are for none of their consignment may be missing there. */
interface Walked {
  rates: readonly MatchedRate[]
  walks: readonly Walk[]
}

/** Why no charge of the rates that take from parts of a kind came to charge one: the nearest miss. */
function reasonOf(
  { rates, walks }: Walked,
  input: ChargeInput,
  kind: ChargePartKind,
  part: number | null,
): UnratedReason {
  let nearest: UnratedReason = UnratedReason.NoRate
  const one = part === null ? undefined : input.parts[part]
  for (const { reasons } of walks) {
    const reason = part === null ? undefined : reasons?.get(part)
    if (reason !== undefined) nearest = nearer(nearest, reason)
    if (part === null) for (const each of reasons?.values() ?? []) nearest = nearer(nearest, each)
  }
  for (const { rate, lackingLocality: wanting } of rates) {
    if (rate.charges.some(charge => one === undefined || canTake(charge, kind)))
      nearest = nearer(nearest, UnratedReason.NothingMatches)
    const isForWantOfLocality = wanting.some(
      charge => one === undefined || (canTake(charge, kind) && matchesPart(charge, one)),
    )
    if (isForWantOfLocality) nearest = nearer(nearest, UnratedReason.NoLocality)
  }
  return nearest
}

const canTake = (charge: CompiledCharge, kind: ChargePartKind): boolean =>
  charge.partKind === kind || (charge.partKind === ChargePartKind.Consignment && kind === ChargePartKind.Line)

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
function unratedParts(walked: Walked, input: ChargeInput): UnratedPart[] {
  const { walks } = walked
  const found: UnratedPart[] = []
  for (let part = 0; part < input.parts.length; part++) {
    if (walks.some(({ taking }) => taking.pool.isLeft[part] === false)) continue
    const { kind, quantity } = input.parts[part] as ChargePart
    let least = quantity
    for (const { taking } of walks) least = minOf(least, taking.pool.left[part] as Whole)
    found.push({ part, quantity: least, reason: reasonOf(walked, input, kind, part) })
  }
  return found
}

/** The freight of a consignment with a carrier, where a card has rates for it and none comes to an amount. */
function unratedFreight(walked: Walked, input: ChargeInput): UnratedPart[] {
  const isRated = walked.walks.some(({ isTaking }) => isTaking)
  if (walked.rates.length === 0 || isRated || input.header.carrierId === null) return []
  return [{ part: null, quantity: 0, reason: reasonOf(walked, input, ChargePartKind.Freight, null) }]
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
  offer: MeasurementCache = createMeasurementCache(input),
): Evaluation {
  const traces: ChargeTrace[][] = []
  const rows: RatedCharge[] = []
  const walks = card.rates.map(matched => {
    const charges: ChargeTrace[] = []
    traces.push(charges)
    return evaluateRate(matched, offer, terms.faf, rows, charges)
  })
  const charged = chargedBy(card, { walks, rows }, input, terms)
  return { ...charged, told: walks.map((walk, at) => explainRate(walk, traces[at] as ChargeTrace[])) }
}

const explainRate = (
  { matched: { rate }, amount, isLost, taking }: Walk,
  charges: ChargeTrace[],
): RateTrace => ({
  ...{ rate, charges, amount, isLost, left: taking.pool.left, isLeft: taking.pool.isLeft },
})

/** The same for those who do not ask what each rate did. */
export function chargeMatched(
  card: MatchedCard,
  input: ChargeInput,
  terms: ChargeTerms,
  offer: MeasurementCache,
): RatingResult {
  const walks: Walk[] = []
  const rows: RatedCharge[] = []
  for (const matched of card.rates)
    if (matched.hasMatch) walks.push(evaluateRate(matched, offer, terms.faf, rows))
  return chargedBy(card, { walks, rows }, input, terms)
}

/** Rates under way, and the rows of all of them. */
interface Walking {
  walks: readonly Walk[]
  rows: RatedCharge[]
}

function chargedBy(
  { side, rates, hasFreight }: MatchedCard,
  { walks, rows }: Walking,
  input: ChargeInput,
  terms: ChargeTerms,
): RatingResult {
  if (hasFreight) resolveFreight(walks, terms)
  const charges = hasFreight ? walks.flatMap(one => (one.isLost ? [] : rows.slice(one.begin, one.end))) : rows
  const dependsOnPrices = walks.some(({ isLost, isTooMuch }) => isLost || isTooMuch)
  if (side === 'carrier') return { charges, unrated: [], hangsOnPrices: dependsOnPrices }
  if (!hasFreight)
    return { charges, unrated: unratedParts({ rates, walks }, input), hangsOnPrices: dependsOnPrices }
  const ofKind = (isOfFreight: boolean): Walked => ({
    rates: rates.filter(({ rate }) => isFreight(rate.kind) === isOfFreight),
    walks: walks.filter(({ matched }) => isFreight(matched.rate.kind) === isOfFreight),
  })
  return {
    charges,
    unrated: [...unratedParts(ofKind(false), input), ...unratedFreight(ofKind(true), input)],
    hangsOnPrices: dependsOnPrices,
  }
}

/**
 * What a consignment comes to by a card: its client's, with what nothing charges, or its carrier's. Rows
 * stand in the order of rates, their charges, and parts.
 */
export const evaluate = (card: CompiledCard, input: ChargeInput, terms: ChargeTerms): Evaluation =>
  evaluateMatched(matchCard(card, terms.side, input.header), input, terms)
