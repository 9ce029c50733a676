// How stock is counted: a count begins with a line for all goods that somebody wants to see, what was seen is
// told, and what differs is put right.

import assert from 'node:assert/strict'
import type { Choices } from '../choices.ts'
import { type Count, type CountLine, CountStatus, LineStatus, lastSeen } from '../notebook/counts.ts'
import { freeOf, type Heap } from '../notebook/floor.ts'
import { nameOfGoods, round4, round6, wordsFor } from '../notebook/goods.ts'
import { ask, type World } from '../world.ts'
import { freeSerials } from './serials.ts'

/** What the service tells of a line of a count. */
interface Told {
  stockCountLineId: string
  warehouseProductId: string
}

export const pathOf = ({ id }: Count): string => `/v1/stock-counts/${id}`
export const nameOfCountLine = ({ heap }: CountLine): string => nameOfGoods(heap)

/** Begins to count goods. Those that somebody counts already are left to them. */
export async function beginCount(
  world: World,
  goods: readonly Heap[],
  scope: object,
  { isBlind = true, mayBeEmpty = false }: { isBlind?: boolean; mayBeEmpty?: boolean } = {},
): Promise<Count | null> {
  const { notebook, warehouseId } = world
  const { counts, tag } = notebook
  const reference = notebook.newName('COUNT')
  const own = goods.filter(heap => !counts.isBeingCounted(heap))
  const isRefused = own.length === 0 && !mayBeEmpty
  const body = { warehouseId, isBlind, reference, ...scope }
  const createdAt = Date.now()
  const refusals = isRefused ? ['invalid', 'conflict', 'state', 'insufficient_stock', 'not_here'] : []
  const answer = await ask(world, 'post', '/v1/stock-counts', body, { mayBe: refusals })
  if (answer === null) return null
  assert.ok(!isRefused, 'a count began, though there is nothing to count')
  assert.equal(answer.lineCount, own.length, 'another number of lines is counted than there is stock')
  assert.equal(answer.inOtherCounts, goods.length - own.length, 'what others count')
  const lines = await readLines(world, answer.stockCountId)
  const count: Count = {
    ...{ id: answer.stockCountId, number: answer.stockCountNumber, tag, status: CountStatus.Draft },
    ...{ isBlind, isOfClient: 'partnerId' in scope, reference, lines: [] },
    ...{ createdAt, createdBy: notebook.person },
  }
  count.lines.push(...own.map(heap => lineOf(lines, heap)))
  counts.all.push(count)
  return count
}

const readLines = async (world: World, id: string): Promise<Told[]> =>
  (await ask(world, 'get', `/v1/stock-counts/${id}/lines?PageSize=500`)).stockCountLines

function lineOf(told: readonly Told[], heap: Heap): CountLine {
  const own = told.find(({ warehouseProductId }) => warehouseProductId === heap.id)
  assert.ok(own, `${wordsFor(heap.quantity, heap)} are not counted`)
  return {
    ...{ id: own.stockCountLineId, heap, status: LineStatus.ToCount, round: 1, isFound: false },
    ...{ seen: [], approved: null, isOpen: true },
  }
}

/** What somebody sees who looks at the goods of a line. */
export interface Look {
  line: CountLine
  quantity: number
  serials: string[] | null
}

/** Looks at the goods of a line: sees what lies there, or something else. Null if they cannot be counted yet. */
export function lookAt({ notebook }: World, count: Count, line: CountLine, choices: Choices): Look | null {
  const heaps = notebook.counts.heapsOf(count, line)
  const { product } = line.heap
  const there = round4(heaps.reduce((all, { quantity }) => all + quantity, 0))
  const isRight = choices.onceIn(2)
  const error = isRight ? 0 : choices.below(5) - 2
  if (product.tracking === 'none')
    return { line, quantity: Math.max(0, round4(there + error)), serials: null }
  const areRead = heaps.every(({ serials }) => serials.size === 0)
  if (product.tracking === 'release')
    return areRead || error === 0 ? { line, quantity: there, serials: null } : null
  const serials = heaps.flatMap(heap => [...heap.serials]).toSorted()
  if (serials.length !== there) return null
  const free = heaps.flatMap(freeSerials).toSorted()
  const missed = new Set(error < 0 ? choices.some(free, 1, String) : [])
  const seen = serials.filter(serial => !missed.has(serial))
  if (error > 0) seen.push(notebook.newName('S'))
  return { line, quantity: seen.length, serials: seen }
}

/** Tells what was seen, now or at an earlier instant. */
export async function tellSeen(
  world: World,
  count: Count,
  looks: readonly Look[],
  seenAt: number | null = null,
): Promise<void> {
  const { status } = count
  const isClosed = status === CountStatus.Approved || status === CountStatus.Cancelled
  const isRefused =
    isClosed ||
    looks.some(
      ({ line }) =>
        line.status === LineStatus.Approved ||
        (status === CountStatus.Counted && line.status !== LineStatus.Recount),
    )
  const counts = looks.map(({ line, quantity, serials }) => ({
    stockCountLineId: line.id,
    ...(serials === null ? { countedQuantity: quantity } : { serials }),
  }))
  const dated = seenAt === null ? {} : { occurredUtc: new Date(seenAt).toISOString() }
  const path = `${pathOf(count)}/lines/count`
  const answer = await ask(
    world,
    'post',
    path,
    { counts, ...dated },
    { mayBe: isRefused ? ['wrong_status'] : [] },
  )
  if (answer === null) return
  assert.ok(!isRefused, `goods of ${count.number} were counted, though that is over`)
  const at = Date.parse(answer.effectiveUtc)
  if (seenAt !== null) assert.equal(at, seenAt, 'what was seen earlier counts as seen then')
  if (count.status === CountStatus.Draft) count.status = CountStatus.InProgress
  for (const [i, look] of looks.entries()) note(world, look, at, answer.counts[i])
}

/** Writes down what was seen of a line. */
export function note(
  { notebook }: World,
  { line, quantity, serials }: Look,
  at: number,
  told: Record<string, unknown>,
): void {
  line.status = LineStatus.Counted
  line.seen.push({ round: line.round, quantity, at, by: notebook.person, serials })
  const known = { round: line.round, countedQuantity: quantity, warehouseProductId: line.heap.id }
  assert.deepEqual({ ...told }, { stockCountLineId: line.id, ...known }, 'the answer to a count')
}

/** How stock differs from what was seen of a line. */
interface Difference {
  line: CountLine
  book: number
  counted: number
  at: number
  /** what goes, heap by heap */
  leaving: { heap: Heap; quantity: number; serials: string[] }[]
  /** what was found, and where it is put */
  entering: number
  serials: string[]
  into: Heap
  refusals: string[]
}

/** What is put right of a line; null if there are several ways. */
function differenceOf(world: World, count: Count, line: CountLine): Difference | null {
  const { counts } = world.notebook
  const { at, quantity: counted, serials } = lastSeen(line) ?? { at: 0, quantity: 0, serials: null }
  const book = counts.bookAt(count, line, at)
  const [own, ...others] = counts.heapsOf(count, line) as [Heap, ...Heap[]]
  const filled = others.filter(({ quantity, hold }) => quantity > 0 && hold === null)
  const into = own.quantity === 0 && filled.length === 1 ? (filled[0] as Heap) : own
  const plan = { line, book, counted, at, into, refusals: [] as string[] }
  if (serials !== null) return bySerials(world, count, plan, serials)
  const entering = Math.max(0, round4(counted - book))
  if (entering > 0) plan.refusals.push(...refusalsOf(into))
  let rest = Math.max(0, round4(book - counted))
  const open = [own, ...others.filter(({ quantity }) => quantity > 0)]
  if (rest > freeOf(own) && open.length > 2) return null
  const leaving = open.map(heap => {
    const quantity = Math.min(rest, freeOf(heap))
    rest = round4(rest - quantity)
    return { heap, quantity, serials: [] }
  })
  if (rest > 0) plan.refusals.push('allocated', 'insufficient_stock')
  return { ...plan, leaving: leaving.filter(({ quantity }) => quantity > 0), entering, serials: [] }
}

/** Nothing can be put where nothing is left and nothing may be put now. */
const refusalsOf = ({ quantity, unit, place, hold }: Heap): string[] =>
  quantity > 0
    ? []
    : [...(unit && unit.place !== place ? ['wrong_place'] : []), ...(hold ? ['not_here'] : [])]

/** Serials that moved since they were seen, or not seen, are left alone. */
function bySerials(
  { notebook }: World,
  count: Count,
  plan: Omit<Difference, 'leaving' | 'entering' | 'serials'>,
  seen: readonly string[],
): Difference {
  const { counts, floor } = notebook
  const heaps = counts.heapsOf(count, plan.line)
  const here = new Set(heaps.flatMap(({ serials }) => [...serials]))
  const was = counts.serialsAt(count, plan.line, plan.at)
  const hasMoved = (serial: string) => counts.hasMovedSince(serial, plan.line.heap, plan.at)
  const missing = was.filter(serial => !seen.includes(serial) && here.has(serial) && !hasMoved(serial))
  const found = seen.filter(serial => !was.includes(serial) && !hasMoved(serial))
  const leaving = heaps.flatMap(heap => {
    const own = missing.filter(serial => heap.serials.has(serial))
    return own.length > 0 ? [{ heap, quantity: own.length, serials: own }] : []
  })
  const promised = (serial: string) =>
    floor.live.some(({ promises }) => promises.some(promise => promise.serial === serial))
  const isPromised = leaving.some(
    ({ heap, quantity, serials }) => serials.some(promised) || quantity > freeOf(heap),
  )
  const lacks = plan.book !== was.length
  const refusals = [
    ...plan.refusals,
    ...(isPromised ? ['allocated', 'insufficient_stock'] : []),
    ...(lacks ? ['serial_required'] : []),
    ...(found.length > 0 ? refusalsOf(plan.into) : []),
  ]
  return { ...plan, leaving, entering: found.length, serials: found, refusals }
}

/** Approves what was seen of lines: stock is put right by what was seen and what should have been there then. */
export async function approve(world: World, count: Count, lines: readonly CountLine[] | null): Promise<void> {
  const own = lines ?? count.lines.filter(({ status }) => status === LineStatus.Counted)
  const plans = own.map(line => differenceOf(world, count, line))
  if (plans.includes(null)) return
  const differences = plans as Difference[]
  const isEmpty = own.length === 0
  const refusals = [
    ...differences.flatMap(difference => difference.refusals),
    ...(isEmpty || own.some(line => lastSeen(line) === null || line.status === LineStatus.Approved)
      ? ['wrong_status']
      : []),
    ...(count.status === CountStatus.InProgress || count.status === CountStatus.Counted
      ? []
      : ['wrong_status']),
  ]
  const said = lines === null ? {} : { stockCountLineIds: lines.map(({ id }) => id) }
  const answer = await ask(world, 'post', `${pathOf(count)}/approve`, said, { mayBe: refusals })
  if (answer === null) return
  assert.deepEqual(refusals, [], `${count.number} was approved`)
  const told = answer.stockCountLines.toSorted(byLine)
  const known = differences.map(({ line, book, counted, entering, leaving }) => ({
    ...{ stockCountLineId: line.id, bookQuantity: book, countedQuantity: counted },
    varianceQuantity: round4(counted - book),
    adjustedQuantity: round4(entering - leaving.reduce((all, { quantity }) => all + quantity, 0)),
  }))
  assert.deepEqual(told, known.toSorted(byLine), `the answer to the approval of ${count.number}`)
  apply(world, count, differences, Date.parse(answer.effectiveUtc))
  assert.equal(answer.status, count.status, `${count.number}, its status once approved`)
}

const byLine = (a: { stockCountLineId: string }, b: { stockCountLineId: string }) =>
  a.stockCountLineId < b.stockCountLineId ? -1 : 1

function apply({ notebook }: World, count: Count, differences: readonly Difference[], at: number): void {
  const { floor, counts } = notebook
  const dated = (seenAt: number) => {
    const entry = floor.journal.at(-1)
    if (entry) counts.seenAt.set(entry, seenAt)
  }
  for (const { leaving, at: seenAt } of differences)
    for (const { heap, quantity, serials } of leaving) {
      floor.take(heap, quantity, serials, at)
      dated(seenAt)
    }
  for (const { entering, serials, into, at: seenAt, line, book } of differences) {
    const { product } = into
    if (entering > 0) {
      const weight = round4((product.weight ?? 0) * entering)
      const volume = round6((product.volume ?? 0) * entering)
      floor.put(into, { quantity: entering, serials, weight, volume }, at)
      dated(seenAt)
    }
    line.approved = { book, at, by: notebook.person, reason: `Stock count ${count.number}` }
    line.status = LineStatus.Approved
    line.isOpen = false
  }
  const isLast = count.lines.every(({ isOpen }) => !isOpen)
  if (count.status === CountStatus.Counted && isLast) count.status = CountStatus.Approved
}

/** Ends counting, resumes it, or cancels the count. */
export async function moveCount(world: World, count: Count, status: number): Promise<void> {
  const isUncounted = count.lines.some(
    line => line.status === LineStatus.ToCount || line.status === LineStatus.Recount,
  )
  const isRefused = status === CountStatus.Counted && isUncounted
  const path = `${pathOf(count)}/status`
  const refusals = ['invalid', 'wrong_status', 'state']
  const answer = await ask(world, 'put', path, { status }, { mayBe: isRefused ? refusals : [] })
  if (answer === null) return
  assert.ok(!isRefused, `the counting of ${count.number} ended, though not all of it was counted`)
  count.status = status
  const isLast = count.lines.every(({ isOpen }) => !isOpen)
  if (status === CountStatus.Counted && isLast) count.status = CountStatus.Approved
  if (status === CountStatus.Cancelled) for (const line of count.lines) line.isOpen = false
}
