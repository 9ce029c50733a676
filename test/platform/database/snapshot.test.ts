// A snapshot for a report keeps PostgreSQL from vacuuming, so it must always end.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { sql } from '../../../src/platform/database/db.ts'
import { limitConcurrency } from '../../../src/platform/database/limit-concurrency.ts'
import { batchRows, beginSnapshot, firstRows } from '../../../src/platform/database/snapshot.ts'
import { createTestDatabase } from '../../support/test-database.ts'

const connectionString = await createTestDatabase()

/** Begins a snapshot, and tells how its connection is given back and how many rows it has fetched. */
async function begin(options: Parameters<typeof beginSnapshot>[2] = {}) {
  let fetched = 0
  class CountingClient extends pg.Client {
    // biome-ignore lint/suspicious/noExplicitAny: query has many overloads, and this covers all of them
    override async query(...args: any[]): Promise<any> {
      const result = await super.query(...(args as [string]))
      fetched += result.rows?.length ?? 0
      return result
    }
  }
  const client = new CountingClient({ connectionString })
  // It may still be closing when the database is dropped.
  client.on('error', () => {})
  await client.connect()
  const released = Promise.withResolvers<boolean>()
  const release = (isBroken: boolean) => {
    released.resolve(isBroken)
    void client.end()
  }
  const snapshot = await beginSnapshot({ client, release }, new AbortController().signal, options)
  return { snapshot, isBroken: released.promise, fetched: () => fetched }
}

test('a snapshot that lasts too long is cut, and reading on throws the reason', async () => {
  const { snapshot, isBroken } = await begin({ maxMs: 50 })
  assert.equal(await isBroken, true)
  await assert.rejects(async () => {
    for await (const _ of snapshot.rows(sql`select 1`));
  }, /longer than ten minutes/)
})

test('the server itself ends a snapshot whose process has fallen silent, and a fetch that takes too long', async () => {
  const { snapshot } = await begin()
  const found: unknown[] = []
  for await (const rows of snapshot.rows(sql`
    select current_setting('idle_in_transaction_session_timeout'), current_setting('statement_timeout'),
      current_setting('client_connection_check_interval'), current_setting('transaction_read_only')`))
    found.push(...rows)
  assert.deepEqual(found, [['90s', '2min', '1s', 'on']])
  await snapshot.close()
})

test('a snapshot fetches at most one batch ahead of its reader, however many rows there are', async () => {
  const { snapshot, isBroken, fetched } = await begin()
  const count = firstRows + 20 * batchRows + 1
  let taken = 0
  for await (const rows of snapshot.rows(sql`select n from generate_series(1, ${count}::int) n`)) {
    taken += rows.length
    assert.ok(fetched() - taken <= batchRows, `${fetched()} were fetched when ${taken} were taken`)
    assert.equal(rows.at(-1)?.[0], String(taken))
  }
  assert.deepEqual([taken, fetched()], [count, count])
  await snapshot.close()
  assert.equal(await isBroken, false)
})

test('a batch is emptied when the next one is requested', async () => {
  const { snapshot } = await begin()
  const batches: unknown[][] = []
  for await (const rows of snapshot.rows(
    sql`select n from generate_series(1, ${firstRows + batchRows}::int) n`,
  )) {
    assert.ok(rows.length > 0)
    assert.ok(batches.every(({ length }) => length === 0))
    batches.push(rows)
  }
  assert.deepEqual(
    batches.map(({ length }) => length),
    [0, 0],
  )
  await snapshot.close()
})

test('a reader that stops in the middle gives the connection back in working order', async () => {
  const { snapshot, isBroken } = await begin()
  for await (const _ of snapshot.rows(sql`select n from generate_series(1, 100_000) n`)) break
  await snapshot.close()
  assert.equal(await isBroken, false)
})

test('an error in a later row is thrown after all rows before it were read', async () => {
  const { snapshot, isBroken } = await begin()
  const before = firstRows + 2 * batchRows
  const failing = sql`select 1 / (${before + 1}::int - n) from generate_series(1, 100_000) n`
  let taken = 0
  await assert.rejects(async () => {
    for await (const rows of snapshot.rows(failing)) taken += rows.length
  }, /division by zero/)
  assert.deepEqual([taken, await isBroken], [before, true])
})

test('two snapshots take turns, and one whose rows are not read needs none', async () => {
  const runLimited = limitConcurrency(1, 1_000_000)
  const many = sql`select n from generate_series(1, ${firstRows + 20 * batchRows}::int) n`
  const [idle, busy] = [await begin({ runLimited }), await begin({ runLimited })]
  const left = idle.snapshot.rows(many)
  await left.next()
  let taken = 0
  for await (const rows of busy.snapshot.rows(many)) taken += rows.length
  assert.equal(taken, firstRows + 20 * batchRows)
  await left.return(undefined)
  for (const { snapshot, isBroken } of [idle, busy]) {
    await snapshot.close()
    assert.equal(await isBroken, false)
  }
})
