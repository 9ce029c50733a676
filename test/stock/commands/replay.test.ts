// Commands that devices replay after they were offline. Spec 2.14.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../../src/platform/database/db.ts'
import { newId } from '../../../src/platform/new-id.ts'
import { deleteOldOperations } from '../../../src/stock/commands/delete-old-operations.ts'
import { openStock } from '../../support/given-stock.ts'

const world = await openStock()
const { admin, database, products, warehouseId, row, stored, clientId } = world

const replay = async (operations: object[], by = admin) => {
  const { status, body } = await by.post('/v1/inventory/replay', { operations })
  assert.equal(status, 200, JSON.stringify(body))
  // biome-ignore lint/suspicious/noExplicitAny: a test names the fields
  return body.operations as { operationId: string; status: number; isReplayed: boolean; body: any }[]
}
const adjustment = (batch: string, quantity: number) => ({
  reason: 'Offline',
  adjustments: [{ partnerProductId: products.APPLE, warehouseId, locationName: 'A-01', batch, quantity }],
})
const transferOf = (batch: string, quantity: number) => ({
  transfers: [
    {
      stock: { partnerProductId: products.APPLE, batch, locationName: 'A-01' },
      quantity,
      toLocationName: 'A-02',
    },
  ],
})
const operation = (path: string, body: object, more: object = {}) => ({
  operationId: newId(),
  path,
  body,
  ...more,
})

test('operations take effect once, even if they are sent twice, in pieces and concurrently', async () => {
  const day = [
    operation('/v1/inventory/adjust', adjustment('DAY', 10)),
    operation('/v1/inventory/transfer', transferOf('DAY', 3)),
    operation('/v1/inventory/transfer', transferOf('DAY', 4)),
  ]
  const [first, second] = await Promise.all([replay(day), replay(day)])
  assert.deepEqual(
    first?.map(({ status }) => status),
    [200, 200, 200],
  )
  assert.deepEqual(
    first?.map(({ body }) => body),
    second?.map(({ body }) => body),
  )
  const again = await replay(day.slice(1))
  assert.deepEqual(
    again.map(({ isReplayed }) => isReplayed),
    [true, true],
  )
  const direct = await admin.post('/v1/inventory/transfer', {
    ...day[1]?.body,
    operationId: day[1]?.operationId,
  })
  assert.equal(direct.headers['idempotent-replayed'], 'true')
  const rows = await database.db.rows(sql`select on_hand_quantity as n from warehouse_product
    where batch = 'DAY' order by n`)
  assert.deepEqual(rows, [{ n: 3 }, { n: 7 }])
})

test('after a refusal the other operations still run, except those that depend on it', async () => {
  const refused = operation('/v1/inventory/transfer', transferOf('NONE', 1))
  const dependent = operation('/v1/inventory/adjust', adjustment('DEPENDENT', 1), {
    dependsOn: [refused.operationId],
  })
  const next = operation('/v1/inventory/adjust', adjustment('NEXT', 1), {
    dependsOn: [dependent.operationId],
  })
  const free = operation('/v1/inventory/adjust', adjustment('FREE', 1))
  const outcomes = await replay([refused, dependent, next, free])
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    [400, 424, 424, 200],
  )
  assert.deepEqual(outcomes[0]?.body.ErrorMessages, [
    'transfers[0]: nothing on hand is like the stock that is described.',
  ])
  const [{ code, message } = {}] = outcomes[1]?.body.ErrorDetails ?? []
  assert.deepEqual(
    [code, message],
    [
      'precondition',
      `This was not tried, because operation ${refused.operationId}, which has to come first, was not done. ` +
        'Put that right, then send both again.',
    ],
  )
  await stored(5, { batch: 'NONE' })
  assert.deepEqual(
    (await replay([refused, dependent, next])).map(({ status }) => status),
    [200, 200, 200],
  )
  assert.deepEqual(
    (await replay([{ ...free, operationId: newId(), dependsOn: [next.operationId] }])).map(
      ({ status }) => status,
    ),
    [200],
  )
})

test('an operation is checked like a request of its own', async () => {
  const id = await stored(5, { batch: 'CHECKED' })
  const outcomes = await replay([
    operation('/v1/inventory/transfer', { transfers: [] }),
    operation('/v1/partners', { name: 'Rimu', code: 'RIMU', relationship: 1 }),
    operation('/v1/inventory/holds/none/release', {}),
    operation('/v1/inventory/holds', { kind: 1, reason: 'x', stock: [{ warehouseProductId: id }] }),
  ])
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    [400, 404, 400, 201],
  )
  const reader = world.as(admin, { scopes: ['job'] })
  const [refused] = await replay([operation('/v1/inventory/transfer', transferOf('CHECKED', 1))], reader)
  assert.equal(refused?.status, 403)
  const client = world.as(admin, { partnerId: clientId })
  assert.equal(
    (await client.post('/v1/inventory/replay', { operations: [operation('/v1/inventory/transfer', {})] }))
      .status,
    403,
  )
  assert.equal(
    (await admin.post('/v1/inventory/replay', { operations: [{ path: '/v1/inventory/transfer' }] })).status,
    400,
  )
  assert.equal((await row(id)).onHandQuantity, 0)
})

test('a field that means nothing to its command is told with the operation, and nothing else is', async () => {
  const id = await stored(2, { batch: 'IGNORED' })
  const transfer = transferOf('IGNORED', 1)
  const answer = await admin.post('/v1/inventory/replay', {
    operations: [
      operation('/v1/inventory/transfer', transfer),
      operation('/v1/inventory/transfer', { ...transfer, colour: 'red' }),
      operation('/v1/inventory/transfer', { transfers: [], colour: 'red' }),
    ],
  })
  assert.equal(answer.headers['ignored-fields'], undefined)
  assert.deepEqual(
    answer.body.operations.map((one: { status: number; ignoredFields: string[] }) => [
      one.status,
      one.ignoredFields,
    ]),
    [
      [200, []],
      [200, ['colour']],
      [400, ['colour']],
    ],
  )
  assert.equal((await row(id)).onHandQuantity, 0)
})

test('operations are deleted after 90 days, and not before', async () => {
  const count = () => database.db.row<{ n: number }>(sql`select count(*) as n from inventory_operation`)
  const before = (await count()).n
  await database.inOneStatement(tx =>
    tx.run(sql`update inventory_operation set recorded_utc = now() - interval '91 days'
      where operation_id = (select min(operation_id::text)::uuid from inventory_operation)`),
  )
  await database.inOneStatement(tx =>
    tx.run(sql`update inventory_operation set recorded_utc = now() - interval '89 days'
      where operation_id = (select max(operation_id::text)::uuid from inventory_operation)`),
  )
  assert.equal(await deleteOldOperations(database), 1)
  assert.equal((await count()).n, before - 1)
})
