// Adjustments that arrive at the same time and share a transaction. Spec 2.14.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../../src/platform/database/db.ts'
import { adjustKind } from '../../../src/stock/commands/adjust-kind.ts'
import { openAllocation } from '../../support/given-allocation.ts'
import fc from '../../support/properties.ts'
import { assertAlike, commandRequest, decideTogether } from '../../support/together.ts'

const world = await openAllocation()
const { admin, database, product, stored, fresh, ready, allocated, locations, row, warehouseId } = world

type Request = Parameters<typeof adjustKind.weigh>[0]
type Adjustment = Request['body']['adjustments'][number]
interface Wanted {
  at: number
  what: number
  quantity: number
}

let last = 0
/** Two rows of a new product, part of them allocated, and a product with serials. */
async function scene(allocatedQuantity: number) {
  const of = await fresh()
  const code = `SER${++last}`
  const serial = await product(code, { serialTrackingMode: 2 })
  const rows = [
    await stored(6, { ...of, batch: 'A', expiryDate: '2030-01-01' }, { weightKG: 12 }),
    await stored(4, { ...of, batch: 'B', expiryDate: '2030-01-02' }),
  ]
  if (allocatedQuantity > 0) await allocated(await ready([{ ...of, quantity: allocatedQuantity }]))
  const entryOf = ({ at, what, quantity }: Wanted): Adjustment => {
    const warehouseProductId = rows[at % rows.length] as string
    const place = { warehouseId, locationName: at === 0 ? 'A-01' : 'B-01', receivedDate: '2026-01-01' }
    const found = { ...place, partnerProductId: of.productId }
    const entries: Adjustment[] = [
      { warehouseProductId, quantity: -quantity },
      { warehouseProductId, quantity },
      { stock: { partnerProductId: of.productId, batch: at === 0 ? 'A' : 'B' }, quantity: -quantity },
      { ...found, quantity, batch: 'A', expiryDate: '2030-01-01' },
      { warehouseProductId, quantity: -quantity, weightKG: quantity },
      { ...found, quantity, attributes: [{ name: 'Shade' }] },
      {
        ...{ ...place, partnerProductId: serial, quantity },
        serials: Array.from({ length: quantity }, (_, n) => `S${quantity + n}`),
      },
      {
        ...{ stock: { partnerProductId: serial }, quantity: -quantity },
        serials: Array.from({ length: quantity }, (_, n) => `S${quantity + n}`),
      },
    ]
    return entries[what] as Adjustment
  }
  const requestOf = (wanted: readonly Wanted[]): Request =>
    commandRequest(admin.actor, {}, { adjustments: wanted.map(entryOf), reason: 'Counted' })
  const named = (text: string) =>
    [...rows, of.productId, serial]
      .reduce((rest, id, n) => rest.replaceAll(id, `#${n}`), text)
      .replaceAll(/[0-9a-f-]{36}/g, 'NEW')
      .replaceAll(new RegExp(`${code}\\b`, 'g'), 'S')
      .replaceAll(of.productCode, 'P')
      .replaceAll(/[A-Z]+-\d+-OUT/g, 'SSL')
  const state = () =>
    database.db.rows(sql`
      select p.product_id = ${serial} as is_serial, l.name, p.batch, p.attributes <> '[]' as is_shaded,
        p.on_hand_quantity, p.allocated_quantity, p.on_hand_weight_kg, p.version,
        array(select i.serial from warehouse_product_item i where i.warehouse_product_id = p.id order by 1)
          as serials
      from warehouse_product p join warehouse_location l on l.id = p.warehouse_location_id
      where p.product_id = any(${[of.productId, serial]}) order by 1, 2, 3, 4`)
  return { requestOf, named, state, rows }
}

const textOf = ({ adjustments }: { adjustments: object[] }) => JSON.stringify(adjustments)

test('adjustments that share transactions leave what they leave one after another', async () => {
  const wantedOf = fc.record({ at: fc.nat(1), what: fc.nat(7), quantity: fc.integer({ min: 1, max: 4 }) })
  let shared = 0
  await fc.assert(
    fc.asyncProperty(
      fc.nat(4),
      fc.array(fc.array(wantedOf, { minLength: 1, maxLength: 2 }), { minLength: 2, maxLength: 8 }),
      async (allocatedQuantity, all) => {
        const scenes = [await scene(allocatedQuantity), await scene(allocatedQuantity)] as const
        shared += await assertAlike(database, adjustKind, all, scenes, textOf)
      },
    ),
    { numRuns: 15 },
  )
  assert.ok(shared > 0, 'nothing shared a transaction')
})

test('of many corrections of one row at once, as many take an item as there are free', async () => {
  const of = await fresh()
  const stock = await stored(30, of)
  await allocated(await ready([{ ...of, quantity: 5 }]))
  const answers = await Promise.all(
    Array.from({ length: 40 }, () =>
      admin.post('/v1/inventory/adjust', {
        ...{ adjustments: [{ warehouseProductId: stock, quantity: -1 }], reason: 'Broken' },
      }),
    ),
  )
  const statuses = answers.map(({ status }) => status)
  assert.equal(statuses.filter(status => status === 200).length, 25)
  assert.equal(statuses.filter(status => status === 400).length, 15)
  const left = await row(stock)
  assert.deepEqual([left.onHandQuantity, left.allocatedQuantity], [5, 5])
  const { n } = await database.db.row<{ n: number }>(sql`
    select count(distinct xmin::text)::integer as n from inventory_transaction
    where warehouse_product_id = ${stock} and type = 1 and quantity < 0`)
  assert.ok(n < 15, `they took ${n} transactions`)
})

test('an attribute that only a refused adjustment names is not created', async () => {
  const { requestOf } = await scene(0)
  const [fine, refused] = [
    requestOf([{ at: 0, what: 0, quantity: 1 }]),
    requestOf([
      { at: 0, what: 0, quantity: 1 },
      { at: 0, what: 0, quantity: 4 },
    ]),
  ]
  const [first] = refused.body.adjustments
  const attributes = [{ name: 'Never' }]
  const found = { partnerProductId: world.products.APPLE, warehouseId, warehouseLocationId: locations.A1 }
  refused.body.adjustments.push({ ...found, quantity: 1, attributes }, { ...first, quantity: -9 })
  const { decided } = await decideTogether(database, adjustKind, [fine, refused], textOf)
  assert.match(decided[1]?.[1] ?? '', /nothing is left/)
  const created = await database.db.rows(sql`select id from product_attribute where name = 'Never'`)
  assert.deepEqual(created, [])
})
