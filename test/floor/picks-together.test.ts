// Picks that are confirmed at the same time and share a transaction. Spec 2.14.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { pickKind } from '../../src/floor/picking/pick-kind.ts'
import { sql } from '../../src/platform/database/db.ts'
import { Refusal } from '../../src/platform/http/refusal.ts'
import { newId } from '../../src/platform/new-id.ts'
import { carryOutAlone, carryOutTogether } from '../../src/stock/commands/carry-out.ts'
import { passDoor } from '../../src/stock/commands/door.ts'
import { post } from '../../src/stock/ledger/post.ts'
import { type LockedStock, lockStock } from '../../src/stock/ledger/stock-lock.ts'
import { TransactionType } from '../../src/vocabulary/stock.ts'
import { type Line, openAllocation } from '../support/given-allocation.ts'
import fc from '../support/properties.ts'

const world = await openAllocation()
const { admin, database, organisationId, warehouseId, stored, ready, allocated, allocationsOf } = world
const { fresh, events, row } = world

/** A consignment with the available stock allocated to its lines. */
async function consignment(...lines: Line[]) {
  const id = await ready(lines)
  const ids = (await allocated(id)).map(({ consignmentProductId }) => consignmentProductId)
  return { id, line: ids[0] as string, lines: ids }
}

const pick = (id: string, picks: object[], more: object = {}) =>
  admin.post(`/v1/consignments/${id}/pick`, { picks, ...more })
const entry = (consignmentProductId: string, warehouseProductId: string, quantity: number | null = null) => ({
  ...{ consignmentProductId, warehouseProductId, quantity },
})

/** A request to pick, as the command gets it. */
function requestOf(consignmentId: string, picks: ReturnType<typeof entry>[]) {
  const requestId = newId()
  const { connectionId, userId } = admin.actor
  return {
    ...{ actor: admin.actor, requestId, occurredUtc: null, params: { consignmentId }, body: { picks } },
    ...{ source: { connectionId, userId, requestId }, operation: { operationId: null, request: null } },
  }
}

/** Holds the lock of a product while requests are sent, and does something to its stock before they go on. */
async function whileLocked<T>(
  productId: string,
  send: () => Promise<T>,
  act: (locked: LockedStock, tx: Parameters<typeof lockStock>[0]) => Promise<unknown> = async () => {},
): Promise<T> {
  let sent: Promise<T> | undefined
  await database.atomically(async tx => {
    const locked = await lockStock(tx, organisationId, [{ warehouseId, productId }])
    sent = send()
    for (;;) {
      const { n } = await database.db.row<{ n: number }>(
        sql`select count(*)::integer as n from pg_locks where not granted and locktype = 'advisory'`,
      )
      if (n > 0) break
      await pause(5)
    }
    await act(locked, tx)
  })
  return sent as Promise<T>
}

test('picks of one product by many scanners share transactions, each with its own answer and event', async () => {
  const of = await fresh()
  const stock = await stored(40, of)
  const made: Awaited<ReturnType<typeof consignment>>[] = []
  for (let n = 0; n < 20; n++) made.push(await consignment({ ...of, quantity: 2 }))
  const answers = await whileLocked(of.productId, () =>
    Promise.all(made.map(({ id, line }) => pick(id, [entry(line, stock, 2)]))),
  )
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
  assert.equal(new Set(answers.map(({ body }) => body.movementId)).size, 20)
  const written = await database.db.rows<{ requestId: string; n: number }>(sql`
    select request_id, dense_rank() over (order by xmin::text)::integer as n from inventory_transaction
    where warehouse_product_id = ${stock} and type = 5 order by version`)
  assert.deepEqual(
    written.map(({ requestId }) => requestId).toSorted(),
    answers.map(({ headers }) => headers['x-request-id']).toSorted(),
  )
  assert.ok(Math.max(...written.map(({ n }) => n)) < 10, 'they did not share transactions')
  for (const { id } of made) assert.deepEqual(await events(id), [108, 108])
  assert.equal((await row(stock)).onHandQuantity, 0)
})

test('a bad pick never fails its neighbours, and what one takes the next does not get', async () => {
  const of = await fresh()
  const stock = await stored(10, of)
  const [one, two] = [await consignment({ ...of, quantity: 3 }), await consignment({ ...of, quantity: 3 })]
  const pending = await ready([{ ...of, quantity: 1 }], { status: 1 })
  const answers = await whileLocked(of.productId, () =>
    Promise.all([
      pick(one.id, [entry(one.line, stock, 2)]),
      pick(pending, [entry(one.line, stock)]),
      pick(newId(), [entry(one.line, stock)]),
      pick(two.id, [entry(one.line, stock)]),
      pick(two.id, [entry(two.line, stock, 4)]),
      pick(one.id, [entry(one.line, stock, 2)]),
      pick(two.id, [entry(two.line, stock, 3)]),
    ]),
  )
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 400, 404, 400, 400, 400, 200],
  )
  assert.match(answers[5]?.body.ErrorMessages[0], /only 1 of 2 are to be picked/)
  assert.deepEqual(answers[0]?.body.consignmentProducts[0].allocated, 1)
  assert.equal((await row(stock)).onHandQuantity, 5)
  assert.equal((await row(stock)).allocatedQuantity, 1)
})

test('who waits for the stock while another changes it decides on what the other left', async () => {
  const of = await fresh()
  const stock = await stored(4, of)
  const [one, two] = [await consignment({ ...of, quantity: 2 }), await consignment({ ...of, quantity: 2 })]
  const answers = await whileLocked(
    of.productId,
    () =>
      Promise.all([
        pick(one.id, [entry(one.line, stock, 2)]),
        pick(two.id, [entry(two.line, stock, 2)]),
        pick(one.id, [{ ...entry(one.line, stock, 3), isOverride: true }]),
      ]),
    (locked, tx) =>
      post(tx, locked, { connectionId: null, userId: null, requestId: 'test' }, [
        {
          ...{ movementId: newId(), type: TransactionType.Allocation, from: null, to: stock, quantity: 0n },
          allocations: [
            {
              ...{ at: 'to', consignmentId: one.id, consignmentProductId: one.line, isPicked: false },
              quantity: -20_000n,
            },
          ],
        },
        {
          ...{ movementId: newId(), type: TransactionType.Adjustment, from: stock, to: null },
          quantity: 20_000n,
        },
      ]),
  )
  assert.deepEqual(
    answers.map(({ status }) => status),
    [400, 200, 400],
  )
  assert.equal((await row(stock)).onHandQuantity, 0)
})

test('a pick waits for the stock of its own lines alone, not for that of the others of its order', async () => {
  const [own, other] = [await fresh(), await fresh()]
  const stock = await stored(2, own)
  await stored(1, other)
  const one = await consignment({ ...own, quantity: 2 }, { ...other, quantity: 1 })
  const answer = await database.atomically(async tx => {
    await lockStock(tx, organisationId, [{ warehouseId, productId: other.productId }])
    return pick(one.id, [entry(one.line, stock, 2)])
  })
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
})

test('a client that leaves while it waits picks nothing, and its operation can be sent again', async () => {
  const of = await fresh()
  const stock = await stored(9, of)
  const made: Awaited<ReturnType<typeof consignment>>[] = []
  for (let n = 0; n < 3; n++) made.push(await consignment({ ...of, quantity: 3 }))
  const [first, second, third] = made as [(typeof made)[0], (typeof made)[0], (typeof made)[0]]
  const operationId = newId()
  const leaving = new AbortController()
  const request = {
    ...requestOf(second.id, [entry(second.line, stock)]),
    operation: { operationId, request: 0 },
  }
  let leaver: Promise<unknown> | undefined
  await whileLocked(
    of.productId,
    () => pick(first.id, [entry(first.line, stock)]),
    async () => {
      leaver = passDoor(warehouseId, {
        ...{ database, request, kind: pickKind, signal: leaving.signal },
        alone: tx => carryOutAlone(tx, pickKind, request),
      }).catch(({ message }: Error) => message)
      leaving.abort()
    },
  )
  const gone = await leaver
  assert.equal(gone, 'Validation Failed: The client disconnected.')
  const again = await pick(second.id, [entry(second.line, stock)], { operationId })
  const repeated = await pick(second.id, [entry(second.line, stock)], { operationId })
  assert.equal(again.status, 200)
  assert.deepEqual(repeated.body, again.body)
  assert.equal((await pick(third.id, [entry(third.line, stock)])).status, 200)
  assert.equal((await row(stock)).onHandQuantity, 0)
})

test('an operation that many send at once takes effect once', async () => {
  const of = await fresh()
  const stock = await stored(6, of)
  const made = [await consignment({ ...of, quantity: 3 }), await consignment({ ...of, quantity: 3 })]
  const operations = made.map(one => ({ ...one, operationId: newId() }))
  const answers = await Promise.all(
    [...operations, ...operations, ...operations].map(({ id, line, operationId }) =>
      pick(id, [entry(line, stock, 1)], { operationId }),
    ),
  )
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
  assert.equal(answers.filter(({ headers }) => headers['idempotent-replayed'] === 'true').length, 4)
  assert.equal((await row(stock)).onHandQuantity, 4)
})

/** Stock of a new product with consignments that want it, and requests to pick it as numbers say. */
async function scene(lines: readonly number[], quantities: readonly number[]) {
  const of = await fresh()
  const rows: string[] = []
  for (const [n, quantity] of quantities.entries())
    rows.push(await stored(quantity, { ...of, expiryDate: `2030-01-0${n + 1}` }))
  const made: Awaited<ReturnType<typeof consignment>>[] = []
  for (const quantity of lines) made.push(await consignment({ ...of, quantity }))
  const sceneRequest = (picks: readonly (readonly [line: number, row: number, quantity: number])[]) => {
    const ownerOf = (line = 0) => made[line % made.length] as (typeof made)[0]
    return requestOf(
      ownerOf(picks[0]?.[0]).id,
      picks.map(([line, at, quantity]) =>
        entry(ownerOf(line).line, rows[at % rows.length] as string, quantity === 0 ? null : quantity),
      ),
    )
  }
  /** A text without what differs between two scenes. */
  const plain = (text: string) => text.replaceAll(of.productCode, 'P')
  const state = async () => ({
    rows: await database.db.rows<{ place: string; onHand: number; allocated: number; version: number }>(sql`
        select l.name || p.expiry_date as place, p.on_hand_quantity as on_hand,
          p.allocated_quantity as allocated, p.version
        from warehouse_product p join warehouse_location l on l.id = p.warehouse_location_id
        where p.product_id = ${of.productId} order by 1`),
    lines: await Promise.all(
      made.map(async ({ id }) => ({
        allocated: (await allocationsOf(id)).map(({ quantity }) => quantity).toSorted(),
        events: await events(id),
        changes: (
          await database.db.rows<{ changes: { from: object; to: object }[] | null }>(sql`
            select changes from event where subject_id = ${id} and type = 108 order by id`)
        ).map(({ changes }) =>
          (changes ?? []).map(({ from, to }) => [
            { ...from, id: '' },
            { ...to, id: '' },
          ]),
        ),
      })),
    ),
  })
  return { requestOf: sceneRequest, state, plain }
}

type Outcome = string

test('picks that share a transaction leave what they leave one after another', async () => {
  const pickOf = fc.tuple(fc.nat(3), fc.nat(2), fc.nat(4))
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 2, maxLength: 4 }),
      fc.array(fc.integer({ min: 1, max: 8 }), { minLength: 1, maxLength: 3 }),
      fc.array(fc.array(pickOf, { minLength: 1, maxLength: 2 }), { minLength: 2, maxLength: 8 }),
      async (lines, quantities, wanted) => {
        const [apart, joint] = [await scene(lines, quantities), await scene(lines, quantities)]
        const textOf = (answer: Awaited<ReturnType<typeof pickKind.write>>[0]): Outcome =>
          JSON.stringify([
            answer.picks.map(({ quantity }) => quantity),
            answer.consignmentProducts.map(({ consignmentProductId: _, ...figures }) => figures),
          ])
        const outcomes: Outcome[] = []
        for (const picks of wanted) {
          const request = apart.requestOf(picks)
          const outcome = await database
            .atomically(tx => carryOutAlone(tx, pickKind, request))
            .then(({ answer }) => textOf(answer))
            .catch((error: unknown) => {
              if (error instanceof Refusal) return apart.plain(error.message)
              throw error
            })
          outcomes.push(outcome)
        }
        const requests = wanted.map(joint.requestOf)
        const together = await database.atomically(tx => carryOutTogether(tx, pickKind, requests))
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

test('picks of stock that is described share a transaction until goods of its product move', async () => {
  const [plenty, scarce] = [await fresh(), await fresh()]
  await stored(4, { ...plenty, batch: 'A' })
  await stored(2, { ...scarce, batch: 'A' })
  const made = [
    await consignment({ ...plenty, quantity: 2 }),
    await consignment({ ...scarce, quantity: 1 }),
    await consignment({ ...scarce, quantity: 1 }),
  ]
  const requests = made.map(({ id, line }, n) => ({
    ...requestOf(id, []),
    body: {
      picks: [
        {
          ...{ consignmentProductId: line, quantity: 1 },
          stock: { partnerProductId: n === 0 ? plenty.productId : scarce.productId, locationName: 'A-01' },
        },
      ],
    },
  }))
  const outcomes = await database.atomically(tx => carryOutTogether(tx, pickKind, requests))
  assert.deepEqual(
    outcomes.map(outcome => (typeof outcome === 'string' ? outcome : Object.keys(outcome)[0])),
    ['answer', 'answer', 'later'],
  )
  const [last] = await database.atomically(tx => carryOutTogether(tx, pickKind, requests.slice(2)))
  assert.ok(typeof last === 'object' && 'answer' in last, JSON.stringify(last))
})
