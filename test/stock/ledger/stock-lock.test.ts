// The lock of stock: who waits for whom, and in which order locks are taken.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Db, sql, type Tx } from '../../../src/platform/database/db.ts'
import { newId } from '../../../src/platform/new-id.ts'
import { type LockTarget, lockStock, lockWarehouseStock } from '../../../src/stock/ledger/stock-lock.ts'
import { createTestDatabase, openTestPools } from '../../support/test-database.ts'

const database = openTestPools(await createTestDatabase())
const organisationId = newId()
const warehouseId = newId()

const places = (n: number) => Array.from({ length: n }, () => ({ warehouseId, productId: newId() }))

/** A transaction that does something and stays open until it is let go. */
async function holding(work: (tx: Tx) => Promise<unknown>) {
  const [locked, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const done = database.atomically(async tx => {
    await work(tx)
    locked.resolve()
    await ended.promise
  })
  await Promise.race([locked.promise, done])
  return async () => {
    ended.resolve()
    await done
  }
}

/** Whether a transaction would have to wait for what it wants to lock. */
async function waits(work: (tx: Tx) => Promise<unknown>): Promise<boolean> {
  const attempt = database.atomically(async tx => {
    await tx.run(sql`set local lock_timeout = '50ms'`)
    await work(tx)
  })
  return attempt.then(
    () => false,
    () => true,
  )
}

const lock = (wanted: readonly LockTarget[]) => (tx: Tx) => lockStock(tx, organisationId, wanted)

/** The keys of the locks that a transaction has when it waits for one more. */
async function keysOfWaiting(db: Db): Promise<string[]> {
  for (;;) {
    const { keys, isWaiting } = await db.row<{ keys: string[] | null; isWaiting: boolean | null }>(sql`
      with held as materialized (
        select * from pg_locks where locktype = 'advisory'
          and database = (select oid from pg_database where datname = current_database())
      )
      select bool_or(not granted) as is_waiting, array_agg((classid::bigint << 32 | objid::bigint)::text
        order by classid, objid) filter (where granted and mode = 'ExclusiveLock') as keys
      from held where pid in (select pid from held where not granted)`)
    if (isWaiting) return keys ?? []
  }
}

test('one product is locked by one transaction at a time, and others are not in its way', async () => {
  const [one, other] = places(2) as [LockTarget, LockTarget]
  const letGo = await holding(lock([one]))
  assert.equal(await waits(lock([one])), true)
  assert.equal(await waits(lock([other])), false)
  await letGo()
  assert.equal(await waits(lock([one])), false)
})

test('so many products that the warehouse is locked whole keep out who locks one of it', async () => {
  const many = places(201)
  const letGo = await holding(lock(many))
  assert.equal(await waits(lock(places(1))), true)
  assert.equal(await waits(lock([{ warehouseId: newId(), productId: newId() }])), false)
  assert.equal(await waits(lock(many)), true)
  await letGo()
  const single = await holding(lock(places(1)))
  assert.equal(await waits(lock(many)), true)
  assert.equal(await waits(tx => lockWarehouseStock(tx, organisationId, warehouseId)), true)
  await single()
})

test('products are locked in one order, in whichever they are named', async () => {
  const wanted = places(60)
  const had: string[][] = []
  for (const named of [wanted, wanted.toReversed(), wanted.toSorted(() => Math.random() - 0.5)]) {
    // Whoever waits for this one has those before it in the order, and none behind it.
    const letGo = await holding(lock([wanted[30] as LockTarget]))
    const waiting = database.atomically(lock(named))
    had.push(await keysOfWaiting(database.db))
    await letGo()
    await waiting
  }
  assert.deepEqual(had[1], had[0])
  assert.deepEqual(had[2], had[0])
})
