// What a consignment has of the stock, in the order in which a picker walks to it.

import assert from 'node:assert/strict'
import { round4 } from '../notebook/goods.ts'
import { ask, type World } from '../world.ts'
import { sameText } from './figures.ts'
import type { Row } from './read-stock.ts'

interface Had {
  key: string
  quantity: number
  serials: readonly string[]
}

export async function allocations(world: World): Promise<void> {
  const promises = world.notebook.floor.live.flatMap(heap =>
    heap.promises.map(promise => ({ heap, promise })),
  )
  for (const consignment of world.notebook.consignments) {
    if (consignment.type === 'inwards') continue
    const path = `/v1/consignments/${consignment.id}/allocations`
    const { allocations: rows } = await ask(world, 'get', path)
    const told = rows.map((row: Row) => ({
      key: `${row.consignmentProductId} ${row.warehouseProductId} ${row.isPicked}`,
      ...{ quantity: row.quantity, serials: row.serials },
    }))
    const known = promises
      .filter(({ promise }) => promise.line.consignment === consignment)
      .map(({ heap, promise: { line, isPicked, quantity, serial } }) => ({
        key: `${line.id} ${heap.id} ${isPicked}`,
        ...{ quantity, serials: serial === null ? [] : [serial] },
      }))
    const what = `${consignment.number}, what it has of the stock`
    assert.equal(new Set(told.map(({ key }: Had) => key)).size, told.length, `${what}: an entry twice`)
    sameText(sum(told), sum(known), what)
    inWalkingOrder(rows, what)
  }
}

/** Sums by line, row of stock and whether it is picked. */
const sum = (parts: readonly Had[]) =>
  [...Map.groupBy(parts, ({ key }) => key)]
    .map(([key, own]) => ({
      key,
      quantity: round4(own.reduce((all, { quantity }) => all + quantity, 0)),
      serials: own.flatMap(({ serials }) => serials).toSorted(),
    }))
    .toSorted((a, b) => (a.key < b.key ? -1 : 1))

function inWalkingOrder(rows: readonly Row[], what: string): void {
  const ranks = rows.map(row => [Number(row.isPicked), row.walkingOrder ?? Infinity] as const)
  const sorted = ranks.toSorted(([a, x], [b, y]) => a - b || (x === y ? 0 : x < y ? -1 : 1))
  sameText(ranks.map(String), sorted.map(String), `${what}, in the order of the walk`)
}
