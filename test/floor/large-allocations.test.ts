// Allocations of more lines than one transaction takes, so that others do not wait long for the stock.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../src/platform/database/db.ts'
import { newId } from '../../src/platform/new-id.ts'
import { openWaves } from '../support/given-waves.ts'
import { untilServed } from '../support/until-served.ts'

const world = await openWaves()
const { admin, database, stored, fresh, readyAll, wave, move } = world
const lineCount = 900

/** The number of lines that each transaction allocated stock of a product to, largest first. */
const linesPerTransaction = async (productId: string) =>
  (
    await database.db.rows<{ count: number }>(sql`
      select count(*) as count from inventory_transaction t join warehouse_product p
        on p.organisation_id = t.organisation_id and p.id = t.warehouse_product_id
      where p.product_id = ${productId} and t.type = 0 group by t.xmin order by 1 desc`)
  ).map(({ count }) => count)
/** The quantity that is allocated to each consignment. */
const allocatedQuantities = async (ids: readonly string[]) =>
  Promise.all(
    ids.map(async id => {
      const { sum } = await database.db.row<{ sum: number }>(sql`
        select sum(allocated_quantity) as sum from consignment_product where consignment_id = ${id}`)
      return sum
    }),
  )
const manyLines = (of: object) => Array.from({ length: lineCount }, () => ({ ...of, quantity: 1 }))

test('the lines of many consignments are allocated 2,000 at a time, in their order and once', async () => {
  const of = await fresh()
  await stored(3 * lineCount - 100, of)
  const ids = await readyAll([{ lines: manyLines(of) }, { lines: manyLines(of) }, { lines: manyLines(of) }])
  await database.inOneStatement(tx => tx.run(sql`update consignment set priority = 4 where id = ${ids[2]}`))
  const body = { consignmentIds: ids, operationId: newId() }
  const { status, body: answer } = await admin.post('/v1/inventory/allocate', body)
  assert.equal(status, 200, JSON.stringify(answer))
  assert.deepEqual(await allocatedQuantities(ids), [lineCount, lineCount - 100, lineCount])
  assert.deepEqual(await linesPerTransaction(of.productId), [2_000, 3 * lineCount - 100 - 2_000])
  const told = answer.consignments as { movementId: string; lines: { short: number }[] }[]
  assert.deepEqual(
    told.map(({ lines }) => lines.filter(({ short }) => short > 0).length),
    [0, 100, 0],
  )
  assert.equal(new Set(told.map(({ movementId }) => movementId)).size, 3)
  await stored(100, of)
  const again = await admin.post('/v1/inventory/allocate', body)
  assert.equal(again.headers['idempotent-replayed'], 'true')
  assert.deepEqual(again.body, answer)
  assert.deepEqual(await allocatedQuantities(ids), [lineCount, lineCount - 100, lineCount])
  const twice = await admin.post('/v1/inventory/allocate', { consignmentIds: [...ids, ids[0]] })
  assert.equal(twice.status, 400)
})

test('a wave of many lines becomes ready in parts, and its first positions are served first', async () => {
  const of = await fresh()
  await stored(3 * lineCount - 100, of)
  const { jobId, ids } = await wave([manyLines(of), manyLines(of), manyLines(of)])
  assert.equal((await move(jobId, 2)).status, 200)
  assert.deepEqual(await allocatedQuantities(ids), [lineCount, lineCount, lineCount - 100])
  assert.deepEqual(await linesPerTransaction(of.productId), [2 * lineCount, lineCount - 100])
  assert.equal((await move(jobId, 2)).status, 304)
})

test('requests that are batched together keep the limit of lines in one transaction', async () => {
  const of = await fresh()
  await stored(6 * lineCount, of)
  const ids = await readyAll(Array.from({ length: 6 }, () => ({ lines: manyLines(of) })))
  const answers = await Promise.all(
    ids.map(id => untilServed(() => admin.post(`/v1/consignments/${id}/allocate`))),
  )
  assert.deepEqual(
    answers.map(({ status }) => status),
    ids.map(() => 200),
  )
  assert.deepEqual(
    await allocatedQuantities(ids),
    ids.map(() => lineCount),
  )
  const [most = 0] = await linesPerTransaction(of.productId)
  assert.ok(most <= 2_000, `${most} lines in one transaction`)
})
