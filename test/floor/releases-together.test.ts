// Allocations that many people release at the same time, in shared transactions. Spec 2.14.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { releaseKind } from '../../src/floor/release.ts'
import { sql } from '../../src/platform/database/db.ts'
import { openPicking } from '../support/given-picking.ts'
import fc from '../support/properties.ts'
import { assertAlike, commandRequest } from '../support/together.ts'

const { admin, database, events, fresh, newConsignment, run, stored } = await openPicking()

interface Wanted {
  at: number
  by: 'nothing' | 'line' | 'stock' | 'other line'
  quantity: number
}

/** Three consignments that have goods of one product from two places, one of them some picked. */
async function openScene() {
  const of = await fresh()
  const rows = [await stored(5, { ...of, batch: 'A' }), await stored(6, { ...of, batch: 'B' })]
  const made: Awaited<ReturnType<typeof newConsignment>>[] = []
  for (const quantity of [4, 3, 2]) made.push(await newConsignment({ ...of, quantity }))
  const [{ id, line }] = made as [(typeof made)[0]]
  await run(id, 'pick', {
    picks: [{ consignmentProductId: line, warehouseProductId: rows[0], quantity: 1 }],
  })
  const requestOf = ({ at, by, quantity }: Wanted) => {
    const { id: consignmentId, line: own } = made[at] as (typeof made)[0]
    const other = made[(at + 1) % made.length]?.line as string
    const entry = {
      consignmentProductId: by === 'other line' ? other : own,
      ...(by === 'stock'
        ? { stock: { partnerProductId: of.productId, batch: 'A', locationName: 'A-01' } }
        : {}),
      quantity: quantity === 0 ? null : quantity,
    }
    return commandRequest(admin.actor, { consignmentId }, by === 'nothing' ? {} : { lines: [entry] })
  }
  const state = async () => ({
    rows: await database.db.rows(sql`
      select batch, on_hand_quantity, allocated_quantity from warehouse_product
      where product_id = ${of.productId} order by 1, 2, 3`),
    lines: await database.db.rows(sql`
      select l.allocated_quantity, l.picked_quantity
      from consignment_product l join consignment c on c.id = l.consignment_id
      where l.id = any(${made.map(one => one.line)}) order by c.number`),
    events: await Promise.all(made.map(one => events(one.id))),
  })
  return { requestOf, state, named: (text: string) => text.replaceAll(/[0-9a-f-]{36}/g, '#') }
}

test('releases of allocations that share transactions leave what they leave one after another', async () => {
  const wantedOf = fc.record<Wanted>({
    ...{ at: fc.nat(2), quantity: fc.nat(3) },
    by: fc.constantFrom('nothing', 'line', 'line', 'stock', 'other line'),
  })
  let shared = 0
  await fc.assert(
    fc.asyncProperty(fc.array(wantedOf, { minLength: 2, maxLength: 8 }), async all => {
      const scenes = [await openScene(), await openScene()] as const
      shared += await assertAlike(database, releaseKind, all, scenes, ({ movementId, lines }) =>
        JSON.stringify([movementId === null, ...lines.map(({ consignmentProductId: _, ...rest }) => rest)]),
      )
    }),
    { numRuns: 10 },
  )
  assert.ok(shared > 0, 'nothing shared a transaction')
})
