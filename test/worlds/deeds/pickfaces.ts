// Pickfaces are set up and filled: what is planned, brought in parts, missing, or never brought.

import assert from 'node:assert/strict'
import type { Choices } from '../choices.ts'
import type { DeedKind } from '../deed.ts'
import { make } from '../make.ts'
import { availableOf, freeOf, type Heap } from '../notebook/floor.ts'
import { nameOfGoods, type Product, round4, wordsFor } from '../notebook/goods.ts'
import { identityOf } from '../notebook/outwards.ts'
import {
  type Fill,
  type FillLine,
  FillLineStatus,
  FillStatus,
  openOf,
  type Pickface,
} from '../notebook/pickfaces.ts'
import { ask, say, type World } from '../world.ts'
import { serialsToMove } from './serials.ts'

const most = 2

/** A place becomes that of a product, or another quantity is wanted in it. */
async function setUp(world: World, choices: Choices): Promise<void> {
  const { notebook, warehouseId, caller } = world
  const { pickfaces, places, products } = notebook
  const [least, more, isOpen] = [1 + choices.below(6), choices.below(6), choices.onceIn(3)]
  const target = isOpen ? null : least + more
  const product = choices.of(products.filter(({ tracking }) => tracking !== 'release')) as Product
  const known = pickfaces.all.length === most ? choices.among(pickfaces.all, ({ name }) => name) : undefined
  const path = `/v1/warehouses/${warehouseId}/locations`
  const limits = { minQuantity: least, targetQuantity: target }
  if (known) {
    say(world, `want ${least} to ${target} in ${known.name}`)
    await ask(world, 'put', `${path}/${known.id}`, limits)
    Object.assign(known, { least, target })
    return
  }
  const name = notebook.newName('FACE')
  say(world, `make ${name} the pickface of ${product.code}, with ${least} to ${target}`)
  const walkingOrder = places.length + pickfaces.all.length + 1
  const body = { name, type: 1, walkingOrder, isPickface: true, partnerProductId: product.id, ...limits }
  world.told.clear()
  const id = await make(caller, path, body)
  pickfaces.all.push({ id, name, kind: 'racking', product, least, target })
}

/** What a pickface lacks, if it has less than its least; what is brought to it counts. */
function lackOf({ notebook }: World, face: Pickface, day: string): number {
  const { pickfaces } = notebook
  const coming = pickfaces.onItsWay(({ to, heap }) => to === face && heap.product === face.product)
  const there = round4(pickfaces.availableIn(face, day) + coming)
  return there < face.least ? round4((face.target ?? face.least) - there) : 0
}

/** The service plans what fills pickfaces: of what is free and on no other way, and as much as there is. */
async function plan(world: World, _choices: Choices): Promise<void> {
  const { notebook, warehouseId, clientId } = world
  const { pickfaces, products } = notebook
  const day = notebook.dayAt(Date.now())
  const lacks = pickfaces.all.map(face => ({ face, lack: lackOf(world, face, day) }))
  const freeIn = (heap: Heap) =>
    Math.max(0, round4(availableOf(heap) - pickfaces.onItsWay(line => line.heap === heap)))
  const planned = products.map(product => {
    const free = pickfaces.sourcesFor(product, day).reduce((all, heap) => all + freeIn(heap), 0)
    const own = lacks.filter(({ face }) => face.product === product)
    return {
      product,
      quantity: round4(
        Math.min(
          free,
          own.reduce((all, { lack }) => all + lack, 0),
        ),
      ),
    }
  })
  if (pickfaces.all.length === 0) return
  const isRefused = planned.every(({ quantity }) => quantity === 0)
  say(world, 'plan to fill the pickfaces')
  const body = { warehouseId, clientId }
  const answer = await ask(world, 'post', '/v1/jobs/replenishment', body, {
    mayBe: isRefused ? ['state'] : [],
  })
  if (answer === null) return
  assert.ok(!isRefused, 'pickfaces are filled that lack nothing, or with nothing')
  const sources = new Map(notebook.floor.live.map(heap => [heap.id, freeIn(heap)]))
  const fill = await learn(world, answer.jobId)
  for (const { product, quantity } of planned) {
    const own = fill.lines.filter(({ heap }) => heap.product === product)
    const sum = round4(own.reduce((all, line) => all + line.quantity, 0))
    assert.equal(sum, quantity, `what is planned of ${product.code} for its pickfaces`)
  }
  for (const [heap, own] of Map.groupBy(fill.lines, line => line.heap)) {
    const sum = round4(own.reduce((all, line) => all + line.quantity, 0))
    assert.ok(
      pickfaces.sourcesFor(heap.product, day).includes(heap),
      `${wordsFor(sum, heap)} cannot be taken`,
    )
    assert.ok(sum <= (sources.get(heap.id) ?? 0), `${wordsFor(sum, heap)} are planned, and not there`)
  }
  for (const [to, own] of Map.groupBy(fill.lines, line => line.to)) {
    const sum = round4(own.reduce((all, line) => all + line.quantity, 0))
    const lack = lacks.find(({ face }) => face === to)?.lack ?? 0
    assert.ok(sum <= lack, `${sum} are planned for ${to.name}, which lacks ${lack}`)
  }
}

/** Reads what a job is to move, which the service chose. */
async function learn(world: World, id: string): Promise<Fill> {
  const { notebook } = world
  const job = `/v1/jobs/${id}/replenishment`
  const { jobNumber } = await ask(world, 'get', job)
  const { lines } = await ask(world, 'get', `${job}/lines?PageSize=500`)
  const places = [...notebook.places, ...notebook.pickfaces.all]
  const fill: Fill = { id, number: jobNumber, tag: notebook.tag, status: FillStatus.Draft, lines: [] }
  for (const told of lines) {
    const heap = notebook.floor.live.find(one => one.id === told.warehouseProductId)
    const to = places.find(place => place.id === told.toWarehouseLocationId)
    assert.ok(heap && to, `${jobNumber} moves goods, or to a place, that nobody knows`)
    const { replenishmentLineId, quantity } = told
    fill.lines.push({ id: replenishmentLineId, heap, to, quantity, moved: 0, status: FillLineStatus.Open })
  }
  notebook.pickfaces.fills.push(fill)
  return fill
}

/** A person says what is brought where. */
async function order(world: World, choices: Choices): Promise<void> {
  const { notebook, warehouseId, clientId } = world
  const faces = notebook.pickfaces.all
  const isFit = ({ product, hold, place }: Heap) =>
    hold === null &&
    place.kind !== 'quarantine' &&
    faces.some(face => face.product === product && face !== place)
  const heap = choices.among(notebook.floor.live.filter(isFit), nameOfGoods)
  if (heap === undefined) return
  const to = choices.among(
    faces.filter(face => face.product === heap.product && face !== heap.place),
    ({ name }) => name,
  )
  const quantity = choices.part(heap.quantity) + (choices.onceIn(4) ? 2 : 0)
  say(world, `have ${wordsFor(quantity, heap)} brought to ${to?.name}`)
  const lines = [{ warehouseProductId: heap.id, quantity, toLocationName: to?.name }]
  const { jobId } = await ask(world, 'post', '/v1/jobs/replenishment', { warehouseId, clientId, lines })
  const { lines: known } = await learn(world, jobId)
  assert.deepEqual(
    known.map(line => [line.heap, line.to, line.quantity]),
    [[heap, to, quantity]],
  )
}

const openFill = ({ notebook }: World, choices: Choices) =>
  choices.among(
    notebook.pickfaces.fills.filter(({ status }) => status < FillStatus.Complete),
    ({ tag }) => tag,
  )

/** Some of a line is brought, or all that is left of it, or it is missing. */
async function bring(world: World, choices: Choices): Promise<void> {
  const fill = openFill(world, choices)
  const line = fill && choices.among(fill.lines, ({ heap }) => nameOfGoods(heap))
  if (!fill || !line) return
  const { heap, to } = line
  const isTracked = heap.product.tracking !== 'none'
  const isShort = choices.onceIn(4)
  const wanted = choices.part(openOf(line), isTracked)
  const serials = serialsToMove(heap, wanted, choices)
  if (serials === null || wanted <= 0) return
  const job = `/v1/jobs/${fill.id}/replenishment`
  if (fill.status === FillStatus.Draft) {
    await ask(world, 'put', `${job}/status`, { status: FillStatus.InProgress })
    fill.status = FillStatus.InProgress
  }
  say(
    world,
    `bring ${wordsFor(wanted, heap)} to ${to.name} for ${fill.number}${isShort ? '; more is missing' : ''}`,
  )
  const refusals = [
    ...(line.status === FillLineStatus.Open ? [] : ['wrong_status']),
    ...(heap.place.kind === 'quarantine' ? ['held'] : []),
    ...(wanted > freeOf(heap) ? ['insufficient_stock', 'allocated', 'not_here'] : []),
  ]
  const moves = [{ replenishmentLineId: line.id, quantity: wanted, serials, isShort }]
  const answer = await ask(world, 'post', `${job}/confirm`, { moves }, { mayBe: refusals })
  if (answer === null) return
  assert.deepEqual(refusals, [], `${wordsFor(wanted, heap)} were brought, though that cannot be`)
  world.notebook.floor.shift(
    heap,
    { ...identityOf(heap), place: to, unit: null },
    wanted,
    serials,
    Date.parse(answer.effectiveUtc),
  )
  line.moved = round4(line.moved + wanted)
  line.status = statusOf(line, isShort)
  if (fill.lines.every(({ status }) => status !== FillLineStatus.Open)) fill.status = FillStatus.Complete
  const [told] = answer.moves
  assert.deepEqual(
    [told.quantity, told.status, answer.status],
    [wanted, line.status, fill.status],
    'what was brought',
  )
}

const statusOf = (line: FillLine, isShort: boolean): number =>
  openOf(line) === 0 ? FillLineStatus.Done : isShort ? FillLineStatus.Short : FillLineStatus.Open

/** Nothing more is brought. */
async function end(world: World, choices: Choices): Promise<void> {
  const fill = openFill(world, choices)
  if (fill === undefined) return
  const isCancelled = fill.status === FillStatus.Draft || choices.onceIn(2)
  const status = isCancelled ? FillStatus.Cancelled : FillStatus.Complete
  say(world, `bring nothing more for ${fill.number}`)
  await ask(world, 'put', `/v1/jobs/${fill.id}/replenishment/status`, { status })
  fill.status = status
  for (const line of fill.lines)
    if (line.status === FillLineStatus.Open)
      line.status = line.moved > 0 ? FillLineStatus.Short : FillLineStatus.Cancelled
}

export const pickfaceKinds: DeedKind[] = [
  { name: 'set up a pickface', often: 1, perform: setUp },
  { name: 'plan to fill', often: 1, perform: plan },
  { name: 'have brought', often: 1, perform: order },
  { name: 'bring', often: 2, perform: bring },
  { name: 'bring nothing more', often: 1, perform: end },
]
