// Transfers that arrive at the same time and share a transaction. Spec 2.14.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../../src/platform/database/db.ts'
import { Refusal } from '../../../src/platform/http/refusal.ts'
import { newId } from '../../../src/platform/new-id.ts'
import { carryOutAlone, carryOutTogether } from '../../../src/stock/commands/carry-out.ts'
import { transferKind } from '../../../src/stock/commands/transfer.ts'
import { openAllocation } from '../../support/given-allocation.ts'
import fc from '../../support/properties.ts'
import { commandRequest } from '../../support/together.ts'

const world = await openAllocation()
const { admin, database, organisationId, stored, fresh, ready, allocated, locations, row } = world

type Request = Parameters<typeof transferKind.weigh>[0]
type Wanted = readonly { at: number; to: number; quantity: number }[]

const places = [locations.A2, locations.B1, locations.DOCK, locations.Q1, newId()]

/** Two rows of a new product, part of them allocated, and requests to move them as numbers say. */
async function scene(allocatedQuantity: number) {
  const of = await fresh()
  const rows = [
    await stored(6, { ...of, expiryDate: '2030-01-01' }),
    await stored(4, { ...of, expiryDate: '2030-01-02' }),
  ]
  if (allocatedQuantity > 0) await allocated(await ready([{ ...of, quantity: allocatedQuantity }]))
  const requestOf = (wanted: Wanted): Request => {
    const requestId = newId()
    const { connectionId, userId } = admin.actor
    return {
      ...{ actor: admin.actor, requestId, occurredUtc: null, params: {} },
      ...{ source: { connectionId, userId, requestId }, operation: { operationId: null, request: null } },
      body: {
        transfers: wanted.map(({ at, to, quantity }) => ({
          warehouseProductId: rows[at % rows.length] as string,
          toWarehouseLocationId: places[to % places.length] as string,
          quantity: quantity === 0 ? null : quantity,
        })),
      },
    }
  }
  const plain = (text: string) => text.replaceAll(of.productCode, 'P').replaceAll(/[A-Z]+-\d+-OUT/g, 'SSL')
  const state = () =>
    database.db.rows(sql`
      select l.name, p.expiry_date, p.on_hand_quantity, p.allocated_quantity, p.version
      from warehouse_product p join warehouse_location l on l.id = p.warehouse_location_id
      where p.organisation_id = ${organisationId} and p.product_id = ${of.productId} order by 1, 2`)
  return { requestOf, plain, state }
}

const textOf = ({ transfers }: { transfers: { quantity: number; warehouseLocationId: string }[] }) =>
  JSON.stringify(transfers.map(({ quantity, warehouseLocationId }) => [quantity, warehouseLocationId]))

test('transfers that share a transaction leave what they leave one after another', async () => {
  const wantedOf = fc.record({ at: fc.nat(1), to: fc.nat(4), quantity: fc.nat(4) })
  await fc.assert(
    fc.asyncProperty(
      fc.nat(4),
      fc.array(fc.array(wantedOf, { minLength: 1, maxLength: 2 }), { minLength: 2, maxLength: 7 }),
      async (allocatedQuantity, all) => {
        const [apart, joint] = [await scene(allocatedQuantity), await scene(allocatedQuantity)]
        const outcomes: string[] = []
        for (const wanted of all) {
          const request = apart.requestOf(wanted)
          const outcome = database
            .atomically(tx => carryOutAlone(tx, transferKind, request))
            .then(({ answer }) => textOf(answer))
            .catch((error: unknown) => {
              if (error instanceof Refusal) return apart.plain(error.message)
              throw error
            })
          outcomes.push(await outcome)
        }
        const requests = all.map(joint.requestOf)
        const together = await database.atomically(tx => carryOutTogether(tx, transferKind, requests))
        assert.deepEqual(
          together.map(outcome => {
            assert.ok(typeof outcome === 'object', String(outcome))
            return 'refusal' in outcome ? joint.plain(outcome.refusal.message) : textOf(outcome.answer)
          }),
          outcomes,
        )
        assert.deepEqual(await joint.state(), await apart.state())
      },
    ),
    { numRuns: 12 },
  )
})

test('of many transfers of one row at once, as many succeed as there are goods', async () => {
  const of = await fresh()
  const stock = await stored(30, of)
  const answers = await Promise.all(
    Array.from({ length: 50 }, () =>
      admin.post('/v1/inventory/transfer', {
        transfers: [{ warehouseProductId: stock, quantity: 1, toLocationName: 'A-02' }],
      }),
    ),
  )
  const statuses = answers.map(({ status }) => status)
  assert.equal(statuses.filter(status => status === 200).length, 30)
  assert.equal(statuses.filter(status => status === 400).length, 20)
  assert.equal((await row(stock)).onHandQuantity, 0)
  const { n } = await database.db.row<{ n: number }>(sql`
    select count(distinct xmin::text)::integer as n from inventory_transaction
    where warehouse_product_id = ${stock} and type = 2`)
  assert.ok(n < 15, `they took ${n} transactions`)
})

test('goods that come into a row are moved on by the next transaction', async () => {
  const of = await fresh()
  const [there, here] = [await stored(2, { ...of, warehouseLocationId: locations.A2 }), await stored(3, of)]
  const move = (id: string, to: string, quantity?: number): Request => ({
    ...{ actor: admin.actor, requestId: 'test', occurredUtc: null, params: {} },
    ...{ source: { ...admin.actor, requestId: 'test' }, operation: { operationId: null, request: null } },
    body: {
      transfers: [{ warehouseProductId: id, toWarehouseLocationId: to, quantity: quantity ?? null }],
    },
  })
  const requests = [move(here, locations.A2, 1), move(there, locations.B1, 3), move(here, locations.B1)]
  const outcomes = await database.atomically(tx => carryOutTogether(tx, transferKind, requests))
  assert.deepEqual(
    outcomes.map(outcome => (typeof outcome === 'string' ? outcome : Object.keys(outcome)[0])),
    ['answer', 'later', 'answer'],
  )
  const timed = { ...move(here, locations.B1), occurredUtc: '2026-11-01T00:00:00.000Z' }
  await stored(4, of)
  const again = await database.atomically(tx =>
    carryOutTogether(tx, transferKind, [move(here, locations.B1, 1), timed]),
  )
  assert.equal(again[1], 'later')
})

test('stock that is described is moved beside others, and matched anew after goods of its product moved', async () => {
  const [one, two] = [await fresh(), await fresh()]
  await stored(3, { ...one, batch: 'A' })
  await stored(3, { ...two, batch: 'A' })
  const move = (partnerProductId: string, to: string, quantity?: number): Request =>
    commandRequest(
      admin.actor,
      {},
      {
        transfers: [
          {
            stock: { partnerProductId, batch: 'A' },
            ...{ toWarehouseLocationId: to, quantity: quantity ?? null },
          },
        ],
      },
    )
  const requests = [
    move(one.productId, locations.A2),
    move(two.productId, locations.B1, 1),
    move(two.productId, locations.A2),
  ]
  const outcomes = await database.atomically(tx => carryOutTogether(tx, transferKind, requests))
  assert.deepEqual(
    outcomes.map(outcome => (typeof outcome === 'string' ? outcome : Object.keys(outcome)[0])),
    ['answer', 'answer', 'later'],
  )
  // The goods are in two places now, so the description tells no longer which are meant.
  const [last] = await database.atomically(tx => carryOutTogether(tx, transferKind, requests.slice(2)))
  assert.ok(typeof last === 'object' && 'refusal' in last)
  assert.match(last.refusal.message, /any of 2 rows/)
})
