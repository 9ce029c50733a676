// A place is counted, and what was counted is approved.

import assert from 'node:assert/strict'
import { setTimeout } from 'node:timers/promises'
import type { Choices } from '../choices.ts'
import type { DeedKind } from '../deed.ts'
import { freeOf, type Heap } from '../notebook/floor.ts'
import { round4, round6, wordsFor } from '../notebook/goods.ts'
import { ask, say, type World } from '../world.ts'

/** Counts everything without serials of one product, in most lines as it is. */
async function count(world: World, choices: Choices): Promise<void> {
  const { notebook, warehouseId } = world
  const { floor } = notebook
  const untracked = notebook.products.filter(({ tracking }) => tracking === 'none')
  const product = choices.among(untracked, ({ id }) => String(untracked.findIndex(other => other.id === id)))
  const heaps = floor.live.filter(heap => heap.product === product)
  if (product === undefined || heaps.length === 0) return
  const wrong = choices.among(heaps, heap => wordsFor(0, heap)) as Heap
  const counted = Math.max(0, wrong.quantity + choices.below(5) - 2)
  say(world, `count ${product.code}, and find ${counted} instead of ${wordsFor(wrong.quantity, wrong)}`)
  const { stockCountId } = await ask(world, 'post', '/v1/stock-counts', {
    ...{ warehouseId, partnerProductIds: [product.id] },
  })
  const path = `/v1/stock-counts/${stockCountId}`
  const { stockCountLines } = await ask(world, 'get', `${path}/lines?PageSize=500`)
  assert.equal(stockCountLines.length, heaps.length, 'another number of lines is counted than there is stock')
  const quantityOf = (line: { warehouseProductId: string }) =>
    line.warehouseProductId === wrong.id
      ? counted
      : heaps.find(({ id }) => id === line.warehouseProductId)?.quantity
  const counts = stockCountLines.map((line: { stockCountLineId: string; warehouseProductId: string }) => ({
    ...{ stockCountLineId: line.stockCountLineId, countedQuantity: quantityOf(line) },
  }))
  if (choices.onceIn(3)) await countTooEarly(world, path, counts)
  const variance = round4(counted - wrong.quantity)
  const dated = choices.onceIn(3) ? await findMeanwhile(world, wrong) : {}
  await ask(world, 'post', `${path}/lines/count`, { counts, ...dated })
  const isRefused = -variance > freeOf(wrong)
  const answer = await ask(world, 'post', `${path}/approve`, {}, { mayBe: isRefused ? ['allocated'] : [] })
  if (answer === null) {
    // A count that cannot be approved would keep its lines from other counts.
    await ask(world, 'put', `${path}/status`, { status: 5 })
    return
  }
  assert.ok(!isRefused, 'a count took away what is promised')
  const at = Date.parse(answer.effectiveUtc)
  if (variance < 0) floor.take(wrong, -variance, [], at)
  const measures = {
    weight: round4((product.weight ?? 0) * variance),
    volume: round6((product.volume ?? 0) * variance),
  }
  if (variance > 0) floor.put(wrong, { quantity: variance, serials: [], ...measures }, at)
}

/** Goods are found after they were counted, which is told later. Returns when they were counted. */
async function findMeanwhile(world: World, heap: Heap): Promise<{ occurredUtc: string }> {
  const quantity = 3
  await setTimeout(2)
  const occurredUtc = new Date().toISOString()
  await setTimeout(2)
  say(world, `  and find ${quantity} more before the count is told`)
  const answer = await ask(world, 'post', '/v1/inventory/adjust', {
    adjustments: [{ warehouseProductId: heap.id, quantity }],
    reason: 'Found',
  })
  const { weight, volume } = heap.product
  const load = {
    ...{ quantity, serials: [] },
    ...{ weight: round4((weight ?? 0) * quantity), volume: round6((volume ?? 0) * quantity) },
  }
  world.notebook.floor.put(heap, load, Date.parse(answer.effectiveUtc))
  return { occurredUtc }
}

/** A device whose clock is wrong says that it counted before the count was made. */
async function countTooEarly(world: World, path: string, counts: object): Promise<void> {
  const occurredUtc = new Date(Date.now() - 86_400_000).toISOString()
  const answer = await ask(
    world,
    'post',
    `${path}/lines/count`,
    { counts, occurredUtc },
    { mayBe: ['range'] },
  )
  assert.equal(answer, null, 'goods were counted before the count was made')
}

export const countKinds: DeedKind[] = [{ name: 'count', often: 2, perform: count }]
