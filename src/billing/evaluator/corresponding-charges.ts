// Compares cards that differ in prices alone. What one of them charged, the other charges too at its own
// prices, so the consignment need not be measured again. Pure.

import { isDeepStrictEqual } from 'node:util'
import type { CompiledCharge, CompiledRate } from './compiled-card.ts'

/**
 * The charges of one card that correspond to those of another, by the numbers of the other card's charges.
 */
export type CorrespondingCharges = readonly CompiledCharge[]

/**
 * Finds the charges of `others` that correspond to those of `rates`; undefined if more than prices differ.
 */
export function findCorrespondingCharges(
  rates: readonly CompiledRate[],
  others: readonly CompiledRate[],
): CorrespondingCharges | undefined {
  if (rates.length !== others.length) return undefined
  const found: CompiledCharge[] = []
  for (const [r, rate] of rates.entries()) {
    const otherRate = others[r]
    if (rate.kind !== otherRate?.kind || rate.charges.length !== otherRate.charges.length) return undefined
    for (const [c, charge] of rate.charges.entries()) {
      const counterpart = otherRate.charges[c] as CompiledCharge
      if (!isDeepStrictEqual(withoutPrices(charge), withoutPrices(counterpart))) return undefined
      found[charge.number] = counterpart
    }
  }
  return found
}

/**
 * The properties of a charge that decide what it takes. They include the id of a charge that bills storage in
 * advance, because what it billed in advance is looked up by that id.
 */
const withoutPrices = ({ content, measureKey, headerSelectors, ...charge }: CompiledCharge) => ({
  ...{ measureKey, headerSelectors, isFee: charge.isFee, isFree: charge.isFree, breaks: charge.breaks },
  limits: charge.bands.map(({ upTo }) => upTo),
  storage: content.storage,
  inAdvance: content.storage?.isInAdvance ? content.id : null,
})
