// Computes how much of a metric a group of positions holds after each change. Pure.

import { add } from '../evaluator/exact.ts'
import type { Group } from './groups.ts'
import type { Figures } from './ledger-lines.ts'
import type { StockMeter } from './meters.ts'
import { allReceived, type ReceivedShares } from './received-shares.ts'
import type { Level, Levels } from './series.ts'
import type { StockHistory } from './stock-history.ts'

const sumOf = (a: Figures, b: Figures): Figures => ({
  quantity: add(a.quantity, b.quantity),
  weight: add(a.weight, b.weight),
  volume: add(a.volume, b.volume),
})

/**
 * Computes the levels of a group with a fresh meter. Goods that are free enter when their free time ends,
 * with what is left of them by then. Lines at that very instant are applied before they enter.
 */
export function balanceLevels(
  { openings, lines }: StockHistory,
  { positions, lines: lineIndexes }: Omit<Group, 'key'>,
  meter: StockMeter,
  freeUntil: (position: number) => number,
  shares: ReceivedShares = allReceived,
): Levels {
  const free = new Map<number, Figures>()
  const entries: { position: number; at: number }[] = []
  for (const position of positions) {
    const at = freeUntil(position)
    if (at === Number.NEGATIVE_INFINITY) meter.add(position, openings[position] as Figures)
    else {
      free.set(position, openings[position] as Figures)
      entries.push({ position, at })
    }
  }
  entries.sort((a, b) => a.at - b.at)
  const opening = meter.total()
  const levels: Level[] = []
  let next = 0
  const enterBefore = (instant: number) => {
    for (let entry = entries[next]; entry !== undefined && entry.at < instant; entry = entries[++next]) {
      const figures = free.get(entry.position) as Figures
      free.delete(entry.position)
      if (figures.quantity === 0) continue
      meter.add(entry.position, figures)
      levels.push({ at: entry.at, total: meter.total() })
    }
  }
  let movement: number | undefined
  for (const index of lineIndexes) {
    const line = lines.at(index)
    enterBefore(line.at)
    const held = free.get(line.position)
    if (held !== undefined) {
      free.set(line.position, sumOf(held, line))
      continue
    }
    meter.add(line.position, line)
    // The lines of one movement make one level, so that moving goods never makes a peak.
    if (line.movement === movement) levels.pop()
    movement = line.movement
    levels.push({ at: line.at, total: meter.total(), received: shares.get(line.movement) })
  }
  enterBefore(Number.POSITIVE_INFINITY)
  return { opening, levels }
}
