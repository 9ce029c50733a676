// Goods are picked: as promised, short, other ones or more by an override, and put back.

import assert from 'node:assert/strict'
import type { Choices } from '../choices.ts'
import type { DeedKind } from '../deed.ts'
import { freeOf, type Heap } from '../notebook/floor.ts'
import { nameOfGoods, type Place, wordsFor } from '../notebook/goods.ts'
import { type Consignment, type Line, nameOfLine, Status } from '../notebook/orders.ts'
import { missing, originsOf, pick, pickedFor, unpick } from '../notebook/outwards.ts'
import { promisesIn } from '../notebook/promises.ts'
import { ask, say, type World } from '../world.ts'
import { learnAllocations } from './learn-allocations.ts'
import { serialsToPick } from './serials.ts'

const docksOf = ({ notebook }: World) => notebook.places.filter(({ kind }) => kind !== 'quarantine')

const openIn = (heap: Heap, line: Line) =>
  promisesIn(heap, line, false).reduce((sum, { quantity }) => sum + quantity, 0)

/** Lines of consignments that are being picked, with heaps that goods of them are promised in. */
const promisedPairs = ({ notebook }: World) =>
  notebook
    .atHand('outwards', [Status.ReadyToPick])
    .flatMap(({ lines }) =>
      lines.flatMap(line =>
        notebook.floor.live.flatMap(heap => (openIn(heap, line) > 0 ? [{ line, heap }] : [])),
      ),
    )

async function pickSome(world: World, choices: Choices, isNothing = false): Promise<void> {
  const chosen = choices.among(
    promisedPairs(world),
    ({ line, heap }) => `${nameOfLine(line)} ${nameOfGoods(heap)}`,
  )
  if (chosen === undefined) return
  const { line, heap } = chosen
  const isShort = isNothing || choices.onceIn(4)
  const promised = openIn(heap, line)
  const part = choices.part(promised, heap.product.tracking !== 'none')
  const quantity = isNothing ? 0 : isShort ? Math.max(0, Math.min(part, promised - 1)) : part
  await confirm(world, choices, { line, heap, quantity, isShort, isOverride: false })
}

/** Other goods than were promised, or more of them: another batch, another place, another product. */
async function pickOther(world: World, choices: Choices): Promise<void> {
  const { notebook } = world
  const lines = notebook.atHand('outwards', [Status.ReadyToPick]).flatMap(({ lines }) => lines)
  const line = choices.among(lines, nameOfLine)
  if (line === undefined) return
  const isOtherProduct = choices.onceIn(3)
  const heaps = notebook.floor.live.filter(
    heap =>
      heap.hold === null &&
      heap.place.kind !== 'quarantine' &&
      freeOf(heap) > 0 &&
      (isOtherProduct || heap.product === line.product),
  )
  const heap = choices.among(heaps, nameOfGoods)
  if (heap === undefined) return
  const most = Math.min(line.expected + 2, openIn(heap, line) + freeOf(heap))
  const quantity = choices.part(most, heap.product.tracking !== 'none')
  if (quantity > 0) await confirm(world, choices, { line, heap, quantity, isShort: false, isOverride: true })
}

interface Confirmation {
  line: Line
  heap: Heap
  quantity: number
  isShort: boolean
  isOverride: boolean
}

async function confirm(
  world: World,
  choices: Choices,
  { line, heap, quantity, isShort, isOverride }: Confirmation,
): Promise<void> {
  const { notebook } = world
  const { consignment } = line
  const serials = quantity === 0 ? [] : serialsToPick(notebook, line, heap, quantity, choices)
  if (serials === null) return
  const isElsewhere = choices.onceIn(4)
  const to = isElsewhere ? (choices.of(docksOf(world)) as Place) : notebook.dock
  const isLoose = choices.onceIn(4)
  const reallocate = !choices.onceIn(3)
  say(
    world,
    `pick ${wordsFor(quantity, heap)} for line ${line.ordinal + 1} of ${consignment.number} to ${to.name}` +
      `${isShort ? ', the rest is missing' : ''}${isOverride ? ', overriding' : ''}${isLoose ? ', loose' : ''}` +
      `${serials.length > 0 ? ` (${serials.join(' ')})` : ''}`,
  )
  const answer = await ask(world, 'post', `/v1/consignments/${consignment.id}/pick`, {
    picks: [
      {
        ...{ consignmentProductId: line.id, warehouseProductId: heap.id, quantity, serials, isShort },
        ...{ isOverride, reallocate, toLocationName: isElsewhere ? to.name : null },
        ...(isLoose ? { toLogisticUnit: null } : {}),
      },
    ],
  })
  const at = Date.parse(answer.effectiveUtc)
  consignment.isPickingConfirmed = true
  const before = openIn(heap, line)
  const entry = { line, heap, quantity, serials, to, unit: isLoose ? null : undefined }
  if (quantity > 0) pick(notebook, [entry], at)
  const lacking = isShort && before > quantity ? missing(notebook, line, heap, at) : 0
  assert.equal(answer.picks[0].quantity, quantity)
  assert.equal(answer.picks[0].inventoryHoldId !== null, lacking > 0)
  if (lacking > 0) await learnAllocations(world, [consignment], { isComplete: false })
}

async function putBack(world: World, choices: Choices, isKept = choices.onceIn(2)): Promise<void> {
  const { notebook } = world
  const consignments = notebook.atHand('outwards', [Status.ReadyToPick, Status.ReadyToDispatch])
  const part = choices.among(
    consignments.flatMap(consignment => pickedFor(notebook, consignment)),
    ({ line, heap }) => `${nameOfLine(line)} ${nameOfGoods(heap)}`,
  )
  if (part === undefined) return
  const { line, heap } = part
  const { consignment } = line
  const isTracked = heap.product.tracking !== 'none'
  const quantity = choices.part(part.quantity, isTracked)
  const serials = isTracked ? choices.some(part.serials, quantity, String) : []
  const isReleased = !isKept
  const isSaid = choices.onceIn(2)
  const origins = originsOf(line, heap, quantity, serials)
  const isKnown = origins.every(({ origin }) => origin !== null && origin.from.place.kind !== 'quarantine')
  const to = isSaid || !isKnown ? (choices.of(docksOf(world)) as Place) : null
  say(
    world,
    `put back ${wordsFor(quantity, heap)} of line ${line.ordinal + 1} of ${consignment.number} ` +
      `${to === null ? 'whence they came' : `to ${to.name}`}${isReleased ? ', released' : ''}` +
      `${serials.length > 0 ? ` (${serials.join(' ')})` : ''}`,
  )
  const answer = await ask(world, 'post', `/v1/consignments/${consignment.id}/unpick`, {
    unpicks: [
      {
        ...{ consignmentProductId: line.id, warehouseProductId: heap.id, quantity, serials },
        ...{ toLocationName: to?.name ?? null, release: isReleased },
      },
    ],
  })
  consignment.isPickingConfirmed = true
  unpick(notebook, { line, heap, quantity, serials, to, isReleased }, Date.parse(answer.effectiveUtc))
}

/** What a line lacks is promised again, or what is promised is released. */
async function allocate(world: World, choices: Choices): Promise<void> {
  const consignment = choices.among(world.notebook.atHand('outwards', [Status.ReadyToPick]), ({ tag }) => tag)
  if (consignment === undefined) return
  say(world, `allocate ${consignment.number}`)
  const answer = await ask(world, 'post', `/v1/consignments/${consignment.id}/allocate`)
  await learnAllocations(world, [consignment])
  compareAllocation(world, consignment, answer.lines)
}

function compareAllocation({ notebook }: World, { lines, number }: Consignment, told: readonly object[]) {
  const known = lines.map(line => ({
    consignmentProductId: line.id,
    allocated: openFor(notebook.floor.live, line),
  }))
  const figures = (told as { consignmentProductId: string; allocated: number }[]).map(
    ({ consignmentProductId, allocated }) => ({ consignmentProductId, allocated }),
  )
  assert.deepEqual(figures, known, `the answer to the allocation of ${number}`)
}

const openFor = (heaps: readonly Heap[], line: Line) =>
  heaps.reduce((sum, heap) => sum + openIn(heap, line), 0)

async function releaseAll(world: World, choices: Choices): Promise<void> {
  const { notebook } = world
  const consignment = choices.among(
    [...new Set(promisedPairs(world).map(({ line }) => line.consignment))],
    ({ tag }) => tag,
  )
  if (consignment === undefined) return
  say(world, `release what is promised to ${consignment.number}`)
  await ask(world, 'post', `/v1/consignments/${consignment.id}/release`)
  for (const heap of notebook.floor.live)
    heap.promises = heap.promises.filter(({ line, isPicked }) => isPicked || line.consignment !== consignment)
}

export const pickKinds: DeedKind[] = [
  { name: 'pick', often: 9, perform: pickSome },
  { name: 'pick other goods', often: 3, perform: pickOther },
  { name: 'pick nothing', often: 0, perform: (world, choices) => pickSome(world, choices, true) },
  { name: 'put back', often: 6, perform: putBack },
  { name: 'put back and keep', often: 0, perform: (world, choices) => putBack(world, choices, true) },
  { name: 'allocate', often: 2, perform: allocate },
  { name: 'release', often: 1, perform: releaseAll },
]
