// Goods that are received at the same time, in shared transactions. Spec 2.14.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { receiveKind } from '../../src/floor/receiving/receive-kind.ts'
import { sql } from '../../src/platform/database/db.ts'
import { carryOutTogether } from '../../src/stock/commands/carry-out.ts'
import { passDoor } from '../../src/stock/commands/door.ts'
import { lockStock } from '../../src/stock/ledger/stock-lock.ts'
import { goods, openInwards } from '../support/given-inwards.ts'
import fc from '../support/properties.ts'
import { commandRequest, decideApart, decideTogether } from '../support/together.ts'

const world = await openInwards()
const { admin, database, announce, linesOf, product, eventTypesOf, warehouseId, receive, read } = world
const { organisationId } = admin.actor

type Request = Parameters<typeof receiveKind.weigh>[0]
type Receipt = NonNullable<Request['body']['receipts']>[number]

let last = 0
/** Two consignments of new products: 6 of one, 4 of another that stands on a unit, and serials. */
async function scene() {
  const code = `T${++last}`
  const [plain, other] = [await product(code, { weightKG: 2 }), await product(`${code}-B`)]
  const serial = await product(`${code}-S`, { serialTrackingMode: 2 })
  const lines = [
    goods(code, 6, { batch: 'B1' }),
    goods(`${code}-B`, 4, { logisticUnitReferenceNumber: `U-${code}` }),
    goods(`${code}-S`, 3),
  ]
  const ids = [await announce(lines), await announce(lines)]
  const lineIds = await Promise.all(ids.map(linesOf))
  const receiptOf = ({ at, what, quantity }: Wanted): Receipt => {
    const consignmentProductId = lineIds[at]?.[what % 3] as string
    const receipts: Receipt[] = [
      { consignmentProductId, quantity },
      { consignmentProductId, quantity, hold: quantity > 2 ? { kind: 2, reason: 'Wet' } : null },
      { consignmentProductId, serials: Array.from({ length: quantity }, (_, n) => `S${quantity + n}`) },
      { partnerProductId: quantity > 2 ? other : plain, quantity, locationName: 'A-02' },
      { consignmentProductId, quantity, logisticUnit: { referenceNumber: `V-${code}`, isNew: true } },
      { partnerProductId: serial, quantity },
      { consignmentProductId, quantity, batch: `B${quantity}`, attributes: [{ name: 'Colour' }] },
    ]
    return receipts[what] as Receipt
  }
  const requestOf = ([at, all, wanted]: readonly [number, boolean, Wanted[]]): Request =>
    commandRequest(
      admin.actor,
      { consignmentId: ids[at] as string },
      all ? { all: true } : { receipts: wanted.map(receiptOf) },
    )
  const known = [...ids, ...lineIds.flat(), plain, other, serial]
  const named = (text: string) =>
    known
      .reduce((rest, id, n) => rest.replaceAll(id, `#${n}`), text)
      .replaceAll(code, 'P')
      .replaceAll(/LU-\d+/g, 'LU')
      .replaceAll(/[0-9a-f-]{36}/g, 'NEW')
      .replaceAll(/SSL-\d+-IN/g, 'SSL')
  const state = () =>
    database.db.rows(sql`
      select d.code = ${code} as is_plain, d.code = ${`${code}-B`} as is_other, l.name, p.batch,
        u.logistic_unit_number is not null as is_on_unit, h.reason, p.on_hand_quantity, p.on_hand_weight_kg,
        p.version, (select count(*)::integer from warehouse_product_item i
          where i.warehouse_product_id = p.id) as serials
      from warehouse_product p join product d on d.id = p.product_id
      join warehouse_location l on l.id = p.warehouse_location_id
      left join logistic_unit u on u.id = p.logistic_unit_id
      left join inventory_hold h on h.id = p.inventory_hold_id
      where p.product_id = any(${[plain, other, serial]})
      order by 1, 2, 3, 4, 5, 6, 7, 8`)
  const events = async () => [await eventTypesOf(ids[0] as string), await eventTypesOf(ids[1] as string)]
  return { requestOf, named, state, events, ids, lineIds }
}

interface Wanted {
  at: number
  what: number
  quantity: number
}

const textOf = ({ consignmentProducts }: { consignmentProducts: object[] }) =>
  JSON.stringify(consignmentProducts.map(line => ({ ...line, warehouseProductIds: undefined })))

test('goods received in shared transactions are there as if received one after another', async () => {
  const at = fc.nat(1)
  const wantedOf = fc.record({ at, what: fc.nat(6), quantity: fc.integer({ min: 1, max: 4 }) })
  const requests = fc.tuple(at, fc.nat(7), fc.array(wantedOf, { minLength: 1, maxLength: 3 }))
  let shared = 0
  await fc.assert(
    fc.asyncProperty(fc.array(requests, { minLength: 2, maxLength: 8 }), async all => {
      const [apart, joint] = [await scene(), await scene()]
      const wanted = all.map(([at, dice, entries]) => [at, dice === 0, entries] as const)
      const plain = joint.named
      const { decided, transactions } = await decideTogether(
        database,
        receiveKind,
        wanted.map(joint.requestOf),
        textOf,
      )
      const order = decided.map(([n]) => n)
      const one = await decideApart(database, receiveKind, wanted.map(apart.requestOf), order, textOf)
      assert.deepEqual(
        decided.map(([n, text]) => [n, plain(text)]),
        one.map(([n, text]) => [n, apart.named(text)]),
      )
      assert.deepEqual(await joint.state(), await apart.state())
      assert.deepEqual(await joint.events(), await apart.events())
      shared += all.length - transactions
    }),
    // A scene takes long to make, so a failure is told as it was found.
    { numRuns: 15, endOnFailure: true },
  )
  assert.ok(shared > 0, 'nothing shared a transaction')
})

test('a bad receipt never fails its neighbours, and each counts what came before it', async () => {
  const { ids, lineIds } = await scene()
  const [id, line] = [ids[0] as string, lineIds[0]?.[0] as string]
  const pending = await announce([goods('APPLE', 1)], {}, null)
  const receipts = (quantity: number) => ({ receipts: [{ consignmentProductId: line, quantity }] })
  let sent: Promise<Awaited<ReturnType<typeof receive>>[]> | undefined
  await database.atomically(async tx => {
    const { productId } = await tx.row<{ productId: string }>(
      sql`select product_id from consignment_product where id = ${line}`,
    )
    await lockStock(tx, organisationId, [{ warehouseId, productId }])
    sent = Promise.all([
      receive(id, receipts(1)),
      receive(id, receipts(2)),
      receive(pending, receipts(2)),
      receive(ids[1] as string, receipts(2)),
      receive(id, { receipts: [{ consignmentProductId: line, quantity: 1, locationName: 'Nowhere' }] }),
      receive(id, receipts(3)),
    ])
    for (;;) {
      const { n } = await database.db.row<{ n: number }>(
        sql`select count(*)::integer as n from pg_locks where not granted and locktype = 'advisory'`,
      )
      if (n > 0) break
    }
  })
  const answers = (await sent) ?? []
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200, 400, 400, 400, 200],
  )
  const received = answers.filter(({ status }) => status === 200).map(({ body }) => body.consignmentProducts)
  assert.deepEqual(received.map(([one]) => one.receivedQuantity).toSorted(), [1, 3, 6])
  assert.deepEqual(await eventTypesOf(id), [112, 108, 108, 108])
  assert.equal((await read(id)).products[0].receivedQuantity, 6)
  const { n } = await database.db.row<{ n: number }>(sql`
    select count(distinct xmin::text)::integer as n from inventory_transaction where consignment_id = ${id}`)
  assert.ok(n < 3, `they took ${n} transactions`)
})

test('where the batch fails by a constraint, each is received or refused by itself', async () => {
  const { requestOf, ids } = await scene()
  const fine = [0, 1].map(at => requestOf([at, false, [{ at, what: 0, quantity: 2 }]]))
  let shared = 0
  const failing: typeof receiveKind = {
    ...receiveKind,
    async write(tx, locked, found, plans) {
      const answers = await receiveKind.write(tx, locked, found, plans)
      if (plans.length === 1) return answers
      shared++
      await tx.run(sql`update consignment set consignment_number = null where id = ${ids[0]}`)
      return answers
    },
  }
  const signal = new AbortController().signal
  const outcomes = await Promise.all(
    fine.map(request =>
      passDoor('a warehouse', {
        ...{ database, request, kind: failing, signal },
        alone: async tx => {
          const [outcome] = await carryOutTogether(tx, receiveKind, [request])
          assert.ok(typeof outcome === 'object' && 'answer' in outcome)
          return { answer: outcome.answer, isReplayed: false }
        },
      }),
    ),
  )
  assert.equal(shared, 1)
  assert.deepEqual(
    outcomes.map(({ answer }) => answer.consignmentProducts[0]?.receivedQuantity),
    [2, 2],
  )
})

test('a serial that a receipt of the transaction brings is refused to the next by the transaction after', async () => {
  const { requestOf, named } = await scene()
  const requests = [0, 1].map(at => requestOf([at, false, [{ at, what: 2, quantity: 1 }]]))
  const { decided, transactions } = await decideTogether(database, receiveKind, requests, textOf)
  assert.equal(transactions, 2)
  assert.match(named(decided[1]?.[1] ?? ''), /the serial S1 of P-S is in stock already/)
})
