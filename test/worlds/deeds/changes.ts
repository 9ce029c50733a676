// What goods, products and places are called, and what places are for, changes in between.

import assert from 'node:assert/strict'
import type { Choices } from '../choices.ts'
import type { DeedKind } from '../deed.ts'
import { promisedOf } from '../notebook/floor.ts'
import type { Place, Product } from '../notebook/goods.ts'
import { trackingModes } from '../set-up.ts'
import { ask, say, type World } from '../world.ts'

/** A product is called otherwise, has another code, and weighs something else from now on. */
async function renameProduct(world: World, choices: Choices): Promise<void> {
  const { notebook, clientId } = world
  const product = choices.of(notebook.products) as Product
  const code = notebook.newName(product.code.split('-')[0] as string)
  const name = `${product.name.split(' ')[0]} ${notebook.tag}`
  const weight = choices.onceIn(2) ? 0.375 + choices.below(8) / 8 : product.weight
  say(
    world,
    `call the product ${product.code} ${code}${weight === product.weight ? '' : `, of ${weight} kg`}`,
  )
  await ask(world, 'put', `/v1/partners/${clientId}/products/${product.id}`, { code, name, weightKG: weight })
  Object.assign(product, { code, name, weight })
}

const changeable = ({ kind, name }: Place) => kind !== 'dock' || name.startsWith('DOCK')

/** A place is called otherwise. */
async function renamePlace(world: World, choices: Choices): Promise<void> {
  const { notebook, warehouseId } = world
  const place = choices.of(notebook.places) as Place
  const name = notebook.newName(place.name.split('-')[0] as string)
  say(world, `call the place ${place.name} ${name}`)
  await ask(world, 'put', `/v1/warehouses/${warehouseId}/locations/${place.id}`, { name })
  place.name = name
}

const types = { racking: 1, bulk: 2, quarantine: 3, dock: 4 }

/** A place becomes one of quarantine, or is none any more. */
async function quarantine(world: World, choices: Choices): Promise<void> {
  const { notebook, warehouseId } = world
  const place = choices.of(notebook.places.filter(changeable)) as Place
  const kind = place.kind === 'quarantine' ? 'racking' : 'quarantine'
  const isPromised = notebook.floor.live.some(heap => heap.place === place && promisedOf(heap) > 0)
  const isRefused = kind === 'quarantine' && isPromised
  say(world, `make ${place.name} a place of ${kind}`)
  const path = `/v1/warehouses/${warehouseId}/locations/${place.id}`
  const answer = await ask(
    world,
    'put',
    path,
    { type: types[kind] },
    { mayBe: isRefused ? ['allocated'] : [] },
  )
  if (answer === null) return
  assert.ok(!isRefused, `${place.name} became a place of quarantine with promised goods in it`)
  place.kind = kind
}

/** Goods that are here keep their serials as they do: another mode would leave some of them without any. */
async function changeTracking(world: World, choices: Choices): Promise<void> {
  const { notebook, clientId } = world
  const products = notebook.products.filter(other => notebook.floor.live.some(heap => heap.product === other))
  const product = choices.among(products, ({ id }) => String(notebook.products.findIndex(p => p.id === id)))
  if (product === undefined) return
  const modes = Object.entries(trackingModes).filter(([tracking]) => tracking !== product.tracking)
  const [tracking, mode] = choices.of(modes) as [string, number]
  say(world, `keep the serials of ${product.code} otherwise: ${tracking}`)
  const path = `/v1/partners/${clientId}/products/${product.id}`
  const answer = await ask(world, 'put', path, { serialTrackingMode: mode }, { mayBe: ['state'] })
  assert.equal(
    answer,
    null,
    `the serials of ${product.code} are kept otherwise, though there are goods of it`,
  )
}

/** Who does everything is called otherwise from now on. */
async function renamePerson(world: World): Promise<void> {
  const { notebook, caller } = world
  const fullName = notebook.newName('Ada')
  say(world, `call ${notebook.person} ${fullName}`)
  await ask(world, 'put', `/v1/users/${caller.actor.userId}`, { fullName })
  notebook.floor.names.push(fullName)
}

export const changeKinds: DeedKind[] = [
  { name: 'rename a product', often: 1, perform: renameProduct },
  { name: 'rename a person', often: 1, perform: renamePerson },
  { name: 'rename a place', often: 1, perform: renamePlace },
  { name: 'change a place', often: 1, perform: quarantine },
  { name: 'change the serials of a product', often: 1, perform: changeTracking },
]
