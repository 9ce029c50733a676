// How much of a metric a group of positions holds, after every moment in which that changed. Pure.

import { add } from '../rate-cards/exact.ts'
import type { Figures } from './ledger-lines.ts'
import type { Meter } from './meters.ts'
import type { Level, Levels } from './series.ts'
import type { StockHistory } from './stock-history.ts'

/** Positions that are charged together, and the lines that are theirs. */
export interface Group {
  key: string
  positions: number[]
  /** by their places in the history */
  lines: number[]
}

const sumOf = (a: Figures, b: Figures): Figures => ({
  quantity: add(a.quantity, b.quantity),
  weight: add(a.weight, b.weight),
  volume: add(a.volume, b.volume),
})

/**
 * The levels of a group by a meter that has counted nothing yet. Goods that are free enter when they
 * cease to be, with what is left of them by then: what happens in that very instant is over before they
 * do.
 */
export function levelsOf(
  { openings, lines }: StockHistory,
  { positions, lines: places }: Omit<Group, 'key'>,
  meter: Meter,
  freeUntil: (position: number) => number,
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
  for (const place of places) {
    const line = lines.at(place)
    enterBefore(line.at)
    const held = free.get(line.position)
    if (held !== undefined) {
      free.set(line.position, sumOf(held, line))
      continue
    }
    meter.add(line.position, line)
    // The lines of one movement are one moment, so that moving goods never makes a peak.
    if (line.movement === movement) levels.pop()
    movement = line.movement
    levels.push({ at: line.at, total: meter.total() })
  }
  enterBefore(Number.POSITIVE_INFINITY)
  return { opening, levels }
}
