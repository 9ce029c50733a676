// Goods are moved, found, lost, held and released in the warehouse.

import type { Choices } from '../choices.ts'
import type { DeedKind } from '../deed.ts'
import { freeOf, type Heap, promisedOf } from '../notebook/floor.ts'
import { nameOfGoods, type Place, type Product, round4, round6, wordsFor } from '../notebook/goods.ts'
import { identityOf } from '../notebook/outwards.ts'
import { ask, say, type World } from '../world.ts'
import { chooseLook, lookFields, wordsForLook } from './looks.ts'
import { serialsToMove } from './serials.ts'

const isTracked = ({ product }: Heap) => product.tracking !== 'none'

/** A row or a part of one goes to another place, or onto another pallet. */
async function transfer(world: World, choices: Choices): Promise<void> {
  const { notebook } = world
  const heap = choices.among(notebook.floor.live, nameOfGoods)
  if (heap === undefined) return
  const to = choices.of(notebook.places.filter(place => place !== heap.place)) as Place
  const isAll = !choices.onceIn(2)
  const quantity = isAll ? heap.quantity : choices.part(freeOf(heap), isTracked(heap))
  const isPromised = promisedOf(heap) > 0
  if (quantity <= 0 || (isPromised && to.kind === 'quarantine')) return
  const isWhole = quantity === heap.quantity
  const serials = isWhole ? [...heap.serials] : serialsToMove(heap, quantity, choices)
  if (serials === null || (heap.product.tracking === 'release' && heap.serials.size > 0 && !isWhole)) return
  say(world, `move ${wordsFor(quantity, heap)} to ${to.name}`)
  const answer = await ask(world, 'post', '/v1/inventory/transfer', {
    transfers: [
      {
        ...{ warehouseProductId: heap.id, toLocationName: to.name },
        ...(isWhole ? {} : { quantity, serials }),
      },
    ],
  })
  const at = Date.parse(answer.effectiveUtc)
  const target = { ...identityOf(heap), place: to, unit: null }
  if (isWhole) notebook.floor.shiftAll(heap, target, at)
  else notebook.floor.shift(heap, target, quantity, serials, at)
}

/** A pallet goes to another place with everything on it. */
async function transferUnit(world: World, choices: Choices): Promise<void> {
  const { floor, places } = world.notebook
  const unit = choices.among(
    [...floor.units.values()].filter(candidate => candidate.id !== null),
    ({ name }) => name,
  )
  if (unit === undefined) return
  const heaps = floor.onUnit(unit)
  const to = choices.of(places.filter(place => place !== unit.place)) as Place
  if (heaps.length === 0 || (to.kind === 'quarantine' && heaps.some(heap => promisedOf(heap) > 0))) return
  say(world, `move the pallet ${unit.name} to ${to.name}`)
  const answer = await ask(world, 'post', '/v1/inventory/transfer', {
    transfers: [{ logisticUnitId: unit.id, toLocationName: to.name }],
  })
  for (const heap of heaps)
    floor.shiftAll(heap, { ...identityOf(heap), place: to }, Date.parse(answer.effectiveUtc))
}

/** Goods are missing. */
async function lose(world: World, choices: Choices): Promise<void> {
  const { floor } = world.notebook
  const heap = choices.among(
    floor.live.filter(candidate => freeOf(candidate) > 0),
    nameOfGoods,
  )
  if (heap === undefined) return
  const quantity = choices.part(freeOf(heap), isTracked(heap))
  const serials = serialsToMove(heap, quantity, choices)
  if (serials === null || quantity <= 0 || heap.product.tracking === 'release') return
  say(world, `lose ${wordsFor(quantity, heap)} ${serials.join(' ')}`)
  const answer = await ask(world, 'post', '/v1/inventory/adjust', {
    adjustments: [{ warehouseProductId: heap.id, quantity: -quantity, serials }],
    reason: 'Lost',
  })
  floor.take(heap, quantity, serials, Date.parse(answer.effectiveUtc))
}

/** Goods are found that nobody knew of. */
async function find(world: World, choices: Choices): Promise<void> {
  const { notebook, warehouseId } = world
  const product = choices.of(notebook.products.filter(({ tracking }) => tracking === 'none')) as Product
  const place = choices.of(notebook.places) as Place
  const look = chooseLook(choices)
  const quantity = 1 + choices.below(8)
  const daysAgo = choices.onceIn(3) ? 1 + choices.below(9) : 0
  const then = new Date(Date.now() - daysAgo * 86_400_000)
  const when = daysAgo > 0 ? ` on ${notebook.dayAt(then.getTime())}` : ''
  say(world, `find ${quantity} ${product.code}${wordsForLook(look)} in ${place.name}${when}`)
  const answer = await ask(world, 'post', '/v1/inventory/adjust', {
    adjustments: [
      {
        ...{ partnerProductId: product.id, warehouseId, locationName: place.name, quantity },
        ...lookFields(look),
      },
    ],
    ...{ reason: 'Found', ...(daysAgo > 0 ? { occurredUtc: then.toISOString() } : {}) },
  })
  const at = Date.parse(answer.effectiveUtc)
  const identity = { product, place, unit: null, hold: null, look, receivedDate: notebook.dayAt(at) }
  const load = {
    ...{ quantity, serials: [] },
    weight: round4((product.weight ?? 0) * quantity),
    volume: round6((product.volume ?? 0) * quantity),
  }
  notebook.floor.put(identity, load, at)
}

/** Goods are held. */
async function hold(world: World, choices: Choices): Promise<void> {
  const { floor } = world.notebook
  const heap = choices.among(
    floor.live.filter(candidate => candidate.hold === null && freeOf(candidate) > 0),
    nameOfGoods,
  )
  if (heap === undefined) return
  const quantity = choices.part(freeOf(heap), isTracked(heap))
  const serials = serialsToMove(heap, quantity, choices)
  if (serials === null || quantity <= 0 || heap.product.tracking === 'release') return
  say(world, `hold ${wordsFor(quantity, heap)} ${serials.join(' ')}`)
  const answer = await ask(world, 'post', '/v1/inventory/holds', {
    ...{ kind: 2, reason: 'Glass' },
    stock: [{ warehouseProductId: heap.id, quantity, serials }],
  })
  const made = floor.hold(2, 'Glass')
  made.id = answer.inventoryHoldId
  floor.shift(heap, { ...identityOf(heap), hold: made }, quantity, serials, Date.parse(answer.effectiveUtc))
}

/** Everything in a hold is released. */
async function releaseHold(world: World, choices: Choices): Promise<void> {
  const { floor } = world.notebook
  const chosen = choices.among(
    floor.live.filter(candidate => candidate.hold !== null),
    nameOfGoods,
  )?.hold
  if (!chosen?.id) return
  say(world, `release what is held for ${chosen.reason}`)
  const answer = await ask(world, 'post', `/v1/inventory/holds/${chosen.id}/release`)
  for (const heap of floor.live.filter(candidate => candidate.hold === chosen))
    floor.shiftAll(heap, { ...identityOf(heap), hold: null }, Date.parse(answer.effectiveUtc))
}

export const floorKinds: DeedKind[] = [
  { name: 'move goods', often: 4, perform: transfer },
  { name: 'move a pallet', often: 2, perform: transferUnit },
  { name: 'lose goods', often: 1, perform: lose },
  { name: 'find goods', often: 2, perform: find },
  { name: 'hold', often: 1, perform: hold },
  { name: 'release a hold', often: 2, perform: releaseHold },
]
