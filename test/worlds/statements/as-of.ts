// Stock as it was: at instants in the history, as it was known then and as it is known now.

import type { Heap } from '../notebook/floor.ts'
import { keyOf, wordsFor } from '../notebook/goods.ts'
import type { World } from '../world.ts'
import { sameFigure, sameText } from './figures.ts'
import { readStock } from './read-stock.ts'

export async function asOf(world: World): Promise<void> {
  for (const { instant, known, available } of world.moments) {
    const at = new Date(instant).toISOString()
    const query = `&AsOfUtc=${at}&KnownAtUtc=${at}`
    await compare(world, query, instant, known, 'as it was known then')
    for (const { heap, row } of await readStock(world, query))
      sameFigure(
        row.availableQuantity,
        available.get(keyOf(heap)) ?? 0,
        `${nameOf(heap)}, available at ${at}, as it was known then`,
      )
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
