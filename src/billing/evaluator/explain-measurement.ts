// Explains how the metric of a charge was measured: line by line where quantities are converted to pallets or
// other units, then added up. Pure: it describes what metrics.ts measured and decides nothing.

import { withoutTrailingZeros } from '../../platform/decimal.ts'
import { ChargePartKind, MetricRounding, RateMetric } from '../../vocabulary/billing.ts'
import type { ChargePart, LinePart } from './charge-input.ts'
import type { CompiledCharge } from './compiled-card.ts'
import {
  divideRounded,
  type ExactInteger,
  type Fraction,
  multiply,
  powerOfTen,
  roundFraction,
  sumOf,
  textOf,
} from './exact.ts'
import { metricText, roundingText, type Step } from './explain.ts'
import { type MeasuredGroup, measureLine, type Parts, roundToStep, unitOf } from './metrics.ts'
import { remainingShare, type Take } from './pool.ts'

/** What the steps call the parts and the unit of a charge. */
export interface MeasurementNames {
  partName(part: number): string
  /** one unit that the charge counts in */
  unit: string
}

/** How many values the text of a sum lists. */
const maxListedValues = 10

const measureNames: Partial<Record<RateMetric, string>> = {
  [RateMetric.Quantity]: 'quantity',
  [RateMetric.WeightKG]: 'weight in kg',
  [RateMetric.VolumeM3]: 'volume in m³',
  [RateMetric.VirtualPallet]: 'pallets',
  [RateMetric.UnitType]: 'units',
  [RateMetric.TaskValue]: 'quantity',
  [RateMetric.ConsumableValue]: 'quantity',
  [RateMetric.Lines]: 'lines',
  [RateMetric.LogisticUnits]: 'logistic units',
  [RateMetric.Serials]: 'serials',
}

const shortText = (value: Fraction) => withoutTrailingZeros(metricText(roundFraction(value, 6)))

const isConverted = ({ metric }: CompiledCharge): boolean =>
  metric === RateMetric.VirtualPallet || metric === RateMetric.UnitType

/** The value that a taken part added to the metric. */
function measuredValue(charge: CompiledCharge, input: Parts, { part, quantity }: Take): Fraction {
  const found = input.parts[part] as ChargePart
  if (found.kind !== ChargePartKind.Line) return { numerator: found.quantity, denominator: powerOfTen(4) }
  const unit = charge.isCascade && isConverted(charge) ? unitOf(charge, found) : undefined
  if (unit === undefined)
    return measureLine(charge, input, found, quantity)?.value ?? { numerator: 0, denominator: 1 }
  // Whole units only were taken. Their quantity may have been rounded, so their number is the nearest.
  const count = divideRounded(multiply(quantity, unit.numerator), multiply(unit.denominator, powerOfTen(4)))
  return roundToStep(charge, { numerator: count, denominator: 1 })
}

/** The step that converts the quantity of a line to pallets or other units. */
function conversionStep(
  charge: CompiledCharge,
  input: Parts,
  take: Take,
  { partName, unit }: MeasurementNames,
): Step {
  const { numerator, denominator } = unitOf(charge, input.parts[take.part] as LinePart) as Fraction
  const items = shortText({ numerator: denominator, denominator: numerator })
  const rules = [
    ...(charge.isCascade ? ['whole ones only'] : []),
    ...(charge.rounding === MetricRounding.None ? [] : [roundingText(charge)]),
  ]
  return {
    name: 'convert',
    from: textOf(4, take.quantity),
    operation: [`${partName(take.part)}: ÷ ${items} to a ${unit}`, ...rules].join(', '),
    to: metricText(roundFraction(measuredValue(charge, input, take), 6)),
  }
}

/** The step that adds up the values of the parts. */
function sumStep(
  charge: CompiledCharge,
  input: Parts,
  { takes, unrounded }: MeasuredGroup,
  { partName }: MeasurementNames,
): Step {
  const listed = takes.slice(0, maxListedValues).map(take => shortText(measuredValue(charge, input, take)))
  const of = takes.length === 1 ? partName((takes[0] as Take).part) : `${takes.length} parts`
  return {
    name: 'measure',
    from: [...listed, ...(takes.length > maxListedValues ? ['…'] : [])].join(' + '),
    operation: `${measureNames[charge.metric]} of ${of}`,
    to: metricText(unrounded),
  }
}

/** The step that takes the weight, or what the volume counts as. */
function chargeableWeightStep(
  { cubicKGPerM3 }: CompiledCharge,
  { parts }: Parts,
  { takes, unrounded }: MeasuredGroup,
): Step {
  const total = (figure: 'weight' | 'volume', places: number) => {
    const shares = takes.map(({ part, quantity }) => {
      const line = parts[part] as LinePart
      return {
        numerator: remainingShare(line[figure] as ExactInteger, line, quantity),
        denominator: powerOfTen(places),
      }
    })
    return shortText(sumOf(shares))
  }
  return {
    name: 'measure',
    from: `${total('weight', 4)} kg, ${total('volume', 6)} m³`,
    operation: `the greater of the weight and ${withoutTrailingZeros(metricText(cubicKGPerM3))} kg a m³`,
    to: metricText(unrounded),
  }
}

/** The steps from the parts of a row to its metric, before the charge's own rounding of the sum. */
export function measurementSteps(
  charge: CompiledCharge,
  input: Parts,
  group: MeasuredGroup,
  names: MeasurementNames,
): Step[] {
  if (charge.metric === RateMetric.ChargeableWeightKG) return [chargeableWeightStep(charge, input, group)]
  if (measureNames[charge.metric] === undefined || group.takes.length === 0) return []
  const conversions = isConverted(charge)
    ? group.takes.map(take => conversionStep(charge, input, take, names))
    : []
  return [...conversions, sumStep(charge, input, group, names)]
}
