// How much of each product lay here, day by day, and what that costs.

import type { Entry } from './floor.ts'
import { type Product, round4, round6 } from './goods.ts'
import type { Notebook } from './notebook.ts'

/** A day of a product: what lay here when it began and ended, and the most in between. */
export interface StoredDay {
  opening: number
  closing: number
  peak: number
}

/** What of goods in store is counted: themselves, the places that they fill, or the pallets that they are on. */
export type Stored = 'items' | 'places' | 'pallets'

/** A price for goods in store, product by product. */
export interface StoragePrice {
  name: string
  each: number
  least: number
  counted: Stored
  /** what of a day counts */
  ofDay: keyof StoredDay
  /** what of the days counts */
  ofDays: 'sum' | 'average' | 'greatest'
}

/** What goods of a product fill, by name; loose goods are on no pallet. */
const filled: Record<Stored, (notebook: Notebook, key: string) => string | null> = {
  items: () => '',
  places: ({ floor }, key) => floor.heaps.get(key)?.place.id ?? null,
  pallets: ({ floor }, key) => floor.heaps.get(key)?.unit?.name ?? null,
}

/** The days of a product. What one act did counts as one, so that goods that only moved make no peak. */
export function levelsOf(
  notebook: Notebook,
  product: Product,
  days: readonly string[],
  counted: Stored = 'items',
): StoredDay[] {
  const { floor, dayAt } = notebook
  const own = floor.journal.filter(({ key }) => floor.heaps.get(key)?.product === product)
  const acts = [...Map.groupBy(own, ({ act, at }) => `${act} ${dayAt(at)}`).values()]
  const inOrder = acts
    .map(entries => ({ at: Math.min(...entries.map(({ at }) => at)), entries }))
    .toSorted((a, b) => a.at - b.at)
  const byDay = Map.groupBy(inOrder, ({ at }) => dayAt(at))
  const quantities = new Map<string, number>()
  const add = (entries: readonly Entry[]) => {
    for (const { key, quantity } of entries) {
      const name = filled[counted](notebook, key)
      if (name !== null) quantities.set(name, round4((quantities.get(name) ?? 0) + quantity))
    }
  }
  const level = () =>
    counted === 'items' ? (quantities.get('') ?? 0) : [...quantities.values()].filter(one => one > 0).length
  const [first = ''] = days
  for (const [day, own] of byDay) if (day < first) for (const { entries } of own) add(entries)
  return days.map(day => {
    const opening = level()
    let peak = opening
    for (const { entries } of byDay.get(day) ?? []) {
      add(entries)
      peak = Math.max(peak, level())
    }
    return { opening, peak, closing: level() }
  })
}

/** What so many days come to by a price. */
export function countStored({ ofDay, ofDays }: StoragePrice, levels: readonly StoredDay[]): number {
  const counted = levels.map(level => level[ofDay])
  if (ofDays === 'greatest') return Math.max(0, ...counted)
  const sum = counted.reduce((all, one) => round4(all + one), 0)
  return ofDays === 'sum' || levels.length === 0 ? sum : round6(sum / levels.length)
}
