// Determines whether the weight and volume of goods in store are known. Pure.

import { add, type ExactInteger } from '../evaluator/exact.ts'
import type { StockHistory } from './stock-history.ts'

/** Which figures of a position are known from the ledger. */
export interface KnownFigures {
  weight: boolean
  volume: boolean
}

/**
 * Determines which figures of each position are known between two instants (microseconds). The ledger has 0
 * for goods that were not weighed. Only stock and movements in that time are considered, so the result does
 * not depend on how much of the ledger was read.
 */
export function findKnownFigures(
  { openings, lines }: StockHistory,
  begins: number,
  ends: number,
): KnownFigures[] {
  const held = openings.map(({ weight, volume }) => ({ weight, volume }))
  const moved = openings.map((): KnownFigures => ({ weight: false, volume: false }))
  for (let index = 0; index < lines.length; index++) {
    const { position, at, weight, volume } = lines.at(index)
    if (at >= ends) break
    const before = held[position] as { weight: ExactInteger; volume: ExactInteger }
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
