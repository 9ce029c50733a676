import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deleteSomeRequests } from '../../src/consignment-imports/delete-old-requests.ts'
import { sql } from '../../src/platform/database/db.ts'
import { openImports } from '../support/given-imports.ts'

const given = await openImports()
const { world, post, drain } = given
const { admin, database } = world

const requestOf = async (id: string) => (await admin.get(`/v1/consignment-imports/${id}`)).body.request

const age = (table: string, ids: string[], days: number) =>
  database.atomically(async tx => {
    const before = sql`now() - ${days} * interval '1 day'`
    if (table === 'import')
      await tx.run(
        sql`update consignment_import set received_utc = ${before} where id = any (${ids}::uuid[])`,
      )
    else await tx.run(sql`update consignment set created_utc = ${before} where id = any (${ids}::uuid[])`)
  })

test('a request is deleted 90 days after its consignment was created, and waiting or newer ones stay', async () => {
  const [old, young, late] = [await post(), await post(), await post()]
  const waits = await post({ carrierCode: 'NOBODY' })
  await drain()
  await age('import', [old, late, waits], 91)
  await age('import', [young], 89)
  await age('consignment', [old], 91)
  await age('consignment', [young, late], 89)
  assert.equal(await deleteSomeRequests(database), 1)
  assert.equal(await deleteSomeRequests(database), 0, 'once')
  assert.equal(await requestOf(old), null)
  for (const id of [young, late, waits]) assert.equal((await requestOf(id)).clientCode, 'KAURI', id)
  assert.equal((await admin.get(`/v1/consignments/${old}`)).status, 200)
})
