// Cards held against consignments as a whole, once for all consignments that selectors cannot tell apart.

import { RecentMap } from '../../platform/recent-map.ts'
import type { ChargeHeader } from './charge-input.ts'
import type { CompiledCard } from './compiled-card.ts'
import { type ChargedSide, type MatchedCard, matchCard } from './match-card.ts'

/** So many charges are remembered with whether they are for a kind of consignment, of each card. */
const rememberedCharges = 50_000

const remembered = new WeakMap<CompiledCard, RecentMap<MatchedCard>>()

function rememberedOf(card: CompiledCard): RecentMap<MatchedCard> {
  let found = remembered.get(card)
  if (found === undefined) {
    const charges = card.rates.reduce((sum, rate) => sum + rate.charges.length, 1)
    found = new RecentMap(Math.ceil(rememberedCharges / charges))
    remembered.set(card, found)
  }
  return found
}

/** Everything that selectors of consignments as a whole look at, as one text. */
const keyOf = (header: ChargeHeader): string =>
  [
    ...[header.consignmentType, header.carrierId, header.warehouseId, header.priority, header.weekday],
    ...[header.isContainerised, header.containerSize, header.containerType],
    ...[header.serviceTypeIds.join('+'), header.originLocalityIds.join('+')],
    header.destinationLocalityIds.join('+'),
  ].join(' ')

/** The rates of one side of a card held against a consignment as a whole. */
export function matchedCard(card: CompiledCard, side: ChargedSide, header: ChargeHeader): MatchedCard {
  const known = rememberedOf(card)
  const key = `${side} ${keyOf(header)}`
  let found = known.get(key)
  if (found === undefined) {
    found = matchCard(card, side, header)
    known.set(key, found)
  }
  return found
}
