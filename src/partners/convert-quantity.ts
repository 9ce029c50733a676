// Converts a quantity between the units of a product. Pure and exact: only the results are rounded. Spec
// 4.12; decisions 1, 2.

import { divide, exactPowerOfTen, scale } from '../platform/decimal.ts'
import { MetricResolution, MetricType } from '../vocabulary/partners.ts'
import { type ConversionStep, unitKey } from './unit-conversion.ts'

/** A step of a stored chain. The rate is decimal text, so that it is exact. */
export type StoredStep = Omit<ConversionStep, 'conversionRate'> & {
  conversionRate: string
  inputUnitTypeName: string | null
}

/** A quantity in one unit. The unit type is null unless the metric type is UnitType. */
export interface Metric {
  metricType: (typeof MetricType)[keyof typeof MetricType]
  unitTypeId: string | null
  unitTypeName: string | null
  /** rounded half up to four decimal places; never negative */
  quantity: number
}

interface Unit extends Omit<Metric, 'quantity'> {
  /** what `unitKey` returns for it */
  key: string
  /** how many items it holds, in the fraction of an item that all units of the chain share */
  size: bigint
}

/** The units that a product's quantities can be converted between, the largest first and items last. */
export type Chain = readonly Unit[]

/** The largest quantity that a JSON number holds exactly, in ten-thousandths. */
const maxQuantity = 999_999_999_999_999n

/**
 * A conversion that is impossible. The message continues a sentence that begins with the name of its entry.
 */
export class UnitConversionError extends Error {}

/**
 * Builds the chain of a product from its steps, which must be valid (see `unitChain`). Units of the same size
 * are in the order of their steps.
 */
export function buildChain(steps: readonly StoredStep[]): Chain {
  const byInput = new Map(steps.map(step => [inputKey(step), step]))
  const itemCounts = new Map<StoredStep, ItemCount>()
  const itemsOf = (step: StoredStep): ItemCount => {
    const output = byInput.get(unitKey(step.outputMetricType, step.outputUnitTypeId))
    const outputItems =
      output === undefined ? { items: 1n, places: 0 } : (itemCounts.get(output) ?? itemsOf(output))
    const [whole, fraction = ''] = step.conversionRate.split('.')
    const count = {
      items: BigInt(`${whole}${fraction}`) * outputItems.items,
      places: fraction.length + outputItems.places,
    }
    itemCounts.set(step, count)
    return count
  }
  const sizes = steps.map(step => itemCounts.get(step) ?? itemsOf(step))
  const places = Math.max(0, ...sizes.map(size => size.places))
  const units = steps.map((step, i) => {
    const { items, places: ownPlaces } = sizes[i] as ItemCount
    const metricType = step.inputMetricType as Metric['metricType']
    const { inputUnitTypeId: unitTypeId = null, inputUnitTypeName: unitTypeName } = step
    return {
      metricType,
      unitTypeId,
      unitTypeName,
      key: inputKey(step),
      size: items * exactPowerOfTen(places - ownPlaces),
    }
  })
  const item = {
    metricType: MetricType.Item,
    unitTypeId: null,
    unitTypeName: null,
    key: unitKey(MetricType.Item, null),
    size: exactPowerOfTen(places),
  }
  return [...units.toSorted((a, b) => (b.size > a.size ? 1 : b.size < a.size ? -1 : 0)), item]
}

/** An exact number of items: `items / 10 ** places`. */
interface ItemCount {
  items: bigint
  places: number
}

const inputKey = (step: StoredStep) => unitKey(step.inputMetricType, step.inputUnitTypeId)

/**
 * Converts a quantity (0 or more, at most four decimal places) to the units of a chain, in the order of the
 * chain. Throws `UnitConversionError` for a unit that is not in the chain, and for a result with more digits
 * than a JSON number holds.
 */
export function convertQuantity(
  chain: Chain,
  input: { metricType: number; unitTypeId?: string | null; quantity: number },
  resolution: MetricResolution,
): Metric[] {
  const key = unitKey(input.metricType, input.unitTypeId)
  const from = chain.find(unit => unit.key === key)
  if (from === undefined) throw new UnitConversionError("the unit is not in the product's chain")
  const quantity = scale(4, input.quantity) * from.size
  if (resolution === MetricResolution.Compound)
    return chain.map(unit => toMetric(unit, divide(quantity, unit.size)))

  const metrics: Metric[] = []
  let rest = quantity
  for (const unit of chain.slice(0, -1)) {
    const unitSize = unit.size * tenThousand
    if (rest >= unitSize) metrics.push(toMetric(unit, (rest / unitSize) * tenThousand))
    rest %= unitSize
  }
  const item = chain.at(-1) as Unit
  const items = divide(rest, item.size)
  return items > 0n ? [...metrics, toMetric(item, items)] : metrics
}

// One, as a quantity in ten-thousandths.
const tenThousand = 10_000n

/**
 * Converts a quantity of a unit type, or of items if `unitTypeId` is null, to items in ten-thousandths.
 * Nothing is rounded: returns `inexact` if the result needs more than four decimal places, and `unknown` if
 * the unit type is not in the chain.
 */
export function exactItems(
  chain: Chain,
  unitTypeId: string | null,
  quantity: number,
): bigint | 'unknown' | 'inexact' {
  if (unitTypeId === null) return scale(4, quantity)
  const key = unitKey(MetricType.UnitType, unitTypeId)
  const from = chain.find(unit => unit.key === key)
  if (from === undefined) return 'unknown'
  const { size } = chain.at(-1) as Unit
  const items = scale(4, quantity) * from.size
  return items % size === 0n ? items / size : 'inexact'
}

/** A quantity in ten-thousandths as the API returns it. */
function toMetric({ metricType, unitTypeId, unitTypeName }: Unit, quantity: bigint): Metric {
  if (quantity > maxQuantity)
    throw new UnitConversionError('the result is more than 99,999,999,999.9999 of a unit')
  return { metricType, unitTypeId, unitTypeName, quantity: Number(quantity) / 10_000 }
}
