// Reads the list of stock, and finds the heap of the notebook that each row is.

import assert from 'node:assert/strict'
import type { Heap } from '../notebook/floor.ts'
import { dateFields, type Hold, type Identity, keyOf, type Unit, wordsFor } from '../notebook/goods.ts'
import { ask, type World } from '../world.ts'

// biome-ignore lint/suspicious/noExplicitAny: statements name the fields that they compare
export type Row = any

export interface ToldHeap {
  heap: Heap
  row: Row
  /** the pallet with its sums; null for loose goods */
  unit: Row | null
  allocated: number
}

/** Everything in the list of stock, with the heaps that it tells of. Fails for goods that nobody knows of. */
export async function readStock(world: World, query = ''): Promise<ToldHeap[]> {
  const { inventory, total } = await ask(world, 'get', `/v1/inventory?PageSize=500${query}`)
  assert.equal(total, inventory.length)
  return inventory.flatMap((entry: Row) =>
    entry.products.map((row: Row): ToldHeap => {
      const identity = identityOf(world, row, entry.logisticUnit)
      const heap = world.notebook.floor.heaps.get(keyOf(identity))
      assert.ok(heap, `the service tells of ${wordsFor(row.onHandQuantity, identity)}, which nobody knows of`)
      heap.id ??= row.warehouseProductId
      assert.equal(row.warehouseProductId, heap.id, `${wordsFor(heap.quantity, heap)} has another id now`)
      return { heap, row, unit: entry.logisticUnit, allocated: row.allocatedQuantity }
    }),
  )
}

/** What the notebook calls goods that the service tells of. */
export function identityOf({ notebook }: World, row: Row, unitRow: Row | null): Identity {
  const product = notebook.products.find(({ id }) => id === row.partnerProductId)
  const place = [...notebook.places, ...notebook.pickfaces.all].find(
    ({ id }) => id === row.warehouseLocationId,
  )
  assert.ok(product && place, 'the service tells of a product or a place that nobody made')
  const look = {
    batch: row.batch,
    ...(Object.fromEntries(dateFields.map(field => [field, row[field]])) as Record<
      (typeof dateFields)[number],
      string | null
    >),
    attributes: Object.fromEntries(
      row.attributes.map(({ name, description }: Row) => [name, description as string]),
    ),
  }
  const unit = unitRow && unitOf(notebook.floor.units, unitRow)
  const known = { product, place, unit, look, receivedDate: row.receivedDate }
  return { ...known, hold: row.inventoryHoldId && holdOf(notebook.floor, known, row) }
}

function unitOf(units: ReadonlyMap<string, Unit>, told: Row): Unit {
  const unit = units.get(told.ssccNumber ?? told.referenceNumber)
  assert.ok(unit, `nobody knows of the logistic unit ${told.ssccNumber ?? told.referenceNumber}`)
  unit.id ??= told.warehouseLogisticUnitId
  unit.number ??= told.logisticUnitNumber
  assert.deepEqual([told.warehouseLogisticUnitId, told.logisticUnitNumber], [unit.id, unit.number])
  return unit
}

/** The hold of an id; one that the service made without telling its id is known by what is in it. */
function holdOf(
  { holds, heaps }: { holds: Hold[]; heaps: ReadonlyMap<string, Heap> },
  goods: Omit<Identity, 'hold'>,
  { inventoryHoldId, holdKind, onHandQuantity }: Row,
): Hold {
  const known = holds.find(({ id }) => id === inventoryHoldId)
  if (known) return known
  const hold = holds.find(
    candidate =>
      candidate.id === null &&
      candidate.kind === holdKind &&
      heaps.get(keyOf({ ...goods, hold: candidate }))?.quantity === onHandQuantity,
  )
  assert.ok(hold, `${wordsFor(onHandQuantity, { ...goods, hold: null })} are held, and nobody knows why`)
  hold.id = inventoryHoldId
  return hold
}
