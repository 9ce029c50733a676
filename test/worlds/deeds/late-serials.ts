// Serials that become known after their goods came, and goods whose description was wrong.

import assert from 'node:assert/strict'
import type { Choices } from '../choices.ts'
import type { DeedKind } from '../deed.ts'
import { freeOf, type Heap } from '../notebook/floor.ts'
import { keyOf, keyOfLook, nameOfGoods, wordsFor } from '../notebook/goods.ts'
import { cameInto } from '../notebook/inwards.ts'
import { cameFor, type Line, nameOfLine, Status, serialsOf } from '../notebook/orders.ts'
import { identityOf } from '../notebook/outwards.ts'
import { ask, say, type World } from '../world.ts'
import { chooseLook, lookFields, wordsForLook } from './looks.ts'
import { serialsThatCome } from './receive.ts'
import { serialsToMove } from './serials.ts'

/** How many goods of a heap have no serial yet. */
const lackingIn = (heap: Heap) =>
  heap.product.tracking === 'full' ? Math.floor(heap.quantity) - heap.serials.size : 0

/** How many of a line's goods came without a serial. */
function lackingOf(line: Line): number {
  return Math.floor(cameFor(line).quantity) - serialsOf(line).size
}

/**
 * Serials are written on goods: first where the line was received, then on goods of the same batch, dates and
 * attributes. Any others are named.
 */
async function recordSerials(world: World, choices: Choices): Promise<void> {
  const { notebook } = world
  const lines = notebook
    .atHand('inwards', [Status.ReadyToReceive])
    .flatMap(({ lines }) => lines)
    .filter(line => line.product.tracking === 'full' && lackingOf(line) > 0)
  const line = choices.among(lines, nameOfLine)
  if (line === undefined) return
  const heaps = notebook.floor.live.filter(heap => heap.product === line.product && lackingIn(heap) > 0)
  const isNamed = choices.onceIn(3)
  const own = heaps.filter(heap => cameInto(line, keyOf(heap)) !== 0 || wasReceivedInto(line, heap))
  const alike = heaps.filter(heap => isAlike(line, heap))
  const named = isNamed ? choices.among(heaps, nameOfGoods) : undefined
  const candidates = named ? [named] : [...own, ...alike.filter(heap => !own.includes(heap))]
  const room = candidates.reduce((sum, heap) => sum + lackingIn(heap), 0)
  const quantity = choices.part(Math.min(lackingOf(line), Math.max(room, 1)))
  const isRefused = quantity > room
  const serials = serialsThatCome(notebook, line, quantity)
  say(
    world,
    `write ${serials.join(' ')} on goods of line ${line.ordinal + 1} of ${line.consignment.number}` +
      `${named ? `, namely ${wordsFor(lackingIn(named), named)}` : ''}`,
  )
  const path = `/v1/consignments/${line.consignment.id}/receive/serials`
  const entry = { consignmentProductId: line.id, serials, warehouseProductId: named?.id ?? null }
  const answer = await ask(
    world,
    'post',
    path,
    { serials: [entry] },
    { mayBe: isRefused ? ['not_here'] : [] },
  )
  if (answer === null) return
  assert.ok(!isRefused, 'serials were written on goods that are not of the line')
  await learnSerials(world, line, serials, candidates, Date.parse(answer.effectiveUtc))
}

const wasReceivedInto = (line: Line, heap: Heap) =>
  line.arrivals.some(({ identity, quantity }) => quantity > 0 && keyOf(identity) === keyOf(heap))

const isAlike = (line: Line, heap: Heap) =>
  line.consignment.lines.some(
    other =>
      other === line &&
      other.arrivals.some(
        ({ identity, quantity }) => quantity > 0 && keyOfLook(identity.look) === keyOfLook(heap.look),
      ),
  )

/** Which goods got the serials: the service chooses among those that it may. */
async function learnSerials(
  world: World,
  line: Line,
  serials: string[],
  candidates: readonly Heap[],
  at: number,
): Promise<void> {
  const { items } = await ask(world, 'get', `/v1/inventory-items?PageSize=500&Serials=${serials.join(',')}`)
  for (const serial of serials) {
    const told = items.find((item: { serial: string }) => item.serial === serial)
    const heap = candidates.find(({ id }) => id === told?.warehouseProductId)
    assert.ok(heap, `${serial} was written on goods that are not of the line`)
    assert.ok(lackingIn(heap) > 0, `${serial} was written on goods that have their serials`)
    world.notebook.floor.writeOn(heap, serial, at)
    line.lateSerials.push({ serial, identity: identityOf(heap) })
  }
}

/** Goods were described wrongly: another batch, other dates or attributes. */
async function redescribe(world: World, choices: Choices): Promise<void> {
  const { floor, counts } = world.notebook
  const heap = choices.among(floor.live, nameOfGoods)
  if (heap === undefined) return
  const isAll = choices.onceIn(2) || freeOf(heap) === 0
  const quantity = isAll ? heap.quantity : choices.part(freeOf(heap), heap.product.tracking !== 'none')
  const isWhole = quantity === heap.quantity
  const serials = isWhole ? [...heap.serials] : serialsToMove(heap, quantity, choices)
  if (serials === null || (heap.product.tracking === 'release' && heap.serials.size > 0 && !isWhole)) return
  const look = chooseLook(choices)
  if (keyOfLook(look) === keyOfLook(heap.look)) return
  const isAsked = heap.promises.some(({ line }) => breaks(line, heap, look))
  say(world, `describe ${wordsFor(quantity, heap)} anew:${wordsForLook(look) || ' (nothing)'}`)
  const answer = await ask(
    world,
    'post',
    '/v1/inventory/adjust-attributes',
    {
      adjustments: [
        {
          ...{ warehouseProductId: heap.id, ...lookFields(look) },
          ...(isWhole ? {} : { quantity, serials }),
        },
      ],
      reason: 'Read wrongly',
    },
    { mayBe: isWhole && isAsked ? ['allocated'] : [] },
  )
  if (answer === null) return
  assert.ok(!(isWhole && isAsked), 'promised goods were described as what their line does not ask for')
  const at = Date.parse(answer.effectiveUtc)
  const target = { ...identityOf(heap), look }
  counts.described.push({ from: keyOf(heap), to: keyOf(target), at })
  if (isWhole) floor.shiftAll(heap, target, at)
  else floor.shift(heap, target, quantity, serials, at)
}

/** Whether goods that are what a line asks for would no longer be. */
function breaks(line: Line, heap: Heap, look: Heap['look']): boolean {
  const { attributes, ...asked } = line.look
  const isBroken = (field: keyof typeof asked) =>
    asked[field] !== null && asked[field] === heap.look[field] && asked[field] !== look[field]
  return (
    (Object.keys(asked) as (keyof typeof asked)[]).some(isBroken) ||
    Object.entries(attributes).some(
      ([name, value]) => heap.look.attributes[name] === value && look.attributes[name] !== value,
    )
  )
}

export const descriptionKinds: DeedKind[] = [
  { name: 'record serials', often: 3, perform: recordSerials },
  { name: 'describe anew', often: 2, perform: redescribe },
]
