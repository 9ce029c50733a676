// Goods are counted while work goes on: a count is begun, looked through, told late, done again, ended,
// approved in parts and cancelled, with other deeds in between.

import assert from 'node:assert/strict'
import { setTimeout } from 'node:timers/promises'
import type { Choices } from '../choices.ts'
import type { DeedKind } from '../deed.ts'
import { type Count, type CountLine, CountStatus, LineStatus } from '../notebook/counts.ts'
import { nameOfGoods, wordsFor } from '../notebook/goods.ts'
import { ask, say, type World } from '../world.ts'
import {
  approve,
  beginCount,
  type Look,
  lookAt,
  moveCount,
  nameOfCountLine,
  pathOf,
  tellSeen,
} from './counting.ts'
import { tellFound } from './found-goods.ts'
import { chooseLook } from './looks.ts'

/** What was seen by people who have not told it yet. */
const untold = new WeakMap<Count, { looks: Look[]; at: number }>()

const openCount = ({ notebook }: World, choices: Choices, isFit: (count: Count) => boolean = () => true) =>
  choices.among(notebook.counts.open.filter(isFit), ({ tag }) => tag)

/** Everything in a place, of a product, or at all is to be counted. */
async function begin(world: World, choices: Choices): Promise<void> {
  const { notebook } = world
  const { live } = notebook.floor
  const kind = choices.below(3)
  const isBlind = !choices.onceIn(2)
  const place = choices.of(notebook.places)
  const product = choices.of(notebook.products)
  if (place === undefined || product === undefined) return
  const [what, scope, goods] = [
    ['everything', {}, live] as const,
    [place.name, { warehouseLocationIds: [place.id] }, live.filter(heap => heap.place === place)] as const,
    [
      product.code,
      { partnerProductIds: [product.id], partnerId: world.clientId },
      live.filter(heap => heap.product === product),
    ] as const,
  ][kind] as readonly [string, object, typeof live]
  say(world, `begin to count ${what}${isBlind ? ', blind' : ''}`)
  await beginCount(world, goods, scope, { isBlind, mayBeEmpty: kind === 1 })
}

const wordsOf = (looks: readonly Look[]) =>
  looks.map(({ line, quantity }) => `${wordsFor(quantity, line.heap)}`).join('; ')

/** Some lines are looked at. */
function look(world: World, choices: Choices): { count: Count; looks: Look[] } | null {
  const count = openCount(world, choices, ({ lines }) => lines.some(isOfUse))
  if (count === undefined) return null
  const lines = count.lines.filter(isOfUse)
  const some = choices.some(lines, choices.onceIn(2) ? 1 + choices.below(3) : lines.length, nameOfCountLine)
  const looks = some.flatMap(line => lookAt(world, count, line, choices) ?? [])
  return looks.length > 0 ? { count, looks } : null
}

const isOfUse = ({ status }: CountLine) => status !== LineStatus.Approved

async function countLines(world: World, choices: Choices): Promise<void> {
  const seen = look(world, choices)
  if (seen === null) return
  say(world, `count for ${seen.count.number}: ${wordsOf(seen.looks)}`)
  await tellSeen(world, seen.count, seen.looks)
}

/** Somebody looks, and writes down what is there; it is told later. */
async function lookOnly(world: World, choices: Choices): Promise<void> {
  const seen = look(world, choices)
  if (seen === null) return
  say(world, `see for ${seen.count.number}, and tell it later: ${wordsOf(seen.looks)}`)
  await setTimeout(2)
  untold.set(seen.count, { looks: seen.looks, at: Date.now() })
  await setTimeout(2)
}

async function tellLate(world: World, choices: Choices): Promise<void> {
  const count = openCount(world, choices, one => untold.has(one))
  const seen = count && untold.get(count)
  if (!count || !seen) return
  say(world, `tell what was seen for ${count.number}`)
  untold.delete(count)
  await tellSeen(world, count, seen.looks, seen.at)
}

async function recount(world: World, choices: Choices): Promise<void> {
  const isCounted = ({ status }: CountLine) => status === LineStatus.Counted
  const count = openCount(world, choices, ({ lines }) => lines.some(isCounted))
  if (count === undefined) return
  const lines = choices.some(count.lines.filter(isCounted), 1 + choices.below(2), nameOfCountLine)
  say(world, `have ${wordsOf(lines.map(line => ({ line, quantity: 0, serials: null })))} counted again`)
  const body = { stockCountLineIds: lines.map(({ id }) => id) }
  const answer = await ask(world, 'post', `${pathOf(count)}/lines/recount`, body)
  for (const line of lines) {
    line.status = LineStatus.Recount
    line.round++
  }
  const known = lines.map(({ id, round }) => ({ stockCountLineId: id, round }))
  assert.deepEqual(byId(answer.stockCountLines), byId(known), 'the answer to a recount')
}

const byId = (lines: readonly { stockCountLineId: string }[]) =>
  lines.toSorted((a, b) => (a.stockCountLineId < b.stockCountLineId ? -1 : 1))

async function endOrResume(world: World, choices: Choices): Promise<void> {
  const count = openCount(world, choices, ({ status }) => status !== CountStatus.Draft)
  if (count === undefined) return
  const isCounted = count.status === CountStatus.Counted
  say(world, `${isCounted ? 'resume' : 'end'} the counting of ${count.number}`)
  await moveCount(world, count, isCounted ? CountStatus.InProgress : CountStatus.Counted)
}

async function approveSome(world: World, choices: Choices): Promise<void> {
  const isFit = ({ lines }: Count) => lines.some(({ status }) => status === LineStatus.Counted)
  const count = openCount(world, choices, isFit)
  if (count === undefined) return
  const counted = count.lines.filter(({ status }) => status === LineStatus.Counted)
  const some = choices.onceIn(2) ? choices.some(counted, 1 + choices.below(2), nameOfCountLine) : null
  say(world, `approve ${some ? `${some.length} lines of ` : ''}${count.number}`)
  await approve(world, count, some)
}

async function cancel(world: World, choices: Choices): Promise<void> {
  const count = openCount(world, choices)
  if (count === undefined) return
  say(world, `cancel ${count.number}`)
  await moveCount(world, count, CountStatus.Cancelled)
}

/** Goods are found where nobody expected any, or where there are some of the same look. */
async function findUncounted(world: World, choices: Choices): Promise<void> {
  const { notebook } = world
  const count = openCount(world, choices)
  const untracked = notebook.products.filter(({ tracking }) => tracking === 'none')
  const [product, place] = [choices.of(untracked), choices.of(notebook.places)]
  if (count === undefined || product === undefined || place === undefined) return
  const some = choices.onceIn(2)
    ? choices.among(
        notebook.floor.live.filter(heap => heap.product.tracking === 'none' && heap.unit === null),
        nameOfGoods,
      )
    : undefined
  const look = chooseLook(choices)
  const receivedDate = notebook.dayAt(Date.now())
  const goods = some ?? { product, place, unit: null, hold: null, look, receivedDate }
  await tellFound(world, count, goods, 1 + choices.below(6))
}

export const longCountKinds: DeedKind[] = [
  { name: 'begin a count', often: 2, perform: begin },
  { name: 'count lines', often: 4, perform: countLines },
  { name: 'find uncounted goods', often: 2, perform: findUncounted },
  { name: 'see what is there', often: 1, perform: lookOnly },
  { name: 'tell what was seen', often: 2, perform: tellLate },
  { name: 'have counted again', often: 1, perform: recount },
  { name: 'end counting', often: 1, perform: endOrResume },
  { name: 'approve a count', often: 3, perform: approveSome },
  { name: 'cancel a count', often: 1, perform: cancel },
]
