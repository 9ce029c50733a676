// The list of stock: what lies where, on which pallet, and how much of it is promised, held or available.

import assert from 'node:assert/strict'
import { availableOf, type Heap, promisedOf } from '../notebook/floor.ts'
import { round4, round6, wordsFor } from '../notebook/goods.ts'
import type { World } from '../world.ts'
import { sameFigure, sameText, sameVolume, sameWeight } from './figures.ts'
import { type Row, readStock, type ToldHeap } from './read-stock.ts'

const placeTypes = { racking: 1, bulk: 2, quarantine: 3, dock: 4 }
const trackingModes = { none: 1, full: 2, release: 3 }

export async function inventory(world: World): Promise<void> {
  const told = await readStock(world)
  for (const { heap, row } of told) compareRow(world, heap, row)
  const seen = new Set(told.map(({ heap }) => heap))
  for (const heap of world.notebook.floor.live)
    assert.ok(seen.has(heap), `the service does not tell of ${wordsFor(heap.quantity, heap)}`)
  compareUnits(told)
}

function compareRow(world: World, heap: Heap, row: Row): void {
  const what = wordsFor(heap.quantity, heap)
  const available = availableOf(heap)
  const share = heap.quantity === 0 ? 0 : available / heap.quantity
  sameFigure(row.onHandQuantity, heap.quantity, `${what}, on hand`)
  sameFigure(row.allocatedQuantity, promisedOf(heap), `${what}, allocated`)
  sameFigure(row.availableQuantity, available, `${what}, available`)
  sameWeight(row.onHandWeightKG, heap.weight, what)
  sameVolume(row.onHandVolumeM3, heap.volume, what)
  sameWeight(row.availableWeightKG, round4(heap.weight * share), `${what}, available`)
  sameVolume(row.availableVolumeM3, round6(heap.volume * share), `${what}, available`)
  const facts = {
    ...{ code: row.partnerProductCode, name: row.partnerProductName, place: row.warehouseLocationName },
    ...{ type: row.warehouseLocationType, isQuarantined: row.isQuarantined, holdKind: row.holdKind },
    ...{ itemCount: row.itemCount, mode: row.serialTrackingMode, required: row.isSerialRequired },
    ...{ warehouse: row.warehouseId, client: row.partnerId },
  }
  const { product, place, hold } = heap
  const known = {
    ...{ code: product.code, name: product.name, place: place.name, type: placeTypes[place.kind] },
    ...{ isQuarantined: place.kind === 'quarantine', holdKind: hold?.kind ?? null },
    ...{ itemCount: heap.serials.size, mode: trackingModes[product.tracking] },
    ...{ required: product.tracking !== 'none', warehouse: world.warehouseId, client: world.clientId },
  }
  sameText(facts, known, what)
}

/** The sums of a pallet are those of everything on it. */
function compareUnits(told: readonly ToldHeap[]): void {
  for (const [id, rows] of Map.groupBy(told, ({ unit }) => unit?.warehouseLogisticUnitId)) {
    if (id === undefined) continue
    const { unit, heap } = rows[0] as ToldHeap
    const what = `the pallet ${heap.unit?.name}`
    const sum = (of: (heap: Heap) => number) => rows.reduce((all, { heap }) => all + of(heap), 0)
    sameFigure(unit.onHandQuantity, round4(sum(({ quantity }) => quantity)), `${what}, on hand`)
    sameFigure(unit.availableQuantity, round4(sum(availableOf)), `${what}, available`)
    sameWeight(
      unit.onHandWeightKG,
      sum(({ weight }) => weight),
      what,
    )
    sameVolume(
      unit.onHandVolumeM3,
      sum(({ volume }) => volume),
      what,
    )
    sameText(unit.warehouseLocationName, heap.unit?.place.name, `${what}, where it stands`)
  }
}
