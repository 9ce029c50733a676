// Cards that differ in prices alone. What one of them charged, the other charges as well, at its own prices: it
// need not be measured again. Pure.

import { isDeepStrictEqual } from 'node:util'
import type { CompiledCard, CompiledCharge } from './compiled-card.ts'
import { type ChargedSide, ratesOf } from './match-card.ts'

/** The charges of one card beside those of another that take the same. */
export type Counterparts = ReadonlyMap<CompiledCharge, CompiledCharge>

/** The charges of a side of a card with those of another card; undefined where more than prices differs. */
export function counterpartsOf(
  card: CompiledCard,
  other: CompiledCard,
  side: ChargedSide,
): Counterparts | undefined {
  const [rates, others] = [ratesOf(card, side), ratesOf(other, side)]
  if (rates.length !== others.length) return undefined
  const found = new Map<CompiledCharge, CompiledCharge>()
  for (const [r, rate] of rates.entries()) {
    const counterpart = others[r]
    if (rate.kind !== counterpart?.kind || rate.charges.length !== counterpart.charges.length)
      return undefined
    for (const [c, charge] of rate.charges.entries()) {
      const its = counterpart.charges[c] as CompiledCharge
      if (!isDeepStrictEqual(withoutPrices(charge), withoutPrices(its))) return undefined
      found.set(charge, its)
    }
  }
  return found
}

/** What of a charge decides what it takes. */
const withoutPrices = ({ measureKey, headerSelectors, isFee, isFree, breaks, bands }: CompiledCharge) => ({
  ...{ measureKey, headerSelectors, isFee, isFree, breaks },
  limits: bands.map(({ upTo }) => upTo),
})
