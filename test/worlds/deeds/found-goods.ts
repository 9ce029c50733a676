// Goods that a count finds where it did not expect them: they are counted with goods of the same look, or are
// a line of their own.

import assert from 'node:assert/strict'
import { type Count, type CountLine, CountStatus, LineStatus, likenessOf } from '../notebook/counts.ts'
import type { Heap } from '../notebook/floor.ts'
import { type Identity, wordsFor } from '../notebook/goods.ts'
import { identityOf } from '../notebook/outwards.ts'
import { ask, say, type World } from '../world.ts'
import { note, pathOf } from './counting.ts'
import { lookFields } from './looks.ts'

/** What loose goods that were found are, as far as can be seen: a line, other goods, or nothing known. */
function knownAs(
  { notebook }: World,
  count: Count,
  found: Identity,
): { heaps: Heap[]; isAmbiguous: boolean } {
  const { floor } = notebook
  const alike = [...floor.heaps.values()].filter(heap => likenessOf(heap) === likenessOf(found))
  const isCounted = (heap: Heap) => count.lines.some(line => line.heap === heap)
  const counted = alike.filter(isCounted)
  const live = counted.filter(({ quantity }) => quantity > 0)
  if (live.length > 0) return { heaps: live, isAmbiguous: live.length > 1 }
  if (counted.length > 0) return { heaps: counted, isAmbiguous: false }
  const others = alike.filter(({ quantity }) => quantity > 0)
  const free = others.filter(({ hold }) => hold === null)
  const usual = free.length > 0 ? free : others
  const latest = usual
    .map(({ receivedDate }) => receivedDate)
    .toSorted()
    .at(-1)
  return { heaps: usual.filter(({ receivedDate }) => receivedDate === latest), isAmbiguous: false }
}

/** Tells that loose goods were found, and how many. */
export async function tellFound(
  world: World,
  count: Count,
  goods: Identity,
  quantity: number,
): Promise<void> {
  const { notebook } = world
  const { floor, counts } = notebook
  const found = { ...identityOf(goods), hold: null }
  const { heaps, isAmbiguous } = knownAs(world, count, found)
  const receivedDate = notebook.dayAt(Date.now())
  const isNew = heaps.length === 0
  const possible = isNew ? [floor.heap({ ...found, receivedDate })] : heaps
  const refusals = [
    ...(isAmbiguous ? ['ambiguous'] : []),
    ...possible.flatMap(heap => {
      const own = count.lines.find(line => line.heap === heap)
      if (own === undefined && counts.isBeingCounted(heap)) return ['conflict']
      const isEnded = count.status === CountStatus.Counted && own?.status !== LineStatus.Recount
      return own?.status === LineStatus.Approved || isEnded ? ['wrong_status'] : []
    }),
  ]
  say(world, `find for ${count.number}: ${wordsFor(quantity, found)}`)
  const { product, place, look } = found
  const entry = {
    found: { partnerProductId: product.id, locationName: place.name, ...lookFields(look) },
    countedQuantity: quantity,
  }
  const path = `${pathOf(count)}/lines/count`
  const answer = await ask(world, 'post', path, { counts: [entry] }, { mayBe: refusals })
  if (answer === null) return
  const [told] = answer.counts
  const heap = isNew ? possible[0] : possible.find(({ id }) => id === told.warehouseProductId)
  assert.ok(heap, `${wordsFor(quantity, found)} are counted as goods of another look`)
  heap.id ??= told.warehouseProductId
  const line = count.lines.find(own => own.heap === heap) ?? newLine(told.stockCountLineId, heap)
  assert.ok(
    !isAmbiguous && !counts.all.some(other => other !== count && isOpenIn(other, heap)),
    'counted twice',
  )
  if (!count.lines.includes(line)) count.lines.push(line)
  if (count.status === CountStatus.Draft) count.status = CountStatus.InProgress
  note(world, { line, quantity, serials: null }, Date.parse(answer.effectiveUtc), told)
}

const isOpenIn = ({ lines }: Count, heap: Heap) => lines.some(line => line.heap === heap && line.isOpen)

const newLine = (id: string, heap: Heap): CountLine => ({
  ...{ id, heap, status: LineStatus.ToCount, round: 1, isFound: true },
  ...{ seen: [], approved: null, isOpen: true },
})
