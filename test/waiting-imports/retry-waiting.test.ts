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
  database.atomically(tx => retryWaitingImports(tx, { organisationId, requestId: null }, 'serviceType', code))

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

test('an import that continues by itself is reconciled by the service, for the request that created the record', async () => {
  const id = await imported({ serviceTypeCodes: ['LATE'] })
  const created = await admin.post('/v1/service-types', { code: 'LATE', name: 'Late' })
  await drain()
  const { history } = (await admin.get(`/v1/consignments/${id}/history`)).body
  const reconciled = history.find(({ eventType }: { eventType: number }) => eventType === 111)
  assert.deepEqual(
    [reconciled.userFullName, reconciled.appName, reconciled.requestId],
    [null, null, created.headers['x-request-id']],
  )
})

test('a consignment is entered when its import was received, however long that waited', async () => {
  const id = await imported({ serviceTypeCodes: ['MONDAY'] })
  await database.inOneStatement(tx =>
    tx.run(sql`update consignment_import set received_utc = '2026-02-27T04:30:00Z' where id = ${id}`),
  )
  await admin.post('/v1/service-types', { code: 'MONDAY', name: 'Monday' })
  await drain()
  const { body } = await admin.get(`/v1/consignments/${id}`)
  assert.equal(body.dateEntered, '2026-02-27T17:30:00Z', 'in the time zone of the warehouse')
})
