// Holds that are made at the same time and share a transaction. Spec 2.14.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../../src/platform/database/db.ts'
import { newId } from '../../../src/platform/new-id.ts'
import { holdKind } from '../../../src/stock/holds/hold-kind.ts'
import { openAllocation } from '../../support/given-allocation.ts'
import fc from '../../support/properties.ts'
import { assertAlike, commandRequest } from '../../support/together.ts'

const { admin, database, stored, fresh, ready, allocated } = await openAllocation()

interface Wanted {
  at: number
  quantity: number
  isDescribed: boolean
}

/** Two rows of a new product, part of them allocated, and one of another. */
async function scene(allocatedQuantity: number) {
  const [of, other] = [await fresh(), await fresh()]
  const rows = [
    await stored(6, { ...of, batch: 'A' }),
    await stored(4, { ...of, batch: 'B' }),
    await stored(5, { ...other, batch: 'A' }),
    newId(),
  ]
  if (allocatedQuantity > 0) await allocated(await ready([{ ...of, quantity: allocatedQuantity }]))
  const requestOf = (wanted: readonly Wanted[]) =>
    commandRequest(
      admin.actor,
      {},
      {
        ...{ kind: 2 as const, reason: 'Wet' },
        stock: wanted.map(({ at, quantity, isDescribed }) => ({
          ...(isDescribed
            ? {
                stock: {
                  partnerProductId: of.productId,
                  batch: at % 2 === 0 ? 'A' : 'B',
                  inventoryHoldId: null,
                },
              }
            : { warehouseProductId: rows[at] as string }),
          quantity: quantity === 0 ? null : quantity,
        })),
      },
    )
  const named = (text: string) =>
    text
      .replaceAll(/[0-9a-f-]{36}/g, '#')
      .replaceAll(of.productCode, 'P')
      .replaceAll(other.productCode, 'O')
      .replaceAll(/[A-Z]+-\d+-OUT/g, 'SSL')
  const state = () =>
    database.db.rows(sql`
      select p.product_id = ${other.productId} as is_other, p.batch, h.reason, h.created_by is not null as is_known,
        p.on_hand_quantity, p.allocated_quantity
      from warehouse_product p left join inventory_hold h on h.id = p.inventory_hold_id
      where p.product_id = any(${[of.productId, other.productId]}) order by 1, 2, 3 nulls first, 5, 6`)
  return { requestOf, named, state }
}

const textOf = ({ heldQuantity, allocatedQuantity }: { heldQuantity: number; allocatedQuantity: number }) =>
  `held ${heldQuantity}, allocated ${allocatedQuantity}`

test('holds that share transactions hold what they hold one after another', async () => {
  const wantedOf = fc.record({ at: fc.nat(3), quantity: fc.nat(4), isDescribed: fc.boolean() })
  let shared = 0
  await fc.assert(
    fc.asyncProperty(
      fc.nat(8),
      fc.array(fc.array(wantedOf, { minLength: 1, maxLength: 2 }), { minLength: 2, maxLength: 7 }),
      async (allocatedQuantity, all) => {
        const scenes = [await scene(allocatedQuantity), await scene(allocatedQuantity)] as const
        shared += await assertAlike(database, holdKind, all, scenes, textOf)
      },
    ),
    { numRuns: 15 },
  )
  assert.ok(shared > 0, 'nothing shared a transaction')
})

test('a bad hold never fails its neighbours, and each makes a hold of its own', async () => {
  const [of, other] = [await fresh(), await fresh()]
  const [first, second] = [await stored(3, of), await stored(3, other)]
  const hold = (warehouseProductId: string, quantity: number) =>
    admin.post('/v1/inventory/holds', {
      ...{ kind: 2, reason: 'Wet', stock: [{ warehouseProductId, quantity }] },
    })
  const answers = await Promise.all([hold(first, 1), hold(second, 9), hold(second, 2), hold(first, 2)])
  assert.deepEqual(
    answers.map(({ status }) => status),
    [201, 400, 201, 201],
  )
  const made = answers.filter(({ status }) => status === 201)
  assert.equal(new Set(made.map(({ body }) => body.inventoryHoldId)).size, 3)
})
