// Allocations that are requested at the same time. Decision 4.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../src/platform/database/db.ts'
import { newId } from '../../src/platform/new-id.ts'
import { openAllocation } from '../support/given-allocation.ts'
import type { ApiResponse } from '../support/harness.ts'

const world = await openAllocation()
const { admin, database, organisationId, stored, ready, readyAll, fresh, allocationsOf, events, row, as } =
  world

const allocate = (id: string, body?: object, by = admin) => by.post(`/v1/consignments/${id}/allocate`, body)
const statuses = (answers: ApiResponse[]) => answers.map(({ status }) => status)
/** How many transactions have written allocations of a row. */
const transactions = async (stock: string) =>
  (
    await database.db.row<{ n: number }>(sql`select count(distinct xmin::text)::integer as n
      from inventory_transaction where warehouse_product_id = ${stock} and type = 0`)
  ).n

test('with 64 callers on one product none has to retry, the sum is exact, and rotation follows the commit order', async () => {
  const of = await fresh({ rotationMethod: 2 })
  const rows = [
    await stored(20, { ...of, expiryDate: '2030-01-01' }),
    await stored(20, { ...of, expiryDate: '2030-01-02' }),
    await stored(10, { ...of, expiryDate: '2030-01-03' }),
  ]
  const ids = await readyAll(Array.from({ length: 64 }, () => ({ lines: [{ ...of, quantity: 1 }] })))
  const answers = await Promise.all(ids.map(id => allocate(id)))
  assert.deepEqual(new Set(statuses(answers)), new Set([200]))
  const short = answers.filter(({ body }) => body.lines[0].short === 1)
  assert.equal(short.length, 14)
  assert.deepEqual(await Promise.all(rows.map(async id => (await row(id)).allocatedQuantity)), [20, 20, 10])
  assert.ok((await transactions(rows[0] as string)) < 10, 'they were not batched')
  // Ledger lines are written in commit order, because all of them hold one lock: no row before the one that
  // goes first is empty.
  const taken = await database.db.rows<{ stock: string }>(sql`
    select warehouse_product_id as stock from inventory_transaction
    where organisation_id = ${organisationId} and type = 0 and warehouse_product_id = any(${rows})
    order by recorded_utc, warehouse_product_id, version`)
  assert.deepEqual(
    taken.map(({ stock }) => rows.indexOf(stock)),
    Array.from({ length: 50 }, (_, n) => Math.floor(n / 20)),
  )
  for (const [i, id] of ids.entries())
    assert.deepEqual(await events(id), short.includes(answers[i] as ApiResponse) ? [] : [108])
})

test('each request gets its own response, whatever the outcome of the others', async () => {
  const of = await fresh()
  await stored(10, of)
  const lines = [{ ...of, quantity: 1 }]
  const [first, second] = [await ready(lines), await ready(lines)]
  const pending = await ready(lines, { status: 1 })
  const answers = await Promise.all([
    allocate(first),
    allocate(pending),
    allocate(newId()),
    allocate(second),
    allocate(second),
  ])
  assert.deepEqual(statuses(answers), [200, 400, 404, 200, 200])
  assert.deepEqual(
    answers.slice(3).map(({ body }) => body.movementId === null),
    [false, true],
  )
  assert.deepEqual(await allocationsOf(pending), [])
})

test('an operation sent many times at once takes effect once, and gets the same response every time', async () => {
  const of = await fresh()
  const stock = await stored(10, of)
  const ids = await readyAll(Array.from({ length: 4 }, () => ({ lines: [{ ...of, quantity: 2 }] })))
  const operations = ids.map(id => ({ id, operationId: newId() }))
  const sent = [...operations, ...operations, ...operations]
  const answers = await Promise.all(sent.map(({ id, operationId }) => allocate(id, { operationId })))
  assert.deepEqual(new Set(statuses(answers)), new Set([200]))
  for (const [i, { id }] of operations.entries()) {
    const same = answers.filter((_, k) => k % 4 === i)
    for (const { body } of same) assert.deepEqual(body, same[0]?.body)
    assert.equal(same.filter(({ headers }) => headers['idempotent-replayed'] === 'true').length, 2)
    assert.equal((await allocationsOf(id)).length, 1)
  }
  assert.equal((await row(stock)).allocatedQuantity, 8)
  const again = await allocate(ids[0] as string, { operationId: operations[1]?.operationId })
  assert.equal(again.status, 409)
})

test('an operation that was done before gets its earlier response, among new ones', async () => {
  const of = await fresh()
  await stored(10, of)
  const ids = await readyAll(Array.from({ length: 6 }, () => ({ lines: [{ ...of, quantity: 1 }] })))
  const [first = '', ...others] = ids
  const operationId = newId()
  const before = await allocate(first, { operationId })
  assert.equal((await admin.post(`/v1/consignments/${first}/release`)).status, 200)
  const [again] = await Promise.all([
    allocate(first, { operationId }),
    ...others.map(id => allocate(id, { operationId: newId() })),
  ])
  assert.equal(again?.headers['idempotent-replayed'], 'true')
  assert.deepEqual(again?.body, before.body)
  assert.deepEqual(await allocationsOf(first), [])
})

test('a refused operation is not remembered, so it can be sent again', async () => {
  const of = await fresh()
  await stored(10, of)
  const pending = await ready([{ ...of, quantity: 1 }], { status: 1 })
  const good = await ready([{ ...of, quantity: 1 }])
  const operationId = newId()
  const [refused] = await Promise.all([allocate(pending, { operationId }), allocate(good)])
  assert.equal(refused?.status, 400)
  await database.atomically(tx => tx.run(sql`update consignment set status = 2 where id = ${pending}`))
  assert.equal((await allocate(pending, { operationId })).status, 200)
  assert.equal((await allocationsOf(pending)).length, 1)
})

test('a request for a locked consignment waits alone, and does not hold up the others', async () => {
  const of = await fresh()
  await stored(10, of)
  const lines = [{ ...of, quantity: 1 }]
  const [busy, first, second] = [await ready(lines), await ready(lines), await ready(lines)]
  let done = false
  const release = await new Promise<() => void>(resolve => {
    void database.atomically(async tx => {
      await tx.rows(sql`select from consignment where id = ${busy} for update`)
      await new Promise<void>(release => resolve(release))
    })
  })
  const waiting = allocate(busy).then(answer => {
    done = true
    return answer
  })
  const others = await Promise.all([allocate(first), allocate(second)])
  assert.deepEqual(statuses(others), [200, 200])
  assert.equal(done, false)
  release()
  assert.equal((await waiting).status, 200)
})

test("each caller's allocations are recorded under its own name", async () => {
  const of = await fresh()
  const stock = await stored(10, of)
  const other = as(admin, { scopes: ['inventory'] })
  const ids = await readyAll(Array.from({ length: 6 }, () => ({ lines: [{ ...of, quantity: 1 }] })))
  const answers = await Promise.all(ids.map((id, i) => allocate(id, undefined, i % 2 ? other : admin)))
  const written = await database.db.rows<{ consignmentId: string; requestId: string }>(sql`
    select consignment_id, request_id from inventory_transaction
    where organisation_id = ${organisationId} and warehouse_product_id = ${stock} and type = 0`)
  const requests = new Map(written.map(({ consignmentId, requestId }) => [consignmentId, requestId]))
  assert.deepEqual(
    ids.map(id => requests.get(id)),
    answers.map(({ headers }) => headers['x-request-id']),
  )
  const told = await database.db.rows<{ subjectId: string; requestId: string }>(sql`
    select subject_id, request_id from event where subject_id = any(${ids}) and type = 108`)
  for (const { subjectId, requestId } of told) assert.equal(requestId, requests.get(subjectId))
  assert.equal(told.length, 6)
})
