// Changes of records that release stock wait at the door of the warehouse, as commands do. Spec 2.14.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from '../../../src/platform/database/db.ts'
import { lockStock } from '../../../src/stock/ledger/stock-lock.ts'
import { openAllocation } from '../../support/given-allocation.ts'

const world = await openAllocation()
const { admin, database, organisationId, warehouseId, stored, ready, allocated, fresh, row } = world

/** How many connections wait for the lock of stock. */
const waiting = async () =>
  (
    await database.db.row<{ n: number }>(
      sql`select count(*)::integer as n from pg_locks where not granted and locktype = 'advisory'`,
    )
  ).n

test('who waits to void consignments holds few connections, so that others are served meanwhile', async () => {
  const of = await fresh()
  const stock = await stored(24, of)
  const ids: string[] = []
  for (let n = 0; n < 12; n++) {
    const id = await ready([{ ...of, quantity: 2 }])
    await allocated(id)
    ids.push(id)
  }
  const other = await ready([{ ...of, quantity: 1 }])
  let sent: Promise<{ status: number }[]> | undefined
  await database.atomically(async tx => {
    await lockStock(tx, organisationId, [{ warehouseId, productId: of.productId }])
    sent = Promise.all(ids.map(id => admin.put(`/v1/consignments/${id}/void`, { reason: 'Called off' })))
    while ((await waiting()) < 3) await pause(5)
    const note = await admin.post(`/v1/consignments/${other}/notes`, { note: 'Meanwhile' })
    assert.equal(note.status, 200)
    assert.equal(await waiting(), 3)
  })
  const statuses = new Set((await sent)?.map(({ status }) => status))
  assert.deepEqual(statuses, new Set([200]))
  assert.equal((await row(stock)).allocatedQuantity, 0)
})
