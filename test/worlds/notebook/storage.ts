// How much of each product lay here, day by day.

import { type Product, round4 } from './goods.ts'
import type { Notebook } from './notebook.ts'

/** A day of a product: what lay here when it began and ended, and the most in between. */
export interface StoredDay {
  opening: number
  closing: number
  peak: number
}

/** The days of a product. What one act did counts as one, so that goods that only moved make no peak. */
export function levelsOf({ floor, dayAt }: Notebook, product: Product, days: readonly string[]): StoredDay[] {
  const own = floor.journal.filter(({ key }) => floor.heaps.get(key)?.product === product)
  const acts = [...Map.groupBy(own, ({ act, at }) => `${act} ${dayAt(at)}`).values()].map(entries => ({
    at: Math.min(...entries.map(({ at }) => at)),
    quantity: round4(entries.reduce((all, { quantity }) => all + quantity, 0)),
  }))
  const byDay = Map.groupBy(
    acts.toSorted((a, b) => a.at - b.at),
    ({ at }) => dayAt(at),
  )
  const [first = ''] = days
  let level = [...byDay]
    .filter(([day]) => day < first)
    .flatMap(([, own]) => own)
    .reduce((all, { quantity }) => round4(all + quantity), 0)
  return days.map(day => {
    const opening = level
    let peak = level
    for (const { quantity } of byDay.get(day) ?? []) {
      level = round4(level + quantity)
      peak = Math.max(peak, level)
    }
    return { opening, peak, closing: level }
  })
}
