// Holds that are made or released at the same time, in shared transactions. Spec 2.14.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../../src/platform/database/db.ts'
import { newId } from '../../../src/platform/new-id.ts'
import { carryOutTogether } from '../../../src/stock/commands/carry-out.ts'
import { holdKind } from '../../../src/stock/holds/hold-kind.ts'
import { releaseHoldKind } from '../../../src/stock/holds/release.ts'
import { openAllocation } from '../../support/given-allocation.ts'
import fc from '../../support/properties.ts'
import { assertAlike, commandRequest } from '../../support/together.ts'

const { admin, database, stored, fresh, ready, allocated, unit } = await openAllocation()

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

interface WantedRelease {
  hold: number
  what: 'all' | 'row' | 'described' | 'unit' | 'other row'
  quantity: number
}

/** Stock of a product in two holds, part of it on a pallet, some free and some of another product held. */
async function heldScene() {
  const [of, other] = [await fresh(), await fresh()]
  const pallet = await unit(`HELD${of.productCode}`)
  const rows = [
    await stored(6, { ...of, batch: 'A' }),
    await stored(4, { ...of, batch: 'B', logisticUnitId: pallet }),
    await stored(5, { ...other, batch: 'A' }),
  ]
  const holds: { id: string; rows: string[] }[] = []
  for (const [at, quantity] of [
    [0, 3],
    [0, 2],
    [1, 4],
    [2, 4],
  ] as const) {
    const { status, body } = await admin.post('/v1/inventory/holds', {
      ...{ kind: 2, reason: `Wet ${holds.length}` },
      stock: [{ warehouseProductId: rows[at], quantity }],
    })
    assert.equal(status, 201, JSON.stringify(body))
    holds.push({ id: body.inventoryHoldId, rows: body.warehouseProductIds })
  }
  const requestOf = ({ hold, what, quantity }: WantedRelease) => {
    const { id, rows: own } = holds[hold] ?? { id: newId(), rows: [] }
    const part = { quantity: quantity === 0 ? null : quantity }
    const described = { partnerProductId: of.productId, batch: 'A', inventoryHoldId: null }
    const selected = {
      row: { warehouseProductId: own[0] ?? newId(), ...part },
      'other row': { warehouseProductId: rows[hold % 3] as string, ...part },
      described: { stock: hold % 2 ? described : { ...described, inventoryHoldId: id }, ...part },
      unit: { logisticUnitId: pallet },
    }
    const stock = what === 'all' ? null : [selected[what]]
    return commandRequest(admin.actor, { inventoryHoldId: id }, { stock })
  }
  const named = (text: string) =>
    text
      .replaceAll(/[0-9a-f-]{36}/g, '#')
      .replaceAll(/so say which: .*/g, 'so say which')
      .replaceAll(new RegExp(`\\b${of.productCode}\\b`, 'g'), 'P')
      .replaceAll(new RegExp(`\\b${other.productCode}\\b`, 'g'), 'O')
  const state = () =>
    database.db.rows(sql`
      select p.product_id = ${other.productId} as is_other, p.batch, h.reason, p.on_hand_quantity, p.version,
        p.logistic_unit_id is not null as is_on_pallet, h.released_utc is null as is_open
      from warehouse_product p left join inventory_hold h on h.id = p.inventory_hold_id
      where p.product_id = any(${[of.productId, other.productId]}) order by 1, 2, 3 nulls first, 4`)
  return { requestOf, named, state, holds }
}

test('releases that share transactions leave what they leave one after another', async () => {
  const wantedOf = fc.record<WantedRelease>({
    ...{ hold: fc.nat(4), quantity: fc.nat(4) },
    what: fc.constantFrom('all', 'row', 'row', 'described', 'unit', 'other row'),
  })
  let shared = 0
  await fc.assert(
    fc.asyncProperty(fc.array(wantedOf, { minLength: 2, maxLength: 8 }), async all => {
      const scenes = [await heldScene(), await heldScene()] as const
      shared += await assertAlike(
        database,
        releaseHoldKind,
        all,
        scenes,
        ({ releasedQuantity, releasedUtc }) => `released ${releasedQuantity}, closed ${releasedUtc !== null}`,
      )
    }),
    { numRuns: 15 },
  )
  assert.ok(shared > 0, 'nothing shared a transaction')
})

test('a second release of a hold waits for the first, as does one of goods that are described', async () => {
  const { requestOf } = await heldScene()
  const wanted: WantedRelease[] = [
    { hold: 1, what: 'row', quantity: 1 },
    { hold: 2, what: 'all', quantity: 0 },
    { hold: 1, what: 'row', quantity: 1 },
    { hold: 0, what: 'described', quantity: 1 },
    { hold: 4, what: 'all', quantity: 0 },
  ]
  const outcomes = await database.atomically(tx =>
    carryOutTogether(tx, releaseHoldKind, wanted.map(requestOf)),
  )
  assert.deepEqual(
    outcomes.map(outcome => (typeof outcome === 'string' ? outcome : Object.keys(outcome)[0])),
    ['answer', 'answer', 'later', 'later', 'refusal'],
  )
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
