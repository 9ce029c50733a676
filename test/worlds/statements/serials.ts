// Where each serial is: in which heap, promised to whom, or with whom it left.

import { serialsOf } from '../notebook/orders.ts'
import { ask, type World } from '../world.ts'
import { sameText } from './figures.ts'
import type { Row } from './read-stock.ts'

export async function serials(world: World): Promise<void> {
  const { notebook } = world
  const { items } = await ask(world, 'get', '/v1/inventory-items?PageSize=500&IncludeDispatched=true')
  const told = new Map(items.map((item: Row) => [`${item.partnerProductCode} ${item.serial}`, item]))
  for (const heap of notebook.floor.live) {
    for (const serial of heap.serials) {
      const what = `the serial ${serial} of ${heap.product.code}`
      const item = told.get(`${heap.product.code} ${serial}`) as Row
      const promise = heap.promises.find(candidate => candidate.serial === serial)
      const facts = {
        ...{ row: item?.warehouseProductId, place: item?.warehouseLocationName, batch: item?.batch },
        ...{ hold: item?.inventoryHoldId, promised: item?.allocatedConsignmentNumber },
        ...{ left: item?.dispatchedConsignmentNumber, unit: item?.warehouseLogisticUnitId },
      }
      const known = {
        ...{ row: heap.id, place: heap.place.name, batch: heap.look.batch, hold: heap.hold?.id ?? null },
        ...{ promised: promise?.line.consignment.number ?? null, left: null, unit: heap.unit?.id ?? null },
      }
      sameText(facts, known, what)
      told.delete(`${heap.product.code} ${serial}`)
    }
  }
  // What is told of and lies nowhere has left, was taken back or was lost.
  for (const item of told.values() as Iterable<Row>) {
    const what = `the serial ${item.serial} of ${item.partnerProductCode}, which lies nowhere`
    const left = notebook.lines.filter(({ departures }) =>
      departures.some(
        ({ isUndone, serials, identity }) =>
          !isUndone && identity.product.code === item.partnerProductCode && serials.includes(item.serial),
      ),
    )
    // What came back and is lost here did not leave with anybody.
    const away = left.filter(
      ({ consignment }) =>
        !notebook.lines.some(
          other => other.consignment.returnOf === consignment && serialsOf(other).has(item.serial),
        ),
    )
    sameText(item.isInStock, false, what)
    if (left.length > 0) sameText(item.dispatchedConsignmentNumber, away[0]?.consignment.number ?? null, what)
  }
}
