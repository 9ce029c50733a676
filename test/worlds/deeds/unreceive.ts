// Goods that were received are taken back.

import assert from 'node:assert/strict'
import type { Choices } from '../choices.ts'
import type { DeedKind } from '../deed.ts'
import { freeOf, type Heap } from '../notebook/floor.ts'
import { keyOf, nameOfGoods, round4, wordsFor } from '../notebook/goods.ts'
import { cameInto, unreceive } from '../notebook/inwards.ts'
import { cameFor, type Line, Status, serialsOf } from '../notebook/orders.ts'
import { ask, say, type World } from '../world.ts'
import { freeSerials } from './serials.ts'

async function takeBack(world: World, choices: Choices): Promise<void> {
  const { notebook } = world
  const candidates = notebook.atHand('inwards', [Status.ReadyToReceive]).flatMap(consignment =>
    notebook.floor.live.flatMap(heap => {
      const lines = consignment.lines.filter(line => cameInto(line, keyOf(heap)) > 0)
      return lines.length > 0 && freeOf(heap) > 0 ? [{ consignment, heap, lines }] : []
    }),
  )
  const chosen = choices.among(
    candidates,
    ({ consignment, heap }) => `${consignment.tag} ${nameOfGoods(heap)}`,
  )
  if (chosen === undefined) return
  const { consignment, heap, lines } = chosen
  const key = keyOf(heap)
  const came = round4(lines.reduce((sum, line) => sum + cameInto(line, key), 0))
  const isTracked = heap.product.tracking !== 'none'
  const quantity = choices.part(Math.min(came, freeOf(heap)), isTracked)
  if (quantity <= 0) return
  const serials = serialsBack(heap, lines, quantity, choices)
  if (serials === null) return
  say(world, `take back ${wordsFor(quantity, heap)} of ${consignment.number} ${serials.join(' ')}`)
  const answer = await ask(world, 'post', `/v1/consignments/${consignment.id}/unreceive`, {
    unreceipts: [{ warehouseProductId: heap.id, quantity, serials }],
    reason: 'Not ours',
  })
  const told: { consignmentProductId: string; receivedQuantity: number }[] = answer.consignmentProducts
  const parts = lines.flatMap(line => {
    const now = told.find(({ consignmentProductId }) => consignmentProductId === line.id)
    const taken = now === undefined ? 0 : round4(cameFor(line).quantity - now.receivedQuantity)
    assert.ok(taken >= 0 && taken <= cameInto(line, key), `line ${line.ordinal + 1} gives back ${taken}`)
    return taken === 0 ? [] : [{ line, quantity: taken, serials: [] as string[] }]
  })
  const all = round4(parts.reduce((sum, part) => sum + part.quantity, 0))
  assert.equal(all, quantity, 'another quantity was taken back than was asked for')
  shareSerials(parts, serials)
  unreceive(notebook, key, parts, Date.parse(answer.effectiveUtc))
}

/** Serials that came into this heap for these lines and are free; null if there are too few. */
function serialsBack(
  heap: Heap,
  lines: readonly Line[],
  quantity: number,
  choices: Choices,
): string[] | null {
  if (heap.product.tracking !== 'full') return []
  const free = new Set(freeSerials(heap))
  const own = lines.flatMap(line => [...serialsOf(line)].filter(serial => free.has(serial)))
  const eligible = [...new Set(own)]
  return eligible.length >= quantity ? choices.some(eligible, quantity, String) : null
}

/** Gives each serial to the line for which it came last. */
function shareSerials(
  parts: { line: Line; quantity: number; serials: string[] }[],
  serials: readonly string[],
) {
  for (const serial of serials) {
    const own = parts.find(({ line }) => serialsOf(line).has(serial))
    assert.ok(own, `${serial} was taken back from a line for which it did not come`)
    own.serials.push(serial)
  }
  for (const { line, quantity, serials: taken } of parts)
    if (serials.length > 0)
      assert.equal(taken.length, quantity, `line ${line.ordinal + 1} gives back other serials`)
}

export const unreceiveKinds: DeedKind[] = [{ name: 'unreceive', often: 2, perform: takeBack }]
