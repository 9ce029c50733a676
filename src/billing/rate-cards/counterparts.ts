// Cards that differ in prices alone. What one of them charged, the other charges as well, at its own prices:
// it need not be measured again. Pure.

import { isDeepStrictEqual } from 'node:util'
import type { CompiledCharge, CompiledRate } from './compiled-card.ts'

/** The charges of one card that take what those of another take, by the numbers of the latter. */
export type Counterparts = readonly CompiledCharge[]

/** The charges of rates beside those of the rates of another card; undefined where not only prices differ. */
export function counterpartsOf(
  rates: readonly CompiledRate[],
  others: readonly CompiledRate[],
): Counterparts | undefined {
  if (rates.length !== others.length) return undefined
  const found: CompiledCharge[] = []
  for (const [r, rate] of rates.entries()) {
    const counterpart = others[r]
    if (rate.kind !== counterpart?.kind || rate.charges.length !== counterpart.charges.length)
      return undefined
    for (const [c, charge] of rate.charges.entries()) {
      const its = counterpart.charges[c] as CompiledCharge
      if (!isDeepStrictEqual(withoutPrices(charge), withoutPrices(its))) return undefined
      found[charge.number] = its
    }
  }
  return found
}

/** What of a charge decides what it takes. What storage charged in advance is known by its charge. */
const withoutPrices = ({ content, measureKey, headerSelectors, ...charge }: CompiledCharge) => ({
  ...{ measureKey, headerSelectors, isFee: charge.isFee, isFree: charge.isFree, breaks: charge.breaks },
  limits: charge.bands.map(({ upTo }) => upTo),
  storage: content.storage,
  inAdvance: content.storage?.isInAdvance ? content.id : null,
})
