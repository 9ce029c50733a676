// One row of stock after the other: to whom it is promised, and its history.

import { type Heap, promisedOf } from '../notebook/floor.ts'
import { keyOf, round4, wordsFor } from '../notebook/goods.ts'
import { ask, type World } from '../world.ts'
import { sameFigure, sameText } from './figures.ts'
import type { Row } from './read-stock.ts'

export async function stockRows(world: World): Promise<void> {
  const { live, heaps } = world.notebook.floor
  // That the list tells of no promises is compared with the list, so of rows without any, one is read alone.
  const free = live.find(heap => heap.promises.length === 0)
  for (const heap of heaps.values()) {
    if (heap.id === null) continue
    if (heap.quantity > 0 && (heap.promises.length > 0 || heap === free))
      comparePromises(heap, await ask(world, 'get', `/v1/inventory/${heap.id}`))
    const path = `/v1/inventory/${heap.id}/transactions?PageSize=500`
    compareHistory(world, heap, (await ask(world, 'get', path)).transactions)
  }
}

/** Sums by line, serial and whether it is picked. */
const sums = (promises: readonly { key: string; quantity: number }[]): Record<string, number> =>
  Object.fromEntries(
    [...Map.groupBy(promises, ({ key }) => key)]
      .map(([key, own]) => [key, round4(own.reduce((all, { quantity }) => all + quantity, 0))] as const)
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  )

function comparePromises(heap: Heap, { allocations, allocatedQuantity }: Row): void {
  const what = `${wordsFor(heap.quantity, heap)}, promised`
  const told = allocations.map((row: Row) => ({
    key: `${row.consignmentNumber} ${row.consignmentProductId} ${row.serial} ${row.isPicked}`,
    quantity: row.quantity,
  }))
  const known = heap.promises.map(({ line, serial, isPicked, quantity }) => ({
    key: `${line.consignment.number} ${line.id} ${serial} ${isPicked}`,
    quantity,
  }))
  sameText(sums(told), sums(known), what)
  sameFigure(allocatedQuantity, promisedOf(heap), what)
}

/** What each act did to a heap. */
function compareHistory({ notebook }: World, heap: Heap, transactions: readonly Row[]): void {
  const what = `the history of ${wordsFor(heap.quantity, heap)}`
  const key = keyOf(heap)
  const own = notebook.floor.journal.filter(entry => entry.key === key)
  sameText(
    changes(transactions.toReversed().map(({ requestId, quantity }) => ({ act: requestId, quantity }))),
    changes(own),
    what,
  )
  const latest = transactions[0]?.onHandAfter ?? 0
  sameFigure(latest, heap.quantity, `${what}, what is left in the end`)
}

/** The changes, act by act, in their order. */
const changes = (entries: readonly { act: unknown; quantity: number }[]): number[] =>
  [...Map.groupBy(entries, ({ act }) => act).values()]
    .map(ofAct => round4(ofAct.reduce((all, { quantity }) => all + quantity, 0)))
    .filter(quantity => quantity !== 0)
