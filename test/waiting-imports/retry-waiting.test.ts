import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../src/platform/database/db.ts'
import { retryWaitingImports } from '../../src/waiting-imports/retry-waiting.ts'
import { openImports } from '../support/given-imports.ts'

const given = await openImports()
const { world, drain, read, imported, exists } = given
const { admin, database } = world
const { organisationId } = admin.actor

const isDue = async (id: string) =>
  (
    await database.db.row<{ isDue: boolean }>(
      sql`select due_utc is not null as is_due from consignment_import where id = ${id}`,
    )
  ).isDue
const retry = (code: string) =>
  database.atomically(tx => retryWaitingImports(tx, organisationId, 'serviceType', code))

test('an import that names no warehouse is retried when there is one', async () => {
  const close = { status: 2 }
  assert.equal((await admin.put(`/v1/warehouses/${given.warehouseId}`, close)).status, 200)
  const id = await imported({ warehouseCode: null })
  const [reason] = (await read(id)).reasons
  assert.deepEqual([reason.kind, reason.code], ['warehouse', null])
  const warehouse = { name: 'New', code: 'NEW', timezoneId: 'UTC' }
  assert.equal((await admin.post('/v1/warehouses', warehouse)).status, 201)
  await drain()
  assert.equal(await exists(id), 201)
  assert.equal((await admin.put(`/v1/warehouses/${given.warehouseId}`, { status: 1 })).status, 200)
})

test('only imports that wait for this code of this kind are retried', async () => {
  const [meant, other] = [
    await imported({ serviceTypeCodes: ['MEANT'] }),
    await imported({ serviceTypeCodes: ['OTHER'], carrierCode: 'MEANT' }),
  ]
  await retry('meant')
  assert.deepEqual([await isDue(meant), await isDue(other)], [true, false])
})

test('a locked import is skipped, and nothing waits for it', async () => {
  const [held, free] = [
    await imported({ serviceTypeCodes: ['HELD'] }),
    await imported({ serviceTypeCodes: ['HELD'] }),
  ]
  await database.atomically(async tx => {
    await tx.rows(sql`select id from consignment_import where id = ${held} for update`)
    await retry('HELD')
  })
  assert.deepEqual([await isDue(held), await isDue(free)], [false, true])
})

test('a discarded import is not retried', async () => {
  const id = await imported({ serviceTypeCodes: ['THROWN'] })
  assert.equal((await admin.delete(`/v1/consignment-imports/${id}`)).status, 200)
  assert.equal((await admin.post('/v1/service-types', { name: 'Thrown', code: 'THROWN' })).status, 201)
  assert.equal(await isDue(id), false)
  await drain()
  assert.deepEqual([(await read(id)).status, await exists(id)], [4, 404])
})
