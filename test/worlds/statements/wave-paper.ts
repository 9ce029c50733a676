// The picking list of orders that are picked together: what is promised to them, place by place, and whose it
// is. One of a few is read, for papers take time.

import assert from 'node:assert/strict'
import { linesOf } from '../../support/pdf.ts'
import type { Heap } from '../notebook/floor.ts'
import { round4 } from '../notebook/goods.ts'
import type { Consignment } from '../notebook/orders.ts'
import { untilNotBusy, type World } from '../world.ts'

/** Goods of a heap that are promised to an order and not picked. */
interface Part {
  heap: Heap
  consignment: Consignment
  quantity: number
}

const figures = new Intl.NumberFormat('en-GB', { maximumFractionDigits: 6 })
const sum = (parts: readonly Part[]) => round4(parts.reduce((all, { quantity }) => all + quantity, 0))

export async function wavePaper(
  world: World,
  path: string,
  chosen: readonly Consignment[],
  isBulk: boolean,
): Promise<void> {
  const { live, journal } = world.notebook.floor
  if (journal.length % 4 !== 0) return
  const parts = live.flatMap(heap =>
    heap.promises.flatMap(({ line: { consignment }, quantity, isPicked }) =>
      isPicked || !chosen.includes(consignment) ? [] : [{ heap, consignment, quantity }],
    ),
  )
  const { status, bytes } = await untilNotBusy(() => world.caller.get(`${path}/picking-list-pdf`))
  assert.equal(status, 200, path)
  const told = (await linesOf(bytes)).flat()
  /** Fails unless so many lines begin with a text. */
  const says = (text: string, times: number) => {
    const found = told.filter(line => line === text || line.startsWith(`${text} `))
    assert.ok(
      found.length >= times,
      `the list of ${path} says “${text}” ${found.length} times, not ${times}:\n${told.join('\n')}`,
    )
  }
  const rowOf = ({ place, product, look }: Heap) =>
    [place.name, product.code, look.batch].filter(word => word !== null).join(' ')
  const heaps = [...new Set(parts.map(({ heap }) => heap))]
  for (const [row, own] of Map.groupBy(heaps, rowOf)) says(row, own.length)
  if (parts.length === 0) return
  says(`Total ${figures.format(sum(parts))}`, 1)
  const byOrder = Map.groupBy(parts, ({ consignment }) => consignment)
  for (const [consignment, own] of byOrder) {
    if (isBulk) says(`Total ${figures.format(sum(own))}`, 1)
    // A number may be broken at its last hyphen.
    const [begin = ''] = consignment.number.match(/^.*-/) ?? []
    assert.ok(
      told.some(line => line.includes(begin)),
      `the list of ${path} does not name ${consignment.number}:\n${told.join('\n')}`,
    )
  }
}
