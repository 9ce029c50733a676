// Corrections of what goods are that arrive at the same time and share a transaction. Spec 2.14.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../../src/platform/database/db.ts'
import { newId } from '../../../src/platform/new-id.ts'
import { adjustAttributesKind } from '../../../src/stock/commands/adjust-attributes.ts'
import { carryOutTogether } from '../../../src/stock/commands/carry-out.ts'
import { adjustItemAttributesKind } from '../../../src/stock/inventory/items/adjust-attributes.ts'
import { openAllocation } from '../../support/given-allocation.ts'
import fc from '../../support/properties.ts'
import { assertAlike, commandRequest } from '../../support/together.ts'

const { admin, database, product, stored, fresh, ready, allocated } = await openAllocation()

type Request = Parameters<typeof adjustAttributesKind.weigh>[0]
type Correction = Request['body']['adjustments'][number]
interface Wanted {
  at: number
  what: number
  quantity: number
}

/** What rows of products are, with their goods and all that ever happened to them. */
const stateOf = (productIds: readonly string[]) =>
  database.db.rows(sql`
    select p.product_id = ${productIds[0]} as is_first, p.batch, p.sell_by_date, p.attributes <> '[]' as is_shaded,
      p.on_hand_quantity, p.allocated_quantity, p.on_hand_weight_kg,
      array(select i.serial from warehouse_product_item i where i.warehouse_product_id = p.id order by 1) as serials,
      array(select row (t.quantity, t.allocated_quantity, t.weight_kg, t.type, t.cause, t.move_number, t.reason)::text
        from inventory_transaction t where t.warehouse_product_id = p.id order by t.version) as history
    from warehouse_product p where p.product_id = any(${productIds}) order by 1, 2, 3, 4`)

const labelled = (text: string, names: Record<string, string>) =>
  Object.entries(names)
    .reduce((all, [code, name]) => all.replaceAll(new RegExp(`\\b${code}\\b`, 'g'), name), text)
    .replaceAll(/[0-9a-f-]{36}/g, '#')
    .replaceAll(/so say which: .*/g, 'so say which')
    .replaceAll(/[A-Z]+-\d+-OUT/g, 'SSL')

let last = 0
/** Two rows of a new product, one of them of a batch that a consignment asks for, and a row with serials. */
async function scene(allocatedQuantity: number) {
  const of = await fresh()
  const code = `RELABEL${++last}`
  const serial = await product(code, { serialTrackingMode: 2 })
  const newSerials = ['S1', 'S2', 'S3'].map(name => ({ serial: name }))
  const rows = [
    await stored(6, { ...of, batch: 'A' }, { weightKG: 10 }),
    await stored(4, { ...of, batch: 'B' }),
    await stored(3, { productId: serial, batch: 'A' }, { newSerials }),
    newId(),
  ]
  if (allocatedQuantity > 0)
    await allocated(await ready([{ ...of, quantity: allocatedQuantity, batch: 'A' }]))
  const correctionOf = ({ at, what, quantity }: Wanted): Correction => {
    const part = quantity === 0 ? {} : { quantity }
    const isSerial = at === 2 && quantity > 0
    const serials = isSerial ? newSerials.slice(0, quantity).map(one => one.serial) : null
    const stock = { partnerProductId: of.productId, batch: at % 2 === 0 ? 'A' : 'B' }
    const changes = [
      { batch: 'B' },
      { batch: 'A' },
      { sellByDate: '2030-01-01' },
      { attributes: [{ name: 'Shade', description: 'Red' }] },
      {},
    ]
    const row = { warehouseProductId: rows[at] as string, serials }
    return { ...(what % 7 === 6 ? { stock } : row), ...part, ...changes[what % changes.length] }
  }
  const requestOf = (wanted: readonly Wanted[]) =>
    commandRequest(admin.actor, {}, { reason: JSON.stringify(wanted), adjustments: wanted.map(correctionOf) })
  return {
    requestOf,
    named: (text: string) => labelled(text, { [code]: 'S', [of.productCode]: 'P' }),
    state: () => stateOf([serial, of.productId]),
  }
}

test('corrections that share transactions leave what they leave one after another', async () => {
  const wantedOf = fc.record({ at: fc.nat(3), what: fc.nat(13), quantity: fc.nat(3) })
  let shared = 0
  await fc.assert(
    fc.asyncProperty(
      fc.nat(6),
      fc.array(fc.array(wantedOf, { minLength: 1, maxLength: 2 }), { minLength: 2, maxLength: 8 }),
      async (allocatedQuantity, all) => {
        const scenes = [await scene(allocatedQuantity), await scene(allocatedQuantity)] as const
        shared += await assertAlike(database, adjustAttributesKind, all, scenes, ({ adjustments }) =>
          JSON.stringify(adjustments),
        )
      },
    ),
    { numRuns: 15 },
  )
  assert.ok(shared > 0, 'nothing shared a transaction')
})

interface WantedOfItem {
  item: number
  batch: string | null
}

/** Three serials of a new product in a row, and one that is not in stock. */
async function serialScene() {
  const code = `SERIAL${++last}`
  const productId = await product(code, { serialTrackingMode: 2 })
  const serials = ['S1', 'S2', 'S3'].map(serial => ({ serial, id: newId() }))
  const gone = { serial: 'S4', id: newId() }
  await stored(3, { productId, batch: 'A' }, { newSerials: serials })
  const left = await stored(1, { productId, batch: 'Z' }, { newSerials: [gone] })
  const { status } = await admin.post('/v1/inventory/adjust', {
    ...{ reason: 'Lost', adjustments: [{ warehouseProductId: left, quantity: -1, serials: ['S4'] }] },
  })
  assert.equal(status, 200)
  const ids = [...serials.map(({ id }) => id), gone.id, newId()]
  const requestOf = ({ item, batch }: WantedOfItem) =>
    commandRequest(
      admin.actor,
      { warehouseProductItemId: ids[item] as string },
      { reason: `S${item + 1} ${batch}`, batch },
    )
  return {
    requestOf,
    named: (text: string) => labelled(text, { [code]: 'S' }),
    state: () => stateOf([productId]),
  }
}

test('serials that are described anew in shared transactions end as they do one after another', async () => {
  const wantedOf = fc.record({ item: fc.nat(4), batch: fc.constantFrom('A', 'B', 'C', null) })
  let shared = 0
  await fc.assert(
    fc.asyncProperty(fc.array(wantedOf, { minLength: 2, maxLength: 8 }), async all => {
      const scenes = [await serialScene(), await serialScene()] as const
      shared += await assertAlike(database, adjustItemAttributesKind, all, scenes, answer =>
        JSON.stringify([answer.isUnchanged]),
      )
    }),
    { numRuns: 10 },
  )
  assert.ok(shared > 0, 'nothing shared a transaction')
})

test('serials of one row are described anew together, and one that moved is looked up again', async () => {
  const { requestOf } = await serialScene()
  const wanted = [
    { item: 0, batch: 'B' },
    { item: 1, batch: 'B' },
    { item: 0, batch: 'C' },
    { item: 4, batch: 'B' },
  ]
  const outcomes = await database.atomically(tx =>
    carryOutTogether(tx, adjustItemAttributesKind, wanted.map(requestOf)),
  )
  assert.deepEqual(
    outcomes.map(outcome => (typeof outcome === 'string' ? outcome : Object.keys(outcome)[0])),
    ['answer', 'answer', 'later', 'refusal'],
  )
})

test('an attribute that only a refused correction names is not created', async () => {
  const { requestOf } = await scene(0)
  const refused = requestOf([{ at: 3, what: 0, quantity: 1 }])
  const [entry] = refused.body.adjustments
  const body = {
    ...refused.body,
    adjustments: [{ ...entry, attributes: [{ name: 'Never', description: 'x' }] }],
  }
  const requests = [requestOf([{ at: 0, what: 0, quantity: 1 }]), { ...refused, body }]
  const outcomes = await database.atomically(tx => carryOutTogether(tx, adjustAttributesKind, requests))
  assert.equal(outcomes[1], 'alone')
  assert.deepEqual(await database.db.rows(sql`select id from product_attribute where name = 'Never'`), [])
})

test('a bad correction never fails its neighbours, and each is a movement of its own', async () => {
  const [first, second] = [await stored(3, await fresh()), await stored(3, await fresh())]
  const correct = (warehouseProductId: string, quantity: number, batch: string) =>
    admin.post('/v1/inventory/adjust-attributes', {
      ...{ reason: 'Label', adjustments: [{ warehouseProductId, quantity, batch }] },
    })
  const answers = await Promise.all([
    correct(first, 1, 'A'),
    correct(second, 9, 'A'),
    correct(second, 2, 'B'),
    correct(first, 2, 'A'),
  ])
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 400, 200, 200],
  )
  const made = answers.filter(({ status }) => status === 200)
  assert.equal(new Set(made.map(({ body }) => body.movementId)).size, 3)
})
