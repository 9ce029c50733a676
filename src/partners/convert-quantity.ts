// What a quantity is in the units of a product's chain. Pure and exact: only what is returned is rounded.
// Spec 4.12; open-points 1 (quantities), 2.

import { divide, powerOfTen, scale } from '../platform/decimal.ts'
import { MetricResolution, MetricType } from './enumerations.ts'
import { type ConversionStep, unitOf } from './unit-conversion.ts'

/** A step of a stored chain; the rate as decimal text, so that it is exact. */
export type StoredStep = Omit<ConversionStep, 'conversionRate'> & {
  conversionRate: string
  inputUnitTypeName: string | null
}

/** A quantity in one unit. The unit type is given for metric type UnitType only. */
export interface Metric {
  metricType: (typeof MetricType)[keyof typeof MetricType]
  unitTypeId: string | null
  unitTypeName: string | null
  /** four places, rounded half up; never negative */
  quantity: number
}

/** A unit of a chain. */
interface Unit extends Omit<Metric, 'quantity'> {
  /** its name in the sense of `unitOf` */
  name: string
  /** how many items one holds, in the chain's fractions of an item */
  size: bigint
}

/** A chain that quantities can be converted in: its units, the largest first and items last. */
export type Chain = readonly Unit[]

/** The greatest quantity that a JSON number holds exactly, in ten-thousandths. */
const maxQuantity = 999_999_999_999_999n

/** Why a conversion is refused; the message follows the name of its entry. */
export class CannotConvert extends Error {}

/**
 * Reads the steps of a product, which must be a chain (see `unitChain`). Units of one size stand in the order
 * of their steps.
 */
export function chainOf(steps: readonly StoredStep[]): Chain {
  const byInput = new Map(steps.map(step => [inputOf(step), step]))
  const exact = new Map<StoredStep, Exact>()
  const exactly = (step: StoredStep): Exact => {
    const output = byInput.get(unitOf(step.outputMetricType, step.outputUnitTypeId))
    const into = output === undefined ? { items: 1n, places: 0 } : (exact.get(output) ?? exactly(output))
    const [whole, fraction = ''] = step.conversionRate.split('.')
    const found = { items: BigInt(`${whole}${fraction}`) * into.items, places: fraction.length + into.places }
    exact.set(step, found)
    return found
  }
  const sizes = steps.map(step => exact.get(step) ?? exactly(step))
  const places = Math.max(0, ...sizes.map(size => size.places))
  const units = steps.map((step, i) => {
    const { items, places: own } = sizes[i] as Exact
    const metricType = step.inputMetricType as Metric['metricType']
    const { inputUnitTypeId: unitTypeId = null, inputUnitTypeName: unitTypeName } = step
    return {
      metricType,
      unitTypeId,
      unitTypeName,
      name: inputOf(step),
      size: items * powerOfTen(places - own),
    }
  })
  const item = {
    metricType: MetricType.Item,
    unitTypeId: null,
    unitTypeName: null,
    name: unitOf(MetricType.Item, null),
    size: powerOfTen(places),
  }
  return [...units.toSorted((a, b) => (b.size > a.size ? 1 : b.size < a.size ? -1 : 0)), item]
}

/** `items / 10 ** places` items. */
interface Exact {
  items: bigint
  places: number
}

const inputOf = (step: StoredStep) => unitOf(step.inputMetricType, step.inputUnitTypeId)

/**
 * Returns `quantity` (four places, 0 or more) of a unit in the units of a chain, in the order of the chain.
 * Throws `CannotConvert` for a unit that is not in it and for results of more digits than a JSON number
 * holds.
 */
export function convertQuantity(
  chain: Chain,
  input: { metricType: number; unitTypeId?: string | null; quantity: number },
  resolution: MetricResolution,
): Metric[] {
  const name = unitOf(input.metricType, input.unitTypeId)
  const from = chain.find(unit => unit.name === name)
  if (from === undefined) throw new CannotConvert("the unit is not in the product's chain")
  const quantity = scale(4, input.quantity) * from.size
  if (resolution === MetricResolution.Compound)
    return chain.map(unit => metric(unit, divide(quantity, unit.size)))

  const found: Metric[] = []
  let rest = quantity
  for (const unit of chain.slice(0, -1)) {
    const one = unit.size * tenThousand
    if (rest >= one) found.push(metric(unit, (rest / one) * tenThousand))
    rest %= one
  }
  const item = chain.at(-1) as Unit
  const items = divide(rest, item.size)
  return items > 0n ? [...found, metric(item, items)] : found
}

// Quantities are whole numbers of ten-thousandths.
const tenThousand = 10_000n

/**
 * How many items, in ten-thousandths, a quantity (four places) of a unit type is; of items themselves where
 * there is no unit type. Nothing is rounded: `inexact` where four places do not hold it.
 */
export function exactItems(
  chain: Chain,
  unitTypeId: string | null,
  quantity: number,
): bigint | 'unknown' | 'inexact' {
  if (unitTypeId === null) return scale(4, quantity)
  const name = unitOf(MetricType.UnitType, unitTypeId)
  const from = chain.find(unit => unit.name === name)
  if (from === undefined) return 'unknown'
  const { size } = chain.at(-1) as Unit
  const items = scale(4, quantity) * from.size
  return items % size === 0n ? items / size : 'inexact'
}

/** A quantity of ten-thousandths as the API shows it. */
function metric({ metricType, unitTypeId, unitTypeName }: Unit, quantity: bigint): Metric {
  if (quantity > maxQuantity) throw new CannotConvert('the result is more than 99,999,999,999.9999 of a unit')
  return { metricType, unitTypeId, unitTypeName, quantity: Number(quantity) / 10_000 }
}
