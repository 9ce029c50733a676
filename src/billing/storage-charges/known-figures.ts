// Whether anybody knows what goods in store weigh and what room they take. Pure.

import { add, type Whole } from '../rate-cards/exact.ts'
import type { StockHistory } from './stock-history.ts'

/** Which figures of a position the ledger knows. */
export interface KnownFigures {
  weight: boolean
  volume: boolean
}

/**
 * The known figures of each position between two instants: the ledger says 0 of goods that nobody has
 * weighed. Only what lies or moves in that time counts, so that it is the same however much was read.
 */
export function knownFigures(
  { openings, lines }: StockHistory,
  begins: number,
  ends: number,
): KnownFigures[] {
  const held = openings.map(({ weight, volume }) => ({ weight, volume }))
  const moved = openings.map((): KnownFigures => ({ weight: false, volume: false }))
  for (let place = 0; place < lines.length; place++) {
    const { position, at, weight, volume } = lines.at(place)
    if (at >= ends) break
    const before = held[position] as { weight: Whole; volume: Whole }
    const known = moved[position] as KnownFigures
    if (at < begins) {
      before.weight = add(before.weight, weight)
      before.volume = add(before.volume, volume)
    } else {
      known.weight ||= weight !== 0
      known.volume ||= volume !== 0
    }
  }
  return held.map(({ weight, volume }, n) => ({
    weight: weight !== 0 || (moved[n] as KnownFigures).weight,
    volume: volume !== 0 || (moved[n] as KnownFigures).volume,
  }))
}
