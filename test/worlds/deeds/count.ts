// A place is counted, and what was counted is approved.

import assert from 'node:assert/strict'
import { setTimeout } from 'node:timers/promises'
import type { Choices } from '../choices.ts'
import type { DeedKind } from '../deed.ts'
import { type Count, CountStatus } from '../notebook/counts.ts'
import type { Heap } from '../notebook/floor.ts'
import { round4, round6, wordsFor } from '../notebook/goods.ts'
import { ask, say, type World } from '../world.ts'
import { approve, beginCount, type Look, moveCount, pathOf, tellSeen } from './counting.ts'

/** Counts everything without serials of one product, in most lines as it is. */
async function count(world: World, choices: Choices): Promise<void> {
  const { floor, counts, products } = world.notebook
  const untracked = products.filter(({ tracking }) => tracking === 'none')
  const product = choices.among(untracked, ({ id }) => String(untracked.findIndex(other => other.id === id)))
  const all = floor.live.filter(heap => heap.product === product)
  const heaps = all.filter(heap => !counts.isBeingCounted(heap))
  if (product === undefined || heaps.length === 0) return
  const wrong = choices.among(heaps, heap => wordsFor(0, heap)) as Heap
  const counted = Math.max(0, wrong.quantity + choices.below(5) - 2)
  say(world, `count ${product.code}, and find ${counted} instead of ${wordsFor(wrong.quantity, wrong)}`)
  const begun = (await beginCount(world, all, { partnerProductIds: [product.id] })) as Count
  const looks = begun.lines.map(
    (line): Look => ({
      ...{ line, serials: null },
      quantity: line.heap === wrong ? counted : line.heap.quantity,
    }),
  )
  if (choices.onceIn(3)) await countTooEarly(world, begun, looks)
  const seenAt = choices.onceIn(3) ? await findMeanwhile(world, wrong) : null
  await tellSeen(world, begun, looks, seenAt)
  await approve(world, begun, null)
  // A count that cannot be approved would keep its lines from other counts.
  if (begun.lines.some(({ isOpen }) => isOpen)) await moveCount(world, begun, CountStatus.Cancelled)
}

/** Goods are found after they were counted, which is told later. Returns when they were counted. */
async function findMeanwhile(world: World, heap: Heap): Promise<number> {
  const quantity = 3
  await setTimeout(2)
  const seenAt = Date.now()
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
  return seenAt
}

/** A device whose clock is wrong says that it counted before the count was made. */
async function countTooEarly(world: World, count: Count, looks: readonly Look[]): Promise<void> {
  const occurredUtc = new Date(Date.now() - 86_400_000).toISOString()
  const counts = looks.map(({ line, quantity }) => ({ stockCountLineId: line.id, countedQuantity: quantity }))
  const path = `${pathOf(count)}/lines/count`
  const answer = await ask(world, 'post', path, { counts, occurredUtc }, { mayBe: ['range'] })
  assert.equal(answer, null, 'goods were counted before the count was made')
}

export const countKinds: DeedKind[] = [{ name: 'count', often: 2, perform: count }]
