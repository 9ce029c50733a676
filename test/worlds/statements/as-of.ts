// Stock as it was: at instants in the history, as it was known then and as it is known now.

import type { Heap } from '../notebook/floor.ts'
import { wordsFor } from '../notebook/goods.ts'
import type { World } from '../world.ts'
import { sameText } from './figures.ts'
import { readStock } from './read-stock.ts'

export async function asOf(world: World): Promise<void> {
  for (const { instant, known } of world.moments) {
    const at = new Date(instant).toISOString()
    await compare(world, `&AsOfUtc=${at}&KnownAtUtc=${at}`, instant, known, 'as it was known then')
    await compare(world, `&AsOfUtc=${at}`, instant, world.notebook.floor.journal.length, 'as it is known now')
  }
}

async function compare(world: World, query: string, instant: number, known: number, words: string) {
  const { floor } = world.notebook
  const told = Object.fromEntries(
    (await readStock(world, query)).map(({ heap, row }) => [nameOf(heap), row.onHandQuantity]),
  )
  const lay = [...floor.at(instant, known)].map(([key, quantity]) => [
    nameOf(floor.heaps.get(key) as Heap),
    quantity,
  ])
  const what = `stock after ${world.moments.find(moment => moment.instant === instant)?.words}, ${words}`
  sameText(sorted(told), sorted(Object.fromEntries(lay)), what)
}

const nameOf = (heap: Heap): string => `${wordsFor(0, heap)}, ${heap.receivedDate}`
const sorted = (record: Record<string, number>) =>
  Object.fromEntries(Object.entries(record).toSorted(([a], [b]) => (a < b ? -1 : 1)))
