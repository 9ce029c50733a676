// One row of stock after the other: to whom it is promised, and its history.

import { type Entry, type Heap, promisedOf } from '../notebook/floor.ts'
import { keyOf, type Place, round4, wordsFor } from '../notebook/goods.ts'
import type { Notebook } from '../notebook/notebook.ts'
import { ask, type World } from '../world.ts'
import { sameFigure, sameText, sameVolume, sameWeight } from './figures.ts'
import { type Row, readStock } from './read-stock.ts'

export async function stockRows(world: World): Promise<void> {
  const { live, heaps } = world.notebook.floor
  const listed = new Map((await readStock(world)).map(({ heap, row }) => [heap, row]))
  // That the list tells of no promises is compared with the list, so of rows without any, one is read alone.
  const free = live.find(heap => heap.promises.length === 0)
  for (const heap of heaps.values()) {
    if (heap.id === null) continue
    if (heap.quantity > 0 && (heap.promises.length > 0 || heap === free)) {
      const told = await ask(world, 'get', `/v1/inventory/${heap.id}`)
      comparePromises(heap, told)
      const row = listed.get(heap)
      const alike = Object.keys(row).filter(name => name in told)
      for (const name of alike)
        sameText(told[name], row[name], `${wordsFor(heap.quantity, heap)}, read alone, ${name}`)
    }
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
  const told = acts(transactions.toReversed().map(row => ({ ...row, act: row.requestId })))
  const known = acts(own)
  sameText(told.map(sumOf), known.map(sumOf), what)
  const latest = transactions[0]?.onHandAfter ?? 0
  sameFigure(latest, heap.quantity, `${what}, what is left in the end`)
  let left = 0
  for (const [i, entries] of known.entries()) {
    const rows = told[i] as Row[]
    left = round4(left + sumOf(entries))
    const words = `${what}, ${sumOf(entries)} of it`
    sameFigure(rows.at(-1)?.onHandAfter, left, `${words}, what was left`)
    compareAct(entries, rows, words)
  }
  for (const row of transactions) compareLine(notebook, row, `${what}, ${row.quantity} of it`)
}

/** Where the goods of a line lay, whence they came or where they went, and for which consignment that was. */
export function compareLine(notebook: Notebook, line: Row, what: string): void {
  // A row that goods only passed on their way out is in no list, so that nobody learns of its id.
  const knownOf = ({ warehouseProductId, warehouseLocationId }: Row) => {
    const heap = [...notebook.floor.heaps.values()].find(({ id }) => id === warehouseProductId)
    const places: readonly Place[] = [...notebook.places, ...notebook.pickfaces.all]
    return { heap, place: heap?.place ?? places.find(({ id }) => id === warehouseLocationId) }
  }
  const compare = (row: Row, words: string) => {
    const { heap, place } = knownOf(row)
    sameText([row.warehouseLocationId, row.warehouseLocationName], [place?.id, place?.name], words)
    if (heap) sameText(row.logisticUnitNumber, heap.unit?.number ?? null, `${words}, on which pallet`)
  }
  compare(line, `${what}, where`)
  for (const other of line.otherPlaces) {
    compare(other, `${what}, whence or where to`)
    sameText(Math.sign(other.quantity), -Math.sign(line.quantity), `${what}, whence or where to, how much`)
  }
  const consignment = notebook.consignments.find(({ id }) => id === line.consignmentId)
  sameText(line.consignmentNumber, consignment?.number ?? null, `${what}, for which consignment`)
}

/** The kinds of lines that tell of goods that came, left, were found or lost, or only moved. */
const types = { came: [3], left: [6], corrected: [1], moved: [1, 2, 4, 5] }

/** Who did it, for which consignment, and what the goods of it weighed. */
function compareAct(entries: readonly Entry[], rows: readonly Row[], what: string): void {
  const weight = (of: 'weight' | 'volume') => entries.reduce((all, entry) => all + entry[of], 0)
  const told = (of: string) => rows.reduce((all, row) => all + row[of], 0)
  sameWeight(told('weightKG'), weight('weight'), what)
  sameVolume(told('volumeM3'), weight('volume'), what)
  const moving = entries.filter(({ quantity }) => quantity !== 0)
  const may = new Set(moving.flatMap(({ kind }) => types[kind]))
  const numbers = new Set(moving.flatMap(({ consignment }) => consignment?.number ?? []))
  for (const { quantity, transactionType, particulars, userFullName, consignmentNumber } of rows) {
    sameText(userFullName, entries[0]?.by, `${what}, who did it`)
    // Goods of another weight than was written down go out and come in again.
    if (quantity === 0 || particulars === 'Weighed anew') continue
    sameText(may.has(transactionType), true, `${what}, a line of the type ${transactionType}`)
    if (moving.every(({ consignment }) => consignment !== null))
      sameText(numbers.has(consignmentNumber), true, `${what}, for ${consignmentNumber} of ${[...numbers]}`)
  }
}

const sumOf = (entries: readonly { quantity: number }[]) =>
  round4(entries.reduce((all, { quantity }) => all + quantity, 0))

/** The entries of each act that changed how much there is, in their order. */
const acts = <T extends { act: unknown; quantity: number }>(entries: readonly T[]): T[][] =>
  [...Map.groupBy(entries, ({ act }) => act).values()].filter(ofAct => sumOf(ofAct) !== 0)
