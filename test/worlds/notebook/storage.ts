// How much of each product lay here, day by day, and what that costs.

import { type Identity, round4, round6 } from './goods.ts'
import type { Notebook } from './notebook.ts'

/** A day of a product: what lay here when it began and ended, and the most in between. */
export interface StoredDay {
  opening: number
  closing: number
  peak: number
}

/** What of goods in store is counted: themselves, the places that they fill, or the pallets that they are on. */
export type Stored = 'items' | 'places' | 'pallets'

/** What goods in store are charged by, each apart; by nothing, all of them together. */
export type GroupedBy = 'zone' | 'place' | 'product' | 'pallet'

/** A price for goods in store, for each of what they are charged by. */
export interface StoragePrice {
  name: string
  each: number
  least: number
  counted: Stored
  by: readonly GroupedBy[]
  /** what of a day counts */
  ofDay: keyof StoredDay
  /** what of the days counts */
  ofDays: 'sum' | 'average' | 'greatest'
}

/** What goods fill, by name; loose goods are on no pallet. */
const filled: Record<Stored, (heap: Identity) => string | null> = {
  items: () => '',
  places: ({ place }) => place.id,
  pallets: ({ unit }) => unit?.name ?? null,
}

const groupOf: Record<GroupedBy, (heap: Identity) => string> = {
  zone: ({ place }) => place.zone?.id ?? '',
  place: ({ place }) => place.id,
  product: ({ product }) => product.id,
  pallet: ({ unit }) => unit?.id ?? '',
}
const inOrder: readonly GroupedBy[] = ['zone', 'place', 'product', 'pallet']

/** The key of the group of goods. */
const keyOfGroup = (heap: Identity, by: readonly GroupedBy[]): string =>
  inOrder.flatMap(name => (by.includes(name) ? `${name}=${groupOf[name](heap)}` : [])).join()

/** What a group is called now: nothing for loose goods and places without a zone. */
export function namesOfGroup({ zones, places, products, floor }: Notebook, key: string): string[] {
  const all = [...zones, ...places, ...products]
  return key.split(',').flatMap(part => {
    const id = part.split('=')[1]
    if (!id) return []
    const unit = [...floor.units.values()].find(one => one.id === id)
    return unit?.number ?? all.find(one => one.id === id)?.name ?? []
  })
}

/** What lies in a group, by what it fills, and how much it counts. */
class Level {
  readonly #quantities = new Map<string, number>()
  readonly #counted: Stored

  constructor(counted: Stored) {
    this.#counted = counted
  }

  add(name: string, quantity: number): void {
    this.#quantities.set(name, round4((this.#quantities.get(name) ?? 0) + quantity))
  }

  get count(): number {
    if (this.#counted === 'items') return this.#quantities.get('') ?? 0
    return [...this.#quantities.values()].filter(one => one > 0).length
  }
}

/** The days of each group. What one act did counts as one, so that goods that only moved make no peak. */
export function levelsOf(
  { floor, dayAt }: Notebook,
  days: readonly string[],
  { counted, by }: Pick<StoragePrice, 'counted' | 'by'>,
): Map<string, StoredDay[]> {
  const [first = '', last = ''] = [days[0], days.at(-1)]
  const acts = [...Map.groupBy(floor.journal, ({ act, at }) => `${act} ${dayAt(at)}`).values()]
  const found = acts
    .map(entries => ({ at: Math.min(...entries.map(({ at }) => at)), entries }))
    .toSorted((a, b) => a.at - b.at)
  const levels = new Map<string, { level: Level; days: Map<string, StoredDay> }>()
  for (const { at, entries } of found) {
    const day = dayAt(at)
    if (day > last) continue
    const changed = new Set<{ level: Level; days: Map<string, StoredDay> }>()
    for (const { key, quantity } of entries) {
      const heap = floor.heaps.get(key) as Identity
      const name = filled[counted](heap)
      if (name === null) continue
      const groupKey = keyOfGroup(heap, by)
      const group = levels.get(groupKey) ?? { level: new Level(counted), days: new Map() }
      levels.set(groupKey, group)
      const { count } = group.level
      if (day >= first && !group.days.has(day))
        group.days.set(day, { opening: count, closing: count, peak: count })
      group.level.add(name, quantity)
      changed.add(group)
    }
    for (const { level, days } of changed) {
      const own = days.get(day)
      if (own) days.set(day, { ...own, closing: level.count, peak: Math.max(own.peak, level.count) })
    }
  }
  return new Map(
    [...levels].map(([key, group]) => {
      // Before the first day on which something moved it was what it was then; without any, what it is.
      let now = [...group.days.values()][0]?.opening ?? group.level.count
      const all = days.map(day => {
        const own = group.days.get(day) ?? { opening: now, closing: now, peak: now }
        now = own.closing
        return own
      })
      return [key, all]
    }),
  )
}

/** What so many days come to by a price. */
export function countStored({ ofDay, ofDays }: StoragePrice, levels: readonly StoredDay[]): number {
  const counted = levels.map(level => level[ofDay])
  if (ofDays === 'greatest') return Math.max(0, ...counted)
  const sum = counted.reduce((all, one) => round4(all + one), 0)
  return ofDays === 'sum' || levels.length === 0 ? sum : round6(sum / levels.length)
}
