// Records that are read one by one: holds with what is in them, pallets, the serials in a row of stock and
// where each of them was, and rows of bills.

import { availableOf, freeOf, type Heap } from '../notebook/floor.ts'
import { keyOf, round4, round6, wordsFor } from '../notebook/goods.ts'
import { ask, type World } from '../world.ts'
import { sameText, sameVolume, sameWeight } from './figures.ts'
import type { Row } from './read-stock.ts'
import { productOf } from './rows.ts'
import { compareLine } from './stock-rows.ts'

/** How many records of each kind are read in each world. */
const many = 3

export async function records(world: World): Promise<void> {
  await compareHolds(world)
  await compareSerials(world)
  const { notebook } = world
  const units = [...notebook.floor.units.values()].slice(-many)
  await asListed(world, '/v1/logistic-units', 'logisticUnits', units)
  await asListed(
    world,
    '/v1/schedule-transactions',
    'scheduleTransactions',
    notebook.books.bookings.slice(-many),
  )
  for (const { id, number } of notebook.consignments.slice(-1)) {
    const known = await ask(world, 'get', `/v1/consignments/${id}/check-exists`)
    sameText(known || null, null, `whether ${number} became a consignment`)
  }
}

/** What is read alone is what the list tells of it. */
async function asListed(
  world: World,
  path: string,
  name: string,
  records: readonly { id: string | null }[],
): Promise<void> {
  const rows: Row[] = (await ask(world, 'get', `${path}?PageSize=500`))[name]
  for (const { id } of records) {
    const told = await ask(world, 'get', `${path}/${id}`)
    sameText(
      told,
      rows.find(row => row.id === id),
      `${path} ${id}, read alone`,
    )
  }
}

async function compareHolds(world: World): Promise<void> {
  const { floor } = world.notebook
  const known = floor.holds.filter(({ id }) => id !== null).slice(-many)
  for (const hold of known) {
    const what = `the hold for ${hold.reason}`
    const { products: told, ...head } = await ask(world, 'get', `/v1/inventory/holds/${hold.id}`)
    const heaps = floor.live.filter(heap => heap.hold === hold)
    const quantity = round4(heaps.reduce((all, heap) => all + heap.quantity, 0))
    const { kind, reason, heldQuantity, createdByName, releasedUtc } = head
    sameText(
      { kind, reason, heldQuantity, createdByName, isOpen: releasedUtc === null },
      {
        ...{ kind: hold.kind, reason: hold.reason, heldQuantity: quantity },
        createdByName: hold.by,
        isOpen: quantity > 0,
      },
      what,
    )
    const rows = heaps.map(heap => ({
      ...{ warehouseProductId: heap.id, partnerId: world.clientId, ...productOf(heap.product) },
      ...{ batch: heap.look.batch, expiryDate: heap.look.expiryDate, warehouseId: world.warehouseId },
      ...{ warehouseLocationId: heap.place.id, warehouseLocationName: heap.place.name },
      ...{ logisticUnitNumber: heap.unit?.number ?? null, onHandQuantity: heap.quantity },
    }))
    sameText(byRow(told), byRow(rows), `${what}, what is in it`)
  }
}

const byRow = (rows: readonly Row[]) =>
  rows.toSorted((a, b) => (a.warehouseProductId < b.warehouseProductId ? -1 : 1))

async function compareSerials(world: World): Promise<void> {
  const { floor } = world.notebook
  const heaps = floor.live.filter(({ serials }) => serials.size > 0)
  for (const heap of heaps.slice(-many)) {
    const { items } = await ask(world, 'get', `/v1/inventory/${heap.id}/items?PageSize=500`)
    const what = `the serials of ${wordsFor(heap.quantity, heap)}`
    sameText(
      items.map(({ serial }: Row) => serial),
      [...heap.serials].toSorted(),
      what,
    )
    for (const item of items) compareItem(heap, item, `${what}, ${item.serial}`)
    const [first] = items
    // Of others nobody writes down where they were before they were read.
    if (heap.product.tracking === 'full') await compareWay(world, heap, first)
  }
}

function compareItem(heap: Heap, item: Row, what: string): void {
  const isNamed = heap.promises.some(({ serial }) => serial === item.serial)
  const [available, transferable] = [!isNamed && availableOf(heap) > 0, !isNamed && freeOf(heap) > 0].map(
    Number,
  )
  sameText(
    [item.onHandQuantity, item.availableQuantity, item.transferableQuantity],
    [1, available, transferable],
    `${what}, its quantities`,
  )
  const [weight, volume] = [round4(heap.weight / heap.quantity), round6(heap.volume / heap.quantity)]
  sameWeight(item.onHandWeightKG, weight, what)
  sameVolume(item.onHandVolumeM3, volume, what)
  sameText(
    [item.availableWeightKG, item.availableVolumeM3, item.transferableWeightKG, item.transferableVolumeM3],
    [available, available, transferable, transferable].map(
      (times = 0, i) => times * (i % 2 === 0 ? item.onHandWeightKG : item.onHandVolumeM3),
    ),
    `${what}, what of it may be had`,
  )
}

/** The rows of stock that a serial was in. */
async function compareWay(world: World, heap: Heap, item: Row): Promise<void> {
  const { floor } = world.notebook
  const path = `/v1/inventory-items/${item.warehouseProductItemId}/transactions?PageSize=500`
  const { transactions } = await ask(world, 'get', path)
  const known = floor.journal
    .filter(
      ({ key, serials }) => floor.heaps.get(key)?.product === heap.product && serials.includes(item.serial),
    )
    .map(({ key }) => floor.heaps.get(key)?.id)
  const what = `where ${item.serial} of ${heap.product.code} was`
  const ids = (rows: Iterable<unknown>) => [...new Set(rows)].toSorted()
  sameText(ids(transactions.map((row: Row) => row.warehouseProductId)), ids(known), what)
  const [latest] = transactions
  sameText(
    keyOf(floor.live.find(({ id }) => id === latest.warehouseProductId) ?? heap),
    keyOf(heap),
    `${what} last`,
  )
  for (const row of transactions) compareLine(world.notebook, row, what)
}
