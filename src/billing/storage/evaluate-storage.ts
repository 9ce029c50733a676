// The storage evaluator: computes what the storage of a client in a warehouse costs for some days. Pure.
// Previews, runs, corrections and proofs all use it. Amounts are priced by the same code as those of
// consignments.

import { verificationFailed } from '../../platform/http/refusal.ts'
import { type BillingPeriod, RateKind, StorageMethod } from '../../vocabulary/billing.ts'
import { type PricedRow, priceRows } from '../evaluator/bands.ts'
import type { CompiledCharge, CompiledRate } from '../evaluator/compiled-card.ts'
import { partKeyOf } from '../evaluator/evaluate.ts'
import type { Whole } from '../evaluator/exact.ts'
import type { LoadedVersion } from '../rate-cards/version-cache.ts'
import { periodsEndingIn } from './charge-periods.ts'
import {
  countAnniversaries,
  countDays,
  countStart,
  measureOf,
  metricOf,
  type StorageRule,
} from './count-days.ts'
import { freeUntilBy, type Receipts, receiptsOf } from './free-hours.ts'
import { groupKeyOf, groupNamesOf } from './groups.ts'
import { knownFigures } from './known-figures.ts'
import { type Group, levelsOf } from './levels.ts'
import { type Calendar, type Days, overlap, startOf } from './local-days.ts'
import { chargeFinder, describeGoods, type Goods } from './match-positions.ts'
import { type Metering, meteringOf } from './meters.ts'
import { fillDays, type SeriesDay, seriesOf } from './series.ts'
import type { Position, StockHistory, StorageFacts } from './stock-history.ts'

/**
 * The number of this set of rules. When the rules change, a new evaluator is added beside this one, because a
 * bill is proved by the evaluator that made it.
 */
export const storageEvaluatorVersion = 1

/** The days on which a version of a rate card is in force. */
export interface VersionDays extends Days {
  version: LoadedVersion
  /** why it is in force: the client's own card or the fall-back card */
  because: number
}

/** Days that are billed, and the kind of billing period that they form. */
export interface BilledDays {
  period: Days
  billingPeriod: (typeof BillingPeriod)[keyof typeof BillingPeriod]
}

/** Everything except the goods that decides what storage costs. */
export interface StorageTerms extends BilledDays {
  warehouseId: string
  /** the period billed up to the day before; null if there is none */
  previous: BilledDays | null
  versions: readonly VersionDays[]
  facts: StorageFacts
  calendar: Calendar
}

/** What a charge measured in a group of positions, and how. */
export interface MeasuredStorage {
  versionDays: VersionDays
  rate: CompiledRate
  charge: CompiledCharge
  /** the period of the charge, and those of its days that the version charges */
  period: Days
  days: Days
  group: Group
  series: readonly SeriesDay[]
  /** the number of parts, in which the series counts, in one unit of the metric */
  parts: Whole
  /** what each day counts, and the metric of the period, in millionths */
  counted: readonly Whole[]
  metric: Whole
}

/** One row of a storage charge. */
export interface StorageCharge {
  measured: MeasuredStorage
  row: PricedRow
  /** identifies the row within its charge and period */
  groupKey: string
}

/** The rates of a version that price storage. */
export const storageRatesOf = ({ card }: LoadedVersion): CompiledRate[] =>
  card.rates.filter(({ kind }) => kind === RateKind.Storage)

const ruleOf = ({ content }: CompiledCharge): StorageRule => content.storage as StorageRule

/**
 * The periods of a charge that are billed with the given period, and the days of each that the version
 * charges.
 */
export function periodsOf(
  charge: CompiledCharge,
  version: Days,
  { period, billingPeriod }: BilledDays,
): { period: Days; days: Days }[] {
  const { method, period: own } = ruleOf(charge)
  const isBilled = own === undefined || own === null || own === billingPeriod
  const periods = isBilled || method === StorageMethod.Anniversary ? [period] : periodsEndingIn(period, own)
  return periods.flatMap(chargePeriod => {
    // SumOfDays charges each day by its own version; other methods use the version of the first day.
    if (method !== StorageMethod.SumOfDays) {
      const isInForce = chargePeriod.from >= version.from && chargePeriod.from <= version.to
      return isInForce ? [{ period: chargePeriod, days: chargePeriod }] : []
    }
    const days = overlap(chargePeriod, version)
    return days === undefined ? [] : [{ period: chargePeriod, days }]
  })
}

/** The first day that affects a billed period: the periods of charges may begin before it. */
export function firstDayOf({ period, versions, billingPeriod }: Billed): number {
  const days = versions.flatMap(versionDays =>
    storageRatesOf(versionDays.version).flatMap(({ charges }) =>
      charges.flatMap(charge => periodsOf(charge, versionDays, { period, billingPeriod })),
    ),
  )
  return Math.min(period.from, ...days.map(period => period.days.from))
}
type Billed = BilledDays & Pick<StorageTerms, 'versions'>

/** The key of what a charge billed in advance on the last day of its period. */
const advanceKey = ({ content }: CompiledCharge, lastDay: number): string => `${content.id} ${lastDay}`

/**
 * What is charged in advance, by `advanceKey`, with the previous bill or this one, by the versions in force
 * then. It ensures that the opening balance of a period is charged once, even if a new version starts or
 * stops charging it in advance.
 */
function chargedInAdvance(terms: StorageTerms): ReadonlySet<string> {
  const found = new Set<string>()
  for (const billed of [terms.previous, terms])
    for (const versionDays of billed === null ? [] : terms.versions)
      for (const charge of storageRatesOf(versionDays.version).flatMap(({ charges }) => charges)) {
        if (!ruleOf(charge).isInAdvance) continue
        for (const { period } of periodsOf(charge, versionDays, billed as BilledDays))
          found.add(advanceKey(charge, period.to))
      }
  return found
}

/** The goods of a history with the facts that charges look at. */
export function goodsOf(history: StockHistory, terms: StorageTerms): Goods {
  const { warehouseId, facts, calendar, period } = terms
  const [begins, ends] = [startOf(calendar, firstDayOf(terms)), startOf(calendar, period.to + 1)]
  return describeGoods(warehouseId, history.positions, knownFigures(history, begins, ends), facts)
}

/** The inputs that the rates of one evaluation share. */
interface EvaluationContext {
  history: StockHistory
  terms: StorageTerms
  goods: Goods
  receipts: Receipts
  inAdvance: ReadonlySet<string>
}

/** Finds the positions that each charge of a rate takes, by group. */
function groupsOf(rate: CompiledRate, { history, goods }: EvaluationContext): Map<CompiledCharge, Group[]> {
  const { positions, lines } = history
  const findCharge = chargeFinder(rate, goods)
  const found = new Map(rate.charges.map(charge => [charge, new Map<string, Group>()]))
  const groupAt = new Array<Group | undefined>(positions.length)
  const namesOf = new Map(rate.charges.map(charge => [charge, groupNamesOf(charge)]))
  for (const [at, position] of positions.entries()) {
    const charge = findCharge(at)
    if (typeof charge === 'number' || charge.isFree) continue
    const groups = found.get(charge) as Map<string, Group>
    const key = groupKeyOf(namesOf.get(charge) ?? [], position, goods.facts)
    const group = groups.get(key) ?? { key, positions: [], lines: [] }
    groups.set(key, group)
    group.positions.push(at)
    groupAt[at] = group
  }
  for (let index = 0; index < lines.length; index++) groupAt[lines.positionAt(index)]?.lines.push(index)
  return new Map([...found].map(([charge, groups]) => [charge, [...groups.values()]]))
}

/** A group of positions with the charge that takes it. */
interface ChargedGroup extends EvaluationContext {
  charge: CompiledCharge
  group: Group
  metering: Metering
  freeUntil: (position: number) => number
}

/** Splits a group by the day on which the goods were received. */
function byReceipt({ history, group }: ChargedGroup): { receivedDay: number; group: Omit<Group, 'key'> }[] {
  const dayOf = (position: number) => (history.positions[position] as Position).receivedDay
  const lines = Map.groupBy(group.lines, index => dayOf(history.lines.positionAt(index)))
  return [...Map.groupBy(group.positions, dayOf)].map(([receivedDay, positions]) => ({
    receivedDay,
    group: { positions, lines: lines.get(receivedDay) ?? [] },
  }))
}

/** Returns a function that counts the days of a group by the charge's method. */
function counter(chargedGroup: ChargedGroup): (days: Days, series: readonly SeriesDay[]) => Whole[] {
  const { history, terms, inAdvance, charge, metering } = chargedGroup
  const rule = ruleOf(charge)
  const measure = measureOf(charge, metering.parts)
  if (rule.method === StorageMethod.StartOfPeriod)
    return ({ from }, series) =>
      countStart(rule, series, measure, inAdvance.has(advanceKey(charge, from - 1)))
  if (rule.method !== StorageMethod.Anniversary) return (_, series) => countDays(rule, series, measure)
  const receipts = byReceipt(chargedGroup).map(({ receivedDay, group }) => ({
    receivedDay,
    levels: levelsOf(history, group, metering.start(), chargedGroup.freeUntil),
  }))
  return days => {
    const receiptDays = receipts.map(({ receivedDay, levels }) => ({
      receivedDay,
      days: fillDays(seriesOf(levels, terms.calendar, days), days),
    }))
    return countAnniversaries(rule.period ?? terms.billingPeriod, receiptDays, measure)
  }
}

/** Measures a group by a charge, in each period of the charge. */
function measureGroup(
  chargedGroup: ChargedGroup,
  rate: CompiledRate,
  versionDays: VersionDays,
  periods: readonly { period: Days; days: Days }[],
): MeasuredStorage[] {
  const { history, terms, charge, group, metering } = chargedGroup
  const levels = levelsOf(history, group, metering.start(), chargedGroup.freeUntil)
  const count = counter(chargedGroup)
  return periods.map(({ period, days }) => {
    const series = fillDays(seriesOf(levels, terms.calendar, days), days)
    const counted = count(days, series)
    const metric = metricOf(ruleOf(charge), counted)
    const { parts } = metering
    return { versionDays, rate, charge, period, days, group, series, parts, counted, metric }
  })
}

function measureRate(
  rate: CompiledRate,
  versionDays: VersionDays,
  reading: EvaluationContext,
): MeasuredStorage[] {
  const { history, terms, receipts } = reading
  const measured: MeasuredStorage[] = []
  for (const [charge, groups] of groupsOf(rate, reading)) {
    const periods = periodsOf(charge, versionDays, terms)
    if (periods.length === 0) continue
    const freeUntil = freeUntilBy(charge, terms.facts, terms.calendar, receipts)
    for (const group of groups) {
      const chargedGroup = {
        ...reading,
        charge,
        group,
        metering: meteringOf(charge, history.positions, group.positions, terms.facts),
        freeUntil: (at: number) => freeUntil(history.positions[at] as Position),
      }
      measured.push(...measureGroup(chargedGroup, rate, versionDays, periods))
    }
  }
  return measured
}

/**
 * Measures storage, in the order of versions, rates, charges, groups and periods. The calendar and the
 * history must reach from the longest free time before the first period to the last billed day.
 */
export function measureStorage(history: StockHistory, terms: StorageTerms): MeasuredStorage[] {
  const reading: EvaluationContext = {
    ...{ history, terms, goods: goodsOf(history, terms) },
    ...{ receipts: receiptsOf(history, terms.calendar), inAdvance: chargedInAdvance(terms) },
  }
  return terms.versions.flatMap(versionDays =>
    storageRatesOf(versionDays.version).flatMap(rate => measureRate(rate, versionDays, reading)),
  )
}

/**
 * Prices measured storage, in the same order and then that of bands. Throws 400 if it is too much to be
 * charged.
 */
export const priceStorage = (measured: readonly MeasuredStorage[]): StorageCharge[] =>
  measured.flatMap(storage => {
    const { rate, charge, group, metric } = storage
    const rows = metric <= 0 ? [] : priceRows(charge, metric, 0)
    if (rows === undefined)
      throw verificationFailed(`The storage by the rate ${rate.content.name} is too much to be charged.`)
    return rows.map(row => ({ measured: storage, row, groupKey: partKeyOf(group.key, charge, row) }))
  })

/** Computes the storage charges of a history. */
export const evaluateStorage = (history: StockHistory, terms: StorageTerms): StorageCharge[] =>
  priceStorage(measureStorage(history, terms))
