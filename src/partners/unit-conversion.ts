// The unit chain of a product: which steps are valid, and how many items each unit holds. Pure. Spec 2.12;
// decisions 2, 8.

import { decimalText, divide, roundTo } from '../platform/decimal.ts'
import type { ValidationError } from '../platform/http/validation.ts'
import { MetricType } from '../vocabulary/partners.ts'

/**
 * One step: an input unit is `conversionRate` output units. The ids are absent unless the metric type is
 * UnitType.
 */
export interface ConversionStep {
  inputMetricType: number
  inputUnitTypeId?: string | null
  outputMetricType: number
  outputUnitTypeId?: string | null
  conversionRate: number
}

export interface UnitChain {
  /** how many items one input unit of each step holds, to six decimal places; empty if there are faults */
  itemConversionRates: string[]
  /** why the steps are not a chain; paths are relative to the array */
  faults: ValidationError[]
}

export const maxSteps = 100

// The bounds of the column and of what a JSON number holds exactly, in millionths.
const minItems = 1n
const maxItems = 99_999_999_999_000_000n

/** A key that identifies a unit, whatever the case of its unit type id. */
export const unitKey = (metricType: number, unitTypeId: string | null | undefined) =>
  metricType === MetricType.UnitType ? `${metricType}:${unitTypeId?.toLowerCase()}` : `${metricType}`

const inputKey = (step: ConversionStep) => unitKey(step.inputMetricType, step.inputUnitTypeId)
const outputKey = (step: ConversionStep) => unitKey(step.outputMetricType, step.outputUnitTypeId)
const items = unitKey(MetricType.Item, null)

/** Checks that steps are a chain: every unit has one output, and following the outputs leads to items. */
export function unitChain(steps: readonly ConversionStep[]): UnitChain {
  const unitFaults = steps.flatMap(unitTypeFaults)
  if (unitFaults.length > 0) return { itemConversionRates: [], faults: unitFaults }
  const byInput = new Map<string, number>()
  const faults: ValidationError[] = []
  steps.forEach((step, i) => {
    const earlier = byInput.get(inputKey(step))
    if (inputKey(step) === items)
      faults.push({
        path: `[${i}].inputMetricType`,
        problem: 'must not be 1: items are what every unit leads to',
      })
    else if (earlier !== undefined)
      faults.push({
        path: `[${i}]`,
        problem: `must not convert the same unit as unitConversions[${earlier}]`,
        code: 'duplicate',
      })
    else byInput.set(inputKey(step), i)
  })
  if (faults.length > 0) return { itemConversionRates: [], faults }
  const itemConversionRates = steps.map((_, i) => {
    const result = itemsIn(steps, byInput, i)
    if (typeof result === 'string') return result
    faults.push(result)
    return ''
  })
  return { itemConversionRates: faults.length > 0 ? [] : itemConversionRates, faults }
}

/** The faults of a step's unit type ids: they must be given if, and only if, the metric type is UnitType. */
function unitTypeFaults(step: ConversionStep, i: number): ValidationError[] {
  const faults: ValidationError[] = []
  for (const side of ['input', 'output'] as const) {
    const [isUnitType, id] = [
      step[`${side}MetricType`] === MetricType.UnitType,
      step[`${side}UnitTypeId`] ?? undefined,
    ]
    const path = `[${i}].${side}UnitTypeId`
    if (isUnitType && id === undefined)
      faults.push({ path, problem: `is required when ${side}MetricType is 3`, code: 'required' })
    if (!isUnitType && id !== undefined)
      faults.push({ path, problem: `must be left out unless ${side}MetricType is 3` })
  }
  return faults
}

/** Multiplies the rates from a step down to items, and rounds once at the end. */
function itemsIn(
  steps: readonly ConversionStep[],
  byInput: ReadonlyMap<string, number>,
  start: number,
): string | ValidationError {
  const visited = new Set<number>()
  let product = 1n
  for (let at: number | undefined = start; at !== undefined; ) {
    if (visited.has(at))
      return { path: `[${start}]`, problem: at === start ? 'must not lead back to its own unit' : noItems }
    visited.add(at)
    const step = steps[at] as ConversionStep
    product *= millionths(step.conversionRate)
    if (outputKey(step) === items) return rate(product, visited.size, start)
    at = byInput.get(outputKey(step))
  }
  return { path: `[${start}]`, problem: noItems }
}

const noItems = 'must lead to items (metric type 1) by its own output or further steps'

function rate(product: bigint, factors: number, start: number): string | ValidationError {
  const unit = 1_000_000n ** BigInt(factors - 1)
  const rounded = divide(product, unit)
  const rangeFault = (problem: string): ValidationError => ({ path: `[${start}]`, problem, code: 'range' })
  if (rounded < minItems) return rangeFault('must hold at least 0.000001 items in one input unit')
  if (rounded > maxItems) return rangeFault('must hold at most 99,999,999,999 items in one input unit')
  return decimalText(6, rounded)
}

/** A rate with at most six decimal places in millionths. */
const millionths = (value: number) => roundTo(6, value)

/**
 * The faults of `unitConversions` in a request. This `rule` runs together with the checks of the schema, and
 * ignores values that are not steps, because the schema reports those.
 */
export function unitConversionFaults(value: unknown): ValidationError[] {
  if (!Array.isArray(value) || value.length > maxSteps || !value.every(isStep)) return []
  return unitChain(value).faults
}

function isStep(value: unknown): value is ConversionStep {
  if (typeof value !== 'object' || value === null) return false
  const { inputMetricType, outputMetricType, inputUnitTypeId, outputUnitTypeId, conversionRate } =
    value as Record<string, unknown>
  const isMetricType = (type: unknown) => type === 1 || type === 2 || type === 3
  const isId = (id: unknown) => id === undefined || id === null || typeof id === 'string'
  const isRate = typeof conversionRate === 'number' && conversionRate > 0 && conversionRate < 1e11
  return (
    isMetricType(inputMetricType) &&
    isMetricType(outputMetricType) &&
    isId(inputUnitTypeId) &&
    isId(outputUnitTypeId) &&
    isRate
  )
}
