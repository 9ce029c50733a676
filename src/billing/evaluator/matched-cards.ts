// A cache of cards matched with consignment headers. Consignments that the selectors of a card cannot
// distinguish share one entry.

import { RecentMap } from '../../platform/recent-map.ts'
import type { ChargeHeader } from './charge-input.ts'
import type { CompiledCard, CompiledSelector } from './compiled-card.ts'
import { headerValue } from './match.ts'
import { type ChargedSide, type MatchedCard, matchCard } from './match-card.ts'

/** The maximum number of charges in all cached matches of one card. */
const maxCachedCharges = 50_000

interface CardCache {
  /** the selectors of the consignment as a whole that the card uses */
  names: readonly CompiledSelector['name'][]
  matched: RecentMap<MatchedCard>
}

const caches = new WeakMap<CompiledCard, CardCache>()

function cacheOf(card: CompiledCard): CardCache {
  let found = caches.get(card)
  if (found === undefined) {
    const charges = card.rates.flatMap(rate => rate.charges)
    const names = new Set(charges.flatMap(charge => charge.headerSelectors.map(({ name }) => name)))
    const size = Math.ceil(maxCachedCharges / (charges.length + 1))
    found = { names: [...names], matched: new RecentMap(size) }
    caches.set(card, found)
  }
  return found
}

/** The header's values for the selectors, as one text; the items of arrays are separated by commas. */
const keyOf = (names: CardCache['names'], header: ChargeHeader): string =>
  names.map(name => String(headerValue(name, header))).join(' ')

/** Returns the rates of one side of a card matched with a header, from the cache if possible. */
export function findMatchedCard(card: CompiledCard, side: ChargedSide, header: ChargeHeader): MatchedCard {
  const { names, matched } = cacheOf(card)
  const key = `${side} ${keyOf(names, header)}`
  let found = matched.get(key)
  if (found === undefined) {
    found = matchCard(card, side, header)
    matched.set(key, found)
  }
  return found
}
