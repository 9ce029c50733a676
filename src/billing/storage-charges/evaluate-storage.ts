// What the storage of a client in a warehouse comes to for some days. Pure: previews, runs, corrections
// and proofs all come through here, and amounts are made where those of consignments are.

import { type BillingPeriod, RateKind, StorageMethod } from '../enumerations.ts'
import { type PricedRow, priceRows } from '../rate-cards/bands.ts'
import type { CompiledCharge, CompiledRate } from '../rate-cards/compiled-card.ts'
import { partKeyOf } from '../rate-cards/evaluate.ts'
import type { Whole } from '../rate-cards/exact.ts'
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
 * The number of these rules. Other rules are another evaluator, beside this one: bills are proved by
 * theirs.
 */
export const storageEvaluatorVersion = 1

/** The days on which a version of a rate card counts. */
export interface VersionDays extends Days {
  version: LoadedVersion
  /** own card or fall-back */
  because: number
}

/** Days that are billed, and the kind of period that they are. */
export interface BilledDays {
  period: Days
  billingPeriod: (typeof BillingPeriod)[keyof typeof BillingPeriod]
}

/** Everything but the goods that decides what storage comes to. */
export interface StorageTerms extends BilledDays {
  warehouseId: string
  /** what was billed up to the day before; null: nothing was */
  previous: BilledDays | null
  versions: readonly VersionDays[]
  facts: StorageFacts
  calendar: Calendar
}

/** What a charge measured in a group, and how. */
export interface MeasuredStorage {
  versionDays: VersionDays
  rate: CompiledRate
  charge: CompiledCharge
  /** the period of the charge, and the days of it on which the version counts */
  period: Days
  days: Days
  group: Group
  series: readonly SeriesDay[]
  /** how many parts of the series one unit of the metric has */
  parts: Whole
  /** what each of the days counts, and what they come to, in millionths */
  counted: readonly Whole[]
  metric: Whole
}

/** A row that is charged. */
export interface StorageCharge {
  measured: MeasuredStorage
  row: PricedRow
  /** tells the rows of a charge and period apart */
  groupKey: string
}

/** The rates of a version that price storage. */
export const storageRatesOf = ({ card }: LoadedVersion): CompiledRate[] =>
  card.rates.filter(({ kind }) => kind === RateKind.Storage)

const ruleOf = ({ content }: CompiledCharge): StorageRule => content.storage as StorageRule

/** The periods for which a charge of a version is billed with the terms' own, and the days that count. */
export function periodsOf(
  charge: CompiledCharge,
  version: Days,
  { period, billingPeriod }: BilledDays,
): { period: Days; days: Days }[] {
  const { method, period: own } = ruleOf(charge)
  const isBilled = own === undefined || own === null || own === billingPeriod
  const periods = isBilled || method === StorageMethod.Anniversary ? [period] : periodsEndingIn(period, own)
  return periods.flatMap(one => {
    // Days are added up by the version of each; anything else is by the version of the first day.
    if (method !== StorageMethod.SumOfDays)
      return one.from >= version.from && one.from <= version.to ? [{ period: one, days: one }] : []
    const days = overlap(one, version)
    return days === undefined ? [] : [{ period: one, days }]
  })
}

/** The first day that decides anything of a billed period: periods of charges may begin before it. */
export function firstDayOf({ period, versions, billingPeriod }: Billed): number {
  const days = versions.flatMap(versionDays =>
    storageRatesOf(versionDays.version).flatMap(({ charges }) =>
      charges.flatMap(charge => periodsOf(charge, versionDays, { period, billingPeriod })),
    ),
  )
  return Math.min(period.from, ...days.map(one => one.days.from))
}
type Billed = BilledDays & Pick<StorageTerms, 'versions'>

/** Names what a charge counted in advance, on the last day of its period. */
const advanceKey = ({ content }: CompiledCharge, lastDay: number): string => `${content.id} ${lastDay}`

/**
 * What was charged in advance, by `advanceKey`: with the bill before or this one, by the versions that
 * counted then. So what a period begins with is charged once, also where a version begins or ceases to
 * charge it in advance.
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

/** The goods of a history as the charges of these terms look at them. */
export function goodsOf(history: StockHistory, terms: StorageTerms): Goods {
  const { warehouseId, facts, calendar, period } = terms
  const [begins, ends] = [startOf(calendar, firstDayOf(terms)), startOf(calendar, period.to + 1)]
  return describeGoods(warehouseId, history.positions, knownFigures(history, begins, ends), facts)
}

/** Everything that the rates of one evaluation read. */
interface EvaluationContext {
  history: StockHistory
  terms: StorageTerms
  goods: Goods
  receipts: Receipts
  inAdvance: ReadonlySet<string>
}

/** The positions that each charge of a rate takes, by group. */
function groupsOf(rate: CompiledRate, { history, goods }: EvaluationContext): Map<CompiledCharge, Group[]> {
  const { positions, lines } = history
  const taker = chargeFinder(rate, goods)
  const found = new Map(rate.charges.map(charge => [charge, new Map<string, Group>()]))
  const groupAt = new Array<Group | undefined>(positions.length)
  const namesOf = new Map(rate.charges.map(charge => [charge, groupNamesOf(charge)]))
  for (const [at, position] of positions.entries()) {
    const charge = taker(at)
    if (typeof charge === 'number' || charge.isFree) continue
    const groups = found.get(charge) as Map<string, Group>
    const key = groupKeyOf(namesOf.get(charge) ?? [], position, goods.facts)
    const group = groups.get(key) ?? { key, positions: [], lines: [] }
    groups.set(key, group)
    group.positions.push(at)
    groupAt[at] = group
  }
  for (let place = 0; place < lines.length; place++) groupAt[lines.positionAt(place)]?.lines.push(place)
  return new Map([...found].map(([charge, groups]) => [charge, [...groups.values()]]))
}

/** A group as a charge sees it. */
interface ChargedGroup extends EvaluationContext {
  charge: CompiledCharge
  group: Group
  metering: Metering
  freeUntil: (position: number) => number
}

/** The same for what was received on each day by itself. */
function byReceipt({ history, group }: ChargedGroup): { receivedDay: number; group: Omit<Group, 'key'> }[] {
  const dayOf = (position: number) => (history.positions[position] as Position).receivedDay
  const lines = Map.groupBy(group.lines, place => dayOf(history.lines.positionAt(place)))
  return [...Map.groupBy(group.positions, dayOf)].map(([receivedDay, positions]) => ({
    receivedDay,
    group: { positions, lines: lines.get(receivedDay) ?? [] },
  }))
}

/** Counts the days of a group, by the method of the charge. */
function counter(seen: ChargedGroup): (days: Days, series: readonly SeriesDay[]) => Whole[] {
  const { history, terms, inAdvance, charge, metering } = seen
  const rule = ruleOf(charge)
  const measure = measureOf(charge, metering.parts)
  if (rule.method === StorageMethod.StartOfPeriod)
    return ({ from }, series) =>
      countStart(rule, series, measure, inAdvance.has(advanceKey(charge, from - 1)))
  if (rule.method !== StorageMethod.Anniversary) return (_, series) => countDays(rule, series, measure)
  const receipts = byReceipt(seen).map(({ receivedDay, group }) => ({
    receivedDay,
    levels: levelsOf(history, group, metering.start(), seen.freeUntil),
  }))
  return days => {
    const each = receipts.map(({ receivedDay, levels }) => ({
      receivedDay,
      days: fillDays(seriesOf(levels, terms.calendar, days), days),
    }))
    return countAnniversaries(rule.period ?? terms.billingPeriod, each, measure)
  }
}

/** What a charge measures in a group, in each of its periods. */
function measureGroup(
  seen: ChargedGroup,
  rate: CompiledRate,
  versionDays: VersionDays,
  periods: readonly { period: Days; days: Days }[],
): MeasuredStorage[] {
  const { history, terms, charge, group, metering } = seen
  const levels = levelsOf(history, group, metering.start(), seen.freeUntil)
  const count = counter(seen)
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
      const seen = {
        ...reading,
        charge,
        group,
        metering: meteringOf(charge, history.positions, group.positions, terms.facts),
        freeUntil: (at: number) => freeUntil(history.positions[at] as Position),
      }
      measured.push(...measureGroup(seen, rate, versionDays, periods))
    }
  }
  return measured
}

/**
 * What storage measures, in the order of versions, rates, charges, groups and periods. The calendar must
 * reach from before the first period by the longest free hours to the last billed day, the history as far.
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

/** What comes of what was measured, in the same order, and that of bands. */
export const priceStorage = (measured: readonly MeasuredStorage[]): StorageCharge[] =>
  measured.flatMap(one => {
    const { charge, group, metric } = one
    const rows = metric <= 0 ? [] : priceRows(charge, metric, 0)
    if (rows === undefined) throw new RangeError(`Storage of ${metric} millionths is too much to charge.`)
    return rows.map(row => ({ measured: one, row, groupKey: partKeyOf(group.key, charge, row) }))
  })

/** What storage comes to. */
export const evaluateStorage = (history: StockHistory, terms: StorageTerms): StorageCharge[] =>
  priceStorage(measureStorage(history, terms))
