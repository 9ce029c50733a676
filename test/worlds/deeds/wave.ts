// Orders are picked together: pick by pick, or all that stands in one place at once.

import assert from 'node:assert/strict'
import type { Choices } from '../choices.ts'
import type { DeedKind } from '../deed.ts'
import type { Heap } from '../notebook/floor.ts'
import { round4 } from '../notebook/goods.ts'
import { type Consignment, type Line, nameOfLine, Status } from '../notebook/orders.ts'
import { missing, type Pick, pick } from '../notebook/outwards.ts'
import { promisesIn } from '../notebook/promises.ts'
import { wavePaper } from '../statements/wave-paper.ts'
import { ask, say, type World } from '../world.ts'
import { learnAllocations } from './learn-allocations.ts'
import { serialsToPick } from './serials.ts'

const JobStatus = { InProgress: 3, Complete: 4, Cancelled: 5 }

/** What the service lists to be picked. */
interface Told {
  inventoryAllocationId: string
  warehouseProductId: string
  consignmentProductId: string
  consignments: { consignmentId: string; consignmentProductId: string; quantity: number }[]
  serials: string[]
  quantity: number
}

/** A pick that is confirmed, with the entry that says so. */
interface Confirmed extends Pick {
  entry: object
}

/** The path and the number of a wave. */
interface Wave {
  path: string
  number: string
}

async function pickTogether(world: World, choices: Choices): Promise<void> {
  const { notebook, warehouseId, clientId } = world
  const open = notebook.atHand('outwards', [Status.ReadyToPick])
  const chosen = choices.some(open, 1 + choices.below(3), ({ tag }) => tag)
  if (chosen.length === 0) return
  const isBulk = choices.onceIn(3)
  const place = { warehouseId, clientId, style: isBulk ? 2 : 1 }
  say(world, `pick ${chosen.map(({ number }) => number).join(', ')} together${isBulk ? ', in bulk' : ''}`)
  const { jobId } = await ask(world, 'post', '/v1/jobs/wave-pick', place)
  const job = `/v1/jobs/${jobId}/wave-pick`
  const { jobNumber } = await ask(world, 'get', job)
  const wave = { path: job, number: jobNumber }
  const consignmentIds = chosen.map(({ id }) => id)
  await ask(world, 'post', `${job}/consignments/add`, { consignmentIds })
  await ask(world, 'put', `${job}/status`, { status: JobStatus.InProgress })
  const { picks } = (await ask(world, 'get', `${job}/picks?PageSize=500`)) as { picks: Told[] }
  comparePicks(world, chosen, picks)
  await wavePaper(world, job, chosen, isBulk)
  const status = isBulk
    ? await confirmBulk(world, choices, wave, picks)
    : await confirmSome(world, choices, wave, picks)
  const isLeft = chosen.some(consignment => openOf(world, consignment).length > 0)
  if (status !== null)
    assert.equal(status, isLeft ? JobStatus.InProgress : JobStatus.Complete, `${jobNumber}`)
  if (isLeft || status === null) await ask(world, 'put', `${job}/status`, { status: JobStatus.Cancelled })
  else for (const consignment of chosen) consignment.job = jobNumber
}

const openOf = ({ notebook }: World, consignment: Consignment) =>
  notebook.floor.live.flatMap(heap =>
    consignment.lines.flatMap(line => {
      const own = promisesIn(heap, line, false)
      return own.length === 0 ? [] : [{ heap, line, own }]
    }),
  )

const sumOf = (parts: readonly { quantity: number }[]) =>
  round4(parts.reduce((all, { quantity }) => all + quantity, 0))

/** What is listed is what is promised to the orders, row by row and line by line. */
function comparePicks(world: World, chosen: readonly Consignment[], told: readonly Told[]): void {
  const totals = (parts: readonly { key: string; quantity: number }[]) =>
    [...Map.groupBy(parts, ({ key }) => key)].map(([key, own]) => `${key} ${sumOf(own)}`).toSorted()
  const listed = told.flatMap(({ warehouseProductId, consignments }) =>
    consignments.map(({ consignmentProductId, quantity }) => ({
      key: `${warehouseProductId} ${consignmentProductId}`,
      quantity,
    })),
  )
  const known = chosen
    .flatMap(consignment => openOf(world, consignment))
    .map(({ heap, line, own }) => ({ key: `${heap.id} ${line.id}`, quantity: sumOf(own) }))
  assert.deepEqual(totals(listed), totals(known), 'the picks of a wave')
}

const lineOf = ({ notebook }: World, id: string) => notebook.lines.find(line => line.id === id) as Line
const heapOf = ({ notebook }: World, id: string) => notebook.floor.live.find(heap => heap.id === id) as Heap

/** Some picks are confirmed, each whole; the goods of a single one may be short. */
async function confirmSome(
  world: World,
  choices: Choices,
  wave: Wave,
  picks: readonly Told[],
): Promise<number | null> {
  const named = (one: Told) =>
    [
      nameOfLine(lineOf(world, one.consignmentProductId)),
      heapOf(world, one.warehouseProductId).product.code,
      ...one.serials,
      one.quantity,
    ].join(' ')
  const some = choices.some(picks, 1 + choices.below(4), named)
  const isShort = some.length === 1 && choices.onceIn(2)
  const taken = new Set<string>()
  const confirmed = some.flatMap((one): Confirmed[] => {
    const [line, heap] = [lineOf(world, one.consignmentProductId), heapOf(world, one.warehouseProductId)]
    const isLess = isShort && one.quantity > 1 && heap.product.tracking === 'none'
    const quantity = isLess ? one.quantity - 1 : one.quantity
    const serials =
      one.serials.length > 0 ? one.serials : serialsToPick(world.notebook, line, heap, quantity, choices)
    // Nothing is picked twice.
    if (serials === null || serials.some(serial => taken.has(serial))) return []
    for (const serial of serials) taken.add(serial)
    const entry = { inventoryAllocationId: one.inventoryAllocationId, quantity, serials, isShort: isLess }
    return [{ line, heap, quantity, serials, to: world.notebook.dock, entry }]
  })
  return confirm(world, wave, confirmed)
}

/** Everything that stands in some places is picked, and shared out among the orders by their positions. */
async function confirmBulk(
  world: World,
  choices: Choices,
  wave: Wave,
  picks: readonly Told[],
): Promise<number | null> {
  const loose = picks.filter(
    ({ warehouseProductId }) => heapOf(world, warehouseProductId).product.tracking === 'none',
  )
  const one = choices.among(loose, ({ consignments, quantity }) =>
    [quantity, ...consignments.map(part => nameOfLine(lineOf(world, part.consignmentProductId)))].join(' '),
  )
  if (one === undefined) return null
  const heap = heapOf(world, one.warehouseProductId)
  const quantity = choices.part(one.quantity)
  let rest = quantity
  const shares = one.consignments.flatMap(({ consignmentProductId, quantity: own }): Confirmed[] => {
    const part = Math.min(rest, own)
    rest = round4(rest - part)
    const line = lineOf(world, consignmentProductId)
    const entry = { warehouseProductId: heap.id, quantity }
    return part === 0 ? [] : [{ line, heap, quantity: part, serials: [], to: world.notebook.dock, entry }]
  })
  return confirm(world, wave, shares, shares.slice(0, 1))
}

/** Confirms picks with the entries of some of them. Returns the status of the wave. */
async function confirm(
  world: World,
  wave: Wave,
  confirmed: readonly Confirmed[],
  said: readonly Confirmed[] = confirmed,
): Promise<number | null> {
  const { notebook } = world
  if (confirmed.length === 0) return null
  const answer = await ask(world, 'post', `${wave.path}/picks/confirm`, {
    picks: said.map(({ entry }) => entry),
  })
  const at = Date.parse(answer.effectiveUtc)
  for (const { line } of confirmed)
    Object.assign(line.consignment, { isPickingConfirmed: true, job: wave.number })
  const [only] = confirmed
  pick(notebook, confirmed, at)
  const isShort = only !== undefined && 'isShort' in only.entry && only.entry.isShort === true
  if (isShort && missing(notebook, only.line, only.heap, at) > 0)
    await learnAllocations(world, [only.line.consignment], { isComplete: false })
  return answer.status
}

export const waveKinds: DeedKind[] = [{ name: 'pick together', often: 4, perform: pickTogether }]
