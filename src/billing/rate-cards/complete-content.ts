// A content as it is stored: with an id for everything, ids in lower case, and without what says nothing; and
// copies of it with higher prices. Pure but for new ids.

import { v7 as uuidv7 } from 'uuid'
import { decimalText, divide, powerOfTen, scale } from '../../platform/decimal.ts'
import { isUuid } from '../../platform/http/validation.ts'
import type { RateCardContent, RateChargeContent } from './rate-card-content.ts'

/**
 * Leaves out what is null, writes uuids in lower case and puts fields in one order: equal contents are equal
 * text.
 */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(one => plain(one))
  if (typeof value === 'string') return isUuid(value) ? value.toLowerCase() : value
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).filter(
    ([name, one]) => one !== undefined && (one !== null || name === 'upTo'),
  )
  return Object.fromEntries(
    entries.toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([name, one]) => [name, plain(one)]),
  )
}

/** The content with an id for each rate and charge that has none. */
export function completeContent(content: RateCardContent): RateCardContent {
  return plain({
    ...content,
    rates: content.rates.map(rate => ({
      ...rate,
      id: rate.id ?? uuidv7(),
      charges: rate.charges.map(charge => ({ ...charge, id: charge.id ?? uuidv7() })),
    })),
  }) as RateCardContent
}

/** What a copy's prices are raised by. */
export interface Raise {
  percent: number
  /** to a multiple of which prices are rounded; null: to their own places */
  roundTo: number | null
}

/** The same content with every rate, base, minimum and maximum raised. Rounded halves away from zero. */
export function raiseContent(content: RateCardContent, { percent, roundTo }: Raise): RateCardContent {
  const factor = powerOfTen(8) + scale(6, percent)
  const raised = (places: number) => (value: number | null | undefined) => {
    if (value === null || value === undefined) return value
    const own = roundTo === null ? 1n : scale(6, roundTo) / powerOfTen(6 - places)
    const step = own > 0n ? own : 1n
    const steps = divide(scale(places, value) * factor, powerOfTen(8) * step)
    return Number(decimalText(places, steps * step))
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
