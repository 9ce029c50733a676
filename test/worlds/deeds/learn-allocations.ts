// Which goods the service promised to the lines of consignments: it chooses, so the notebook learns it, and
// first checks that the choice keeps the rules.

import assert from 'node:assert/strict'
import { type Heap, promisedOf } from '../notebook/floor.ts'
import { wordsFor } from '../notebook/goods.ts'
import { type Consignment, shortOf } from '../notebook/orders.ts'
import { missedBy, promiseFault } from '../notebook/promises.ts'
import { readStock } from '../statements/read-stock.ts'
import { ask, type World } from '../world.ts'

interface Told {
  consignmentId: string
  consignmentProductId: string
  serial: string | null
  quantity: number
  isPicked: boolean
}

/**
 * Learns what was promised to these consignments since the notebook last knew. With `isComplete`, nothing
 * that a line lacks may be left over.
 */
export async function learnAllocations(
  world: World,
  consignments: readonly Consignment[],
  { isComplete = true }: { isComplete?: boolean } = {},
): Promise<void> {
  const { notebook } = world
  const lines = new Map(consignments.flatMap(({ lines }) => lines).map(line => [line.id, line]))
  for (const { heap, allocated } of await readStock(world)) {
    if (allocated === promisedOf(heap)) continue
    const { allocations } = await ask(world, 'get', `/v1/inventory/${heap.id}`)
    for (const told of newOnes(heap, allocations)) {
      const line = lines.get(told.consignmentProductId)
      assert.ok(line, `${wordsFor(told.quantity, heap)} are promised to a line that asked for nothing now`)
      const promise = { line, quantity: told.quantity, serial: told.serial, isPicked: false }
      const fault = promiseFault(notebook, heap, promise)
      const to = `line ${line.ordinal + 1} of ${line.consignment.number}`
      assert.equal(fault, null, `${wordsFor(told.quantity, heap)} promised to ${to}: ${fault}`)
      heap.promises.push(promise)
    }
  }
  if (!isComplete) return
  for (const line of lines.values())
    for (const heap of missedBy(notebook, line))
      assert.fail(
        `line ${line.ordinal + 1} of ${line.consignment.number} lacks ${shortOf(notebook.floor, line)}, ` +
          `though it may have ${wordsFor(heap.quantity - promisedOf(heap), heap)}`,
      )
}

/** What the service tells of unpicked promises beyond what the notebook knows. */
function newOnes(heap: Heap, told: readonly Told[]): Told[] {
  const known = Map.groupBy(
    heap.promises.filter(({ isPicked }) => !isPicked),
    ({ line, serial }) => `${line.id} ${serial}`,
  )
  const groups = Map.groupBy(
    told.filter(({ isPicked }) => !isPicked),
    ({ consignmentProductId, serial }) => `${consignmentProductId} ${serial}`,
  )
  return [...groups].flatMap(([key, all]) => {
    const before = (known.get(key) ?? []).reduce((sum, { quantity }) => sum + quantity, 0)
    const more = all.reduce((sum, { quantity }) => sum + quantity, 0) - before
    return more > 0 ? [{ ...(all[0] as Told), quantity: more }] : []
  })
}
