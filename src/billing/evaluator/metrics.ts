// Measures the parts that are left and match a rate charge, and says what the charge takes of them. Pure.
//
// A metric is exact until it is rounded to the charge's own steps, and then to six places.

import { ChargePartKind, MetricRounding, RateMetric } from '../../vocabulary/billing.ts'
import { MetricType } from '../../vocabulary/partners.ts'
import type { ChargeInput, ChargePart, LinePart, ProductFacts } from './charge-input.ts'
import type { MeasurementRule } from './compiled-card.ts'
import {
  add,
  divideDown,
  divideRounded,
  divideUp,
  type ExactInteger,
  type Fraction,
  maxOf,
  multiply,
  powerOfTen,
  roundFraction,
  sumOf,
} from './exact.ts'
import { matchesPart } from './match.ts'
import { isInPool, type Pool, remainingShare, type Take } from './pool.ts'

/** The parts of a consignment, and the rules to measure them by. A measurement depends on nothing else. */
export type Parts = Pick<ChargeInput, 'parts' | 'evaluatorVersion'>

/** The parts that make one row of a charge, and their metric. */
export interface MeasuredGroup {
  /** identifies the row within its charge: a product, task type or consumable type; otherwise empty */
  key: string
  /** in millionths; 0 if there is nothing to charge */
  metric: ExactInteger
  /** the metric before the charge's own rounding */
  unrounded: ExactInteger
  takes: readonly Take[]
}

/** The measurement of a charge: its rows, and the parts that match but lack the measure. */
export interface Measurement {
  groups: readonly MeasuredGroup[]
  unmeasured: readonly number[]
  /** every matching part is measured, and taken completely */
  isOfAll: boolean
}

const measurementOf = (groups: readonly MeasuredGroup[], unmeasured: readonly number[]): Measurement => ({
  groups,
  unmeasured,
  isOfAll: unmeasured.length === 0 && areWhole(groups),
})

function areWhole(groups: readonly MeasuredGroup[]): boolean {
  for (const { takes } of groups) for (const { isWhole } of takes) if (!isWhole) return false
  return true
}

const nothingMeasured = measurementOf([], [])

/** The unit of a product that a charge counts in; undefined if the product has no such unit. */
export function unitOf(
  charge: MeasurementRule,
  { facts }: { facts: Pick<ProductFacts, 'units'> | null },
): Fraction | undefined {
  const metricType = charge.metric === RateMetric.UnitType ? MetricType.UnitType : MetricType.VirtualPallet
  return facts?.units.find(
    ({ metricType: type, unitTypeId }) => type === metricType && unitTypeId === charge.unitTypeId,
  )
}

/** The value that a line adds to a metric, and the quantity of the line that this takes. */
interface LineMeasure {
  value: Fraction
  quantity: ExactInteger
}

const wholeLine = (value: ExactInteger, places: number, left: ExactInteger): LineMeasure => ({
  value: { numerator: value, denominator: powerOfTen(places) },
  quantity: left,
})

/** Whether goods without units or serials lack the measure, rather than count 0. */
const lacksWithoutAny = ({ evaluatorVersion }: Parts): boolean => evaluatorVersion > 1

/** Measures what is left of a line; undefined if the line lacks the measure. */
export function measureLine(
  charge: MeasurementRule,
  input: Parts,
  line: LinePart,
  left: ExactInteger,
): LineMeasure | undefined {
  const { weight, volume, logisticUnits, serials } = line
  switch (charge.metric) {
    case RateMetric.Quantity:
      return wholeLine(left, 4, left)
    case RateMetric.WeightKG:
      return weight === null ? undefined : wholeLine(remainingShare(weight, line, left), 4, left)
    case RateMetric.VolumeM3:
      return volume === null ? undefined : wholeLine(remainingShare(volume, line, left), 6, left)
    case RateMetric.Lines:
      return wholeLine(1, 0, left)
    case RateMetric.LogisticUnits:
      if (logisticUnits === null && lacksWithoutAny(input)) return undefined
      return wholeLine(logisticUnits ?? 0, 0, left)
    case RateMetric.Serials:
      return serials === 0 && lacksWithoutAny(input) ? undefined : wholeLine(serials, 0, left)
    default:
      return measureUnits(charge, line, left)
  }
}

/** Counts the pallets or units of a line: all of it as a decimal or, with Cascade, whole units only. */
function measureUnits(charge: MeasurementRule, line: LinePart, left: ExactInteger): LineMeasure | undefined {
  const unit = unitOf(charge, line)
  if (unit === undefined) return undefined
  const units = {
    numerator: multiply(left, unit.numerator),
    denominator: multiply(unit.denominator, powerOfTen(4)),
  }
  if (!charge.isCascade) return { value: roundToStep(charge, units), quantity: left }
  const count = divideDown(units.numerator, units.denominator)
  // The quantity in a unit may need more than four places.
  const quantity = divideRounded(multiply(count, units.denominator), unit.numerator)
  return { value: roundToStep(charge, { numerator: count, denominator: 1 }), quantity }
}

/** Rounds a value to a multiple of the charge's own step, up or to the nearest. */
export function roundToStep(
  { rounding, roundTo }: Pick<MeasurementRule, 'rounding' | 'roundTo'>,
  value: Fraction,
): Fraction {
  if (rounding === MetricRounding.None) return value
  const numerator = multiply(value.numerator, powerOfTen(6))
  const step = multiply(value.denominator, roundTo)
  const steps = rounding === MetricRounding.Up ? divideUp(numerator, step) : divideRounded(numerator, step)
  return { numerator: multiply(steps, roundTo), denominator: powerOfTen(6) }
}

/** The sum of measured values as a metric. */
function metricOf(
  charge: MeasurementRule,
  values: readonly Fraction[],
): Pick<MeasuredGroup, 'metric' | 'unrounded'> {
  const sum = sumOf(values)
  const unrounded = roundFraction(sum, 6)
  if (sum.numerator <= 0) return { metric: 0, unrounded }
  const metric =
    charge.rounding === MetricRounding.None ? unrounded : roundFraction(roundToStep(charge, sum), 6)
  return { metric, unrounded }
}

/** The weight of lines, or the weight that their volume counts as if that is greater. */
function chargeableWeight(
  charge: MeasurementRule,
  input: Parts,
  pool: Pool,
  takes: readonly Take[],
): Fraction {
  let weight: ExactInteger = 0
  let volume: ExactInteger = 0
  for (const { part } of takes) {
    const line = input.parts[part] as LinePart
    const left = pool.left[part] as ExactInteger
    weight = add(weight, remainingShare(line.weight as ExactInteger, line, left))
    volume = add(volume, remainingShare(line.volume as ExactInteger, line, left))
  }
  // 10^-4 kg and 10^-6 m³ × 10^-6 kg per m³, both in units of 10^-12 kg.
  const numerator = maxOf(multiply(weight, powerOfTen(8)), multiply(volume, charge.cubicKGPerM3))
  return { numerator, denominator: powerOfTen(12) }
}

const lineOf = (input: Parts, part: number): LinePart => input.parts[part] as LinePart

/** The matching lines that are left. */
function matchingLines(charge: MeasurementRule, input: Parts, pool: Pool): readonly number[] {
  // For the last charges of most rates no line is left, so no list is allocated.
  let lines: number[] | undefined
  for (let part = 0; part < input.parts.length; part++) {
    if (!isInPool(pool, input, part, ChargePartKind.Line)) continue
    const line = lineOf(input, part)
    if (!matchesPart(charge, line)) continue
    if (lines === undefined) lines = [part]
    else lines.push(part)
  }
  return lines ?? noLines
}
const noLines: readonly number[] = []

/** Groups lines by product; each product is a row. */
function linesByProduct(input: Parts, lines: readonly number[]): Map<string, number[]> {
  const rows = new Map<string, number[]>()
  for (const part of lines) {
    const key = lineOf(input, part).productId ?? ''
    const row = rows.get(key)
    if (row === undefined) rows.set(key, [part])
    else row.push(part)
  }
  return rows
}

/** Measures the lines of a row. Adds those that lack the measure to `unmeasured`. */
function measureRow(
  charge: MeasurementRule,
  input: Parts,
  pool: Pool,
  lines: readonly number[],
  unmeasured: number[],
  key: string,
): MeasuredGroup {
  const isChargeable = charge.metric === RateMetric.ChargeableWeightKG
  const values: Fraction[] = []
  const takes: Take[] = []
  for (const part of lines) {
    const line = lineOf(input, part)
    const left = pool.left[part] as ExactInteger
    if (isChargeable && (line.weight === null || line.volume === null)) unmeasured.push(part)
    else if (isChargeable) takes.push({ part, quantity: left, isWhole: true })
    else {
      const found = measureLine(charge, input, line, left)
      if (found === undefined) unmeasured.push(part)
      else {
        values.push(found.value)
        takes.push({ part, quantity: found.quantity, isWhole: found.quantity === left })
      }
    }
  }
  if (isChargeable) values.push(chargeableWeight(charge, input, pool, takes))
  const { metric, unrounded } = metricOf(charge, values)
  return { key, metric, unrounded, takes }
}

function measureLines(charge: MeasurementRule, input: Parts, pool: Pool): Measurement {
  const lines = matchingLines(charge, input, pool)
  if (lines.length === 0) return nothingMeasured
  const unmeasured: number[] = []
  if (!charge.isByProduct)
    return measurementOf([measureRow(charge, input, pool, lines, unmeasured, '')], unmeasured)
  const groups = Array.from(linesByProduct(input, lines), ([key, row]) =>
    measureRow(charge, input, pool, row, unmeasured, key),
  )
  return measurementOf(groups, unmeasured)
}

/** Measures tasks or consumables, each as a row. */
function measureValues(charge: MeasurementRule, input: Parts, pool: Pool): Measurement {
  const groups: MeasuredGroup[] = []
  for (let part = 0; part < input.parts.length; part++) {
    const found = input.parts[part] as ChargePart
    if (found.kind === ChargePartKind.Line || !isInPool(pool, input, part, charge.partKind)) continue
    if (!matchesPart(charge, found)) continue
    groups.push({
      key: found.typeId,
      ...metricOf(charge, [{ numerator: found.quantity, denominator: powerOfTen(4) }]),
      takes: [{ part, quantity: found.quantity, isWhole: true }],
    })
  }
  return measurementOf(groups, [])
}

/** Measures the consignment itself, which counts 1 and takes all matching lines that are left. */
function measureConsignment(charge: MeasurementRule, input: Parts, pool: Pool): Measurement {
  const lines = matchingLines(charge, input, pool)
  const isCharged = pool.isConsignmentLeft && (charge.partSelectors.length === 0 || lines.length > 0)
  if (!isCharged) return nothingMeasured
  const takes = lines.map(part => ({ part, quantity: pool.left[part] as ExactInteger, isWhole: true }))
  return measurementOf([{ key: '', ...metricOf(charge, [{ numerator: 1, denominator: 1 }]), takes }], [])
}

/** Measures the parts in the pool for a charge that matches the consignment's header. */
export function measure(charge: MeasurementRule, input: Parts, pool: Pool): Measurement {
  if (charge.partKind === ChargePartKind.Line) return measureLines(charge, input, pool)
  if (charge.partKind === ChargePartKind.Consignment) return measureConsignment(charge, input, pool)
  return measureValues(charge, input, pool)
}
