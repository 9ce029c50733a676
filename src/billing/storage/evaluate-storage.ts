// The storage evaluator: computes what the storage of a client in a warehouse costs for some days. Pure.
// Previews, runs, corrections and proofs all use it. Amounts are priced by the same code as those of
// consignments.

import { verificationFailed } from '../../platform/http/refusal.ts'
import { StorageMethod } from '../../vocabulary/billing.ts'
import { type PricedRow, priceRows } from '../evaluator/bands.ts'
import type { CompiledCharge, CompiledRate } from '../evaluator/compiled-card.ts'
import { partKeyOf } from '../evaluator/evaluate.ts'
import type { ExactInteger } from '../evaluator/exact.ts'
import { advancesIn, priceTheSame } from './charged-in-advance.ts'
import {
  type BilledDays,
  chargedPeriodsOf,
  firstDayOf,
  ruleOf,
  storageRatesOf,
  type VersionDays,
} from './charged-periods.ts'
import { countAnniversaries, countDays, countStart, measureOf, metricOf } from './count-days.ts'
import { freeUntilBy, type Receipts, receiptsOf } from './free-hours.ts'
import { type Group, groupKeyOf, groupNamesOf } from './groups.ts'
import { findKnownFigures } from './known-figures.ts'
import { balanceLevels } from './levels.ts'
import { type Days, type LocalCalendar, startOf } from './local-days.ts'
import { chargeFinder, describeGoods, type Goods } from './match-positions.ts'
import { type Metering, meteringOf } from './meters.ts'
import { allReceived, type ReceivedShares, receivedSharesOf } from './received-shares.ts'
import { dailyBalances, fillDays, type SeriesDay } from './series.ts'
import type { Position, StockHistory, StorageFacts } from './stock-history.ts'

/**
 * The number of the rules for new bills. A bill is proved and corrected by the rules that made it, so the
 * older ones stay. By version 1, goods that were moved into a group counted as received there, and what was
 * charged in advance was known by the ids of charges, which a version sent as content renews.
 */
export const storageEvaluatorVersion = 2

/** Whether this version of the service can evaluate storage by the rules of a number. */
export const isKnownStorageEvaluator = (version: number): boolean =>
  version >= 1 && version <= storageEvaluatorVersion

/** Everything except the goods that decides what storage costs. */
export interface StorageTerms extends BilledDays {
  /** the number of the rules */
  evaluatorVersion: number
  warehouseId: string
  /** the period billed up to the day before; null if there is none */
  previous: BilledDays | null
  versions: readonly VersionDays[]
  facts: StorageFacts
  calendar: LocalCalendar
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
  parts: ExactInteger
  /** what each day counts, and the metric of the period, in millionths */
  counted: readonly ExactInteger[]
  metric: ExactInteger
}

export interface StorageCharge {
  measured: MeasuredStorage
  row: PricedRow
  /** identifies the row within its charge and period */
  groupKey: string
}

/** The key of what a charge billed in advance on the last day of its period. */
const advanceKey = ({ content }: CompiledCharge, lastDay: number): string => `${content.id} ${lastDay}`

/**
 * Returns a function that tells which positions of a group were charged in advance for a day: all or none by
 * version 1, which goes by the ids of charges.
 */
function chargedInAdvance(
  { terms, goods, history }: Pick<EvaluationContext, 'terms' | 'goods' | 'history'>,
  versionDays: VersionDays,
  rate: CompiledRate,
): (charge: CompiledCharge, firstDay: number) => (position: number) => boolean {
  const advances = advancesIn(terms.versions, [terms.previous, terms])
  if (terms.evaluatorVersion === 1) {
    const keys = new Set(advances.map(({ charge, lastDay }) => advanceKey(charge, lastDay)))
    return (charge, firstDay) => () => keys.has(advanceKey(charge, firstDay - 1))
  }
  const ofRate = advances.filter(other => priceTheSame([rate, versionDays], [other.rate, other.versionDays]))
  const finders = new Map(ofRate.map(({ rate: other }) => [other, chargeFinder(other, goods)]))
  const taken = ofRate.map(advance => {
    const findCharge = finders.get(advance.rate)
    const positions = history.positions.keys().filter(at => findCharge?.(at) === advance.charge)
    return { lastDay: advance.lastDay, positions: new Set(positions) }
  })
  return (_, firstDay) => {
    const before = taken.filter(({ lastDay }) => lastDay === firstDay - 1)
    return position => before.some(({ positions }) => positions.has(position))
  }
}

/** The goods of a history with the facts that charges look at. */
export function goodsOf(history: StockHistory, terms: StorageTerms): Goods {
  const { warehouseId, facts, calendar, period } = terms
  const [begins, ends] = [startOf(calendar, firstDayOf(terms)), startOf(calendar, period.to + 1)]
  return describeGoods(warehouseId, history.positions, findKnownFigures(history, begins, ends), facts)
}

/** The inputs that the rates of one evaluation share. */
interface EvaluationContext {
  history: StockHistory
  terms: StorageTerms
  goods: Goods
  receipts: Receipts
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
  shares: ReceivedShares
  /** whether a position was charged in advance for the period that begins on a day */
  isInAdvance: (firstDay: number) => (position: number) => boolean
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
function counter(chargedGroup: ChargedGroup): (days: Days, series: readonly SeriesDay[]) => ExactInteger[] {
  const { history, terms, charge, metering, freeUntil, shares } = chargedGroup
  const rule = ruleOf(charge)
  const measure = measureOf(charge, metering.parts)
  if (rule.method === StorageMethod.StartOfPeriod)
    return (days, series) => countStart(rule, series, measure, openingToCharge(chargedGroup, days, series))
  if (rule.method !== StorageMethod.Anniversary) return (_, series) => countDays(rule, series, measure)
  const receipts = byReceipt(chargedGroup).map(({ receivedDay, group }) => ({
    receivedDay,
    levels: balanceLevels(history, group, metering.start(), freeUntil, shares),
  }))
  return days => {
    const receiptDays = receipts.map(({ receivedDay, levels }) => ({
      receivedDay,
      days: fillDays(dailyBalances(levels, terms.calendar, days), days),
    }))
    return countAnniversaries(rule.period ?? terms.billingPeriod, receiptDays, measure)
  }
}

/** The opening balance of a group's period without the goods that were charged in advance, in parts. */
function openingToCharge(
  { history, terms, group, metering, freeUntil, isInAdvance }: ChargedGroup,
  days: Days,
  series: readonly SeriesDay[],
): ExactInteger {
  const isCharged = isInAdvance(days.from)
  const left = group.positions.filter(position => !isCharged(position))
  if (left.length === group.positions.length) return series[0]?.opening ?? 0
  if (left.length === 0) return 0
  const among = new Set(left)
  const lines = group.lines.filter(index => among.has(history.lines.positionAt(index)))
  const levels = balanceLevels(history, { positions: left, lines }, metering.start(), freeUntil)
  return dailyBalances(levels, terms.calendar, days).opening
}

/** Measures a group by a charge, in each period of the charge. */
function measureGroup(
  chargedGroup: ChargedGroup,
  rate: CompiledRate,
  versionDays: VersionDays,
  periods: readonly { period: Days; days: Days }[],
): MeasuredStorage[] {
  const { history, terms, charge, group, metering, freeUntil, shares } = chargedGroup
  const levels = balanceLevels(history, group, metering.start(), freeUntil, shares)
  const count = counter(chargedGroup)
  return periods.map(({ period, days }) => {
    const series = fillDays(dailyBalances(levels, terms.calendar, days), days)
    const counted = count(days, series)
    const metric = metricOf(ruleOf(charge), counted)
    const { parts } = metering
    return { versionDays, rate, charge, period, days, group, series, parts, counted, metric }
  })
}

/** The shares that were received of what groups gained; by version 1, all of it. */
function sharesOf(
  { history, terms }: EvaluationContext,
  groupsByCharge: ReadonlyMap<CompiledCharge, readonly Group[]>,
  freeBy: ReadonlyMap<CompiledCharge, (at: number) => number>,
): ReceivedShares {
  if (terms.evaluatorVersion === 1) return allReceived
  const found: { group: Group; freeUntil: (at: number) => number }[] = []
  for (const [charge, groups] of groupsByCharge)
    for (const group of groups)
      for (const position of group.positions)
        found[position] = { group, freeUntil: freeBy.get(charge) as (at: number) => number }
  return receivedSharesOf(history, (position, at) => {
    const charged = found[position]
    return charged !== undefined && charged.freeUntil(position) < at ? charged.group : undefined
  })
}

function measureRate(
  rate: CompiledRate,
  versionDays: VersionDays,
  reading: EvaluationContext,
): MeasuredStorage[] {
  const { history, terms, receipts } = reading
  const measured: MeasuredStorage[] = []
  const groupsByCharge = groupsOf(rate, reading)
  const freeBy = new Map(
    rate.charges.map(charge => {
      const freeUntil = freeUntilBy(charge, terms.facts, terms.calendar, receipts)
      return [charge, (at: number) => freeUntil(history.positions[at] as Position)]
    }),
  )
  const shares = sharesOf(reading, groupsByCharge, freeBy)
  const findAdvances = chargedInAdvance(reading, versionDays, rate)
  for (const [charge, groups] of groupsByCharge) {
    const periods = chargedPeriodsOf(charge, versionDays, terms)
    if (periods.length === 0) continue
    for (const group of groups) {
      const chargedGroup = {
        ...{ ...reading, charge, group, shares },
        metering: meteringOf(charge, history.positions, group.positions, terms.facts),
        freeUntil: freeBy.get(charge) as (at: number) => number,
        isInAdvance: (firstDay: number) => findAdvances(charge, firstDay),
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
    receipts: receiptsOf(history, terms.calendar),
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
