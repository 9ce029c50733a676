// Completes a content for storage: every rate and charge has an id, and null fields are left out. Also raises
// the prices of a copy. Pure except for new ids.

import { v7 as uuidv7 } from 'uuid'
import { decimalText, divide, exactPowerOfTen, scale } from '../../platform/decimal.ts'
import { faultAt } from '../../platform/http/fault.ts'
import { verificationFailed } from '../../platform/http/refusal.ts'
import { maxDecimal } from '../../platform/http/schema.ts'
import type { RateCardContent, RateChargeContent } from '../evaluator/rate-card-content.ts'

/** Leaves out null fields and sorts the others, so that equal contents are equal text. */
function normalise(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(item => normalise(item))
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).filter(
    ([name, field]) => field !== undefined && (field !== null || name === 'upTo'),
  )
  return Object.fromEntries(
    entries.toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([name, field]) => [name, normalise(field)]),
  )
}

/** Completes a content: gives an id to each rate and charge that has none, and normalises it. */
export function completeContent(content: RateCardContent): RateCardContent {
  return normalise({
    ...content,
    rates: content.rates.map(rate => ({
      ...rate,
      id: rate.id ?? uuidv7(),
      charges: rate.charges.map(charge => ({ ...charge, id: charge.id ?? uuidv7() })),
    })),
  }) as RateCardContent
}

/** How the prices of a copy are raised. */
export interface Raise {
  percent: number
  /** prices are rounded to a multiple of this; null: to their usual number of places */
  roundTo: number | null
}

/** Whether a charge has an amount, which has two decimal places; a rate has six. */
const hasAmount = ({ baseExclTax, minExclTax, maxExclTax, breaks }: RateChargeContent): boolean =>
  [baseExclTax, minExclTax, maxExclTax, ...(breaks?.bands.map(band => band.baseExclTax) ?? [])].some(
    amount => amount !== null && amount !== undefined,
  )

/**
 * Raises every rate, base, minimum and maximum of a content. Rounds halves away from zero. Throws 400 if a
 * price becomes too large, or if amounts would be rounded to parts of a cent.
 */
export function raiseContent(content: RateCardContent, { percent, roundTo }: Raise): RateCardContent {
  const isWholeCent = roundTo === null || scale(6, roundTo) % exactPowerOfTen(4) === 0n
  if (!isWholeCent && content.rates.some(rate => rate.charges.some(hasAmount)))
    throw verificationFailed(
      faultAt(
        'raiseRoundTo',
        'must be whole cents, because the version has a base, minimum or maximum amount',
        'range',
      ),
    )
  const factor = exactPowerOfTen(8) + scale(6, percent)
  const raised = (places: number) => (value: number | null | undefined) => {
    if (value === null || value === undefined) return value
    const own = roundTo === null ? 1n : scale(6, roundTo) / exactPowerOfTen(6 - places)
    const step = own > 0n ? own : 1n
    const steps = divide(scale(places, value) * factor, exactPowerOfTen(8) * step)
    const price = Number(decimalText(places, steps * step))
    if (Math.abs(price) > maxDecimal)
      throw verificationFailed(
        faultAt(
          'raisePercent',
          `raises a price of the version above ${maxDecimal.toLocaleString('en')}`,
          'range',
        ),
      )
    return price
  }
  const [price, amount] = [raised(6), raised(2)]
  const raiseCharge = (charge: RateChargeContent): RateChargeContent => ({
    ...charge,
    rateExclTax: price(charge.rateExclTax) ?? null,
    baseExclTax: amount(charge.baseExclTax) ?? null,
    minExclTax: amount(charge.minExclTax) ?? null,
    maxExclTax: amount(charge.maxExclTax) ?? null,
    ...(charge.breaks
      ? {
          breaks: {
            ...charge.breaks,
            bands: charge.breaks.bands.map(band => ({
              ...band,
              rateExclTax: price(band.rateExclTax) as number,
              baseExclTax: amount(band.baseExclTax) ?? null,
            })),
          },
        }
      : {}),
  })
  return {
    ...content,
    rates: content.rates.map(rate => ({ ...rate, charges: rate.charges.map(raiseCharge) })),
  }
}
