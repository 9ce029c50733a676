// The stock lock: which transactions wait for each other, and the order in which locks are taken.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Db, sql, type Tx } from '../../../src/platform/database/db.ts'
import { newId } from '../../../src/platform/new-id.ts'
import { type LockTarget, lockStock, lockWarehouseStock } from '../../../src/stock/ledger/stock-lock.ts'
import { createTestDatabase, openTestPools } from '../../support/test-database.ts'

const database = openTestPools(await createTestDatabase())
const organisationId = newId()
const warehouseId = newId()

const makeTargets = (n: number) => Array.from({ length: n }, () => ({ warehouseId, productId: newId() }))

/** Does some work in a transaction that stays open. Returns a function that ends the transaction. */
async function holdTransactionOpen(work: (tx: Tx) => Promise<unknown>) {
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

/** Returns whether a transaction has to wait for the locks that it takes. */
async function mustWait(work: (tx: Tx) => Promise<unknown>): Promise<boolean> {
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

/** Returns the keys of the locks that a transaction holds while it waits for the next one. */
async function keysHeldByWaiter(db: Db): Promise<string[]> {
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

test('one transaction at a time locks a product, and does not block other products', async () => {
  const [first, second] = makeTargets(2) as [LockTarget, LockTarget]
  const release = await holdTransactionOpen(lock([first]))
  assert.equal(await mustWait(lock([first])), true)
  assert.equal(await mustWait(lock([second])), false)
  await release()
  assert.equal(await mustWait(lock([first])), false)
})

test('a lock on the whole warehouse, taken for many products, blocks locks on single products', async () => {
  const many = makeTargets(201)
  const release = await holdTransactionOpen(lock(many))
  assert.equal(await mustWait(lock(makeTargets(1))), true)
  assert.equal(await mustWait(lock([{ warehouseId: newId(), productId: newId() }])), false)
  assert.equal(await mustWait(lock(many)), true)
  await release()
  const releaseSingle = await holdTransactionOpen(lock(makeTargets(1)))
  assert.equal(await mustWait(lock(many)), true)
  assert.equal(await mustWait(tx => lockWarehouseStock(tx, organisationId, warehouseId)), true)
  await releaseSingle()
})

test('products are locked in a fixed order, whatever order they are given in', async () => {
  const wanted = makeTargets(60)
  const heldKeys: string[][] = []
  for (const ordered of [wanted, wanted.toReversed(), wanted.toSorted(() => Math.random() - 0.5)]) {
    // A transaction that waits for this product holds the locks that precede it in the order, and no others.
    const release = await holdTransactionOpen(lock([wanted[30] as LockTarget]))
    const waiting = database.atomically(lock(ordered))
    heldKeys.push(await keysHeldByWaiter(database.db))
    await release()
    await waiting
  }
  assert.deepEqual(heldKeys[1], heldKeys[0])
  assert.deepEqual(heldKeys[2], heldKeys[0])
})
