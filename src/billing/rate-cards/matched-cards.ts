// Cards held against consignments as a whole, once for all consignments that selectors cannot tell apart.

import { RecentMap } from '../../platform/recent-map.ts'
import type { ChargeHeader } from './charge-input.ts'
import type { CompiledCard, CompiledSelector } from './compiled-card.ts'
import { headerValue } from './match.ts'
import { type ChargedSide, type MatchedCard, matchCard } from './match-card.ts'

/** So many charges are remembered with whether they are for a kind of consignment, of each card. */
const rememberedCharges = 50_000

/** A card with what it was held against. */
interface Remembered {
  /** what its selectors of consignments as a whole look at */
  names: readonly CompiledSelector['name'][]
  matched: RecentMap<MatchedCard>
}

const remembered = new WeakMap<CompiledCard, Remembered>()

function rememberedOf(card: CompiledCard): Remembered {
  let found = remembered.get(card)
  if (found === undefined) {
    const charges = card.rates.flatMap(rate => rate.charges)
    const names = new Set(charges.flatMap(one => one.headerSelectors.map(({ name }) => name)))
    const size = Math.ceil(rememberedCharges / (charges.length + 1))
    found = { names: [...names], matched: new RecentMap(size) }
    remembered.set(card, found)
  }
  return found
}

/** What selectors look at, as one text: arrays have commas between their items. */
const keyOf = (names: Remembered['names'], header: ChargeHeader): string =>
  names.map(name => String(headerValue(name, header))).join(' ')

/** The rates of one side of a card held against a consignment as a whole. */
export function findMatchedCard(card: CompiledCard, side: ChargedSide, header: ChargeHeader): MatchedCard {
  const { names, matched } = rememberedOf(card)
  const key = `${side} ${keyOf(names, header)}`
  let found = matched.get(key)
  if (found === undefined) {
    found = matchCard(card, side, header)
    matched.set(key, found)
  }
  return found
}
