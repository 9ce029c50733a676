// Places, products and the client are put out of use, and in use again: never while their goods are here, and
// nothing comes to them meanwhile.

import assert from 'node:assert/strict'
import type { Choices } from '../choices.ts'
import type { DeedKind } from '../deed.ts'
import { nameOfGoods } from '../notebook/goods.ts'
import { ask, say, type World } from '../world.ts'

const [active, inactive] = [1, 2]
/** A client counts the other way round. */
const client = { active: 2, inactive: 1 }

/** Puts a record out of use, unless goods are here; then that must be refused. Returns whether it is. */
async function putOut(
  world: World,
  path: string,
  what: string,
  areHere: boolean,
  status = inactive,
): Promise<boolean> {
  say(world, `put ${what} out of use`)
  const answer = await ask(
    world,
    'put',
    path,
    { status },
    { mayBe: areHere ? ['state', 'invalid', 'conflict', 'allocated', 'not_empty', 'wrong_status'] : [] },
  )
  assert.equal(answer === null, areHere, `${what} is out of use, though goods of it are here`)
  return answer !== null
}

async function putPlaceOut(world: World, choices: Choices): Promise<void> {
  const { notebook, warehouseId } = world
  const { floor, places, receiving, dock } = notebook
  const place = choices.of(places.filter(one => one !== receiving && one !== dock))
  if (place === undefined) return
  const path = `/v1/warehouses/${warehouseId}/locations/${place.id}`
  const areHere = floor.live.some(heap => heap.place === place)
  if (!(await putOut(world, path, place.name, areHere))) return
  const heap = choices.among(floor.live, nameOfGoods)
  if (heap) {
    const transfers = [{ warehouseProductId: heap.id, toLocationName: place.name }]
    const refusals = ['unknown_reference', 'state', 'invalid', 'not_found', 'wrong_place', 'allocated']
    const moved = await ask(world, 'post', '/v1/inventory/transfer', { transfers }, { mayBe: refusals })
    assert.equal(moved, null, `goods were moved to ${place.name}, which is out of use`)
  }
  await ask(world, 'put', path, { status: active })
}

async function putProductOut(world: World, choices: Choices): Promise<void> {
  const { notebook, clientId } = world
  const product = choices.of(notebook.products)
  if (product === undefined) return
  const path = `/v1/partners/${clientId}/products/${product.id}`
  const areHere = notebook.floor.live.some(heap => heap.product === product)
  if (await putOut(world, path, product.code, areHere)) await ask(world, 'put', path, { status: active })
}

async function putClientOut(world: World): Promise<void> {
  const { notebook, clientId } = world
  const path = `/v1/partners/${clientId}`
  if (await putOut(world, path, 'the client', notebook.floor.live.length > 0, client.inactive))
    await ask(world, 'put', path, { status: client.active })
}

export const deactivationKinds: DeedKind[] = [
  { name: 'put a place out of use', often: 1, perform: putPlaceOut },
  { name: 'put a product out of use', often: 1, perform: putProductOut },
  { name: 'put the client out of use', often: 1, perform: putClientOut },
]
