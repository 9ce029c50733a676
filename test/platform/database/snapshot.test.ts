// A snapshot for a report keeps the database from tidying up after everybody: it ends, whatever happens.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { sql } from '../../../src/platform/database/db.ts'
import { limitConcurrency } from '../../../src/platform/database/limit-concurrency.ts'
import { batchRows, beginSnapshot, firstRows } from '../../../src/platform/database/snapshot.ts'
import { createTestDatabase } from '../../support/test-database.ts'

const connectionString = await createTestDatabase()

/** A snapshot over a connection of its own, the promise of how it is given back, and how much it has fetched. */
async function begin(options: Parameters<typeof beginSnapshot>[2] = {}) {
  let fetched = 0
  class CountingClient extends pg.Client {
    // biome-ignore lint/suspicious/noExplicitAny: it has many signatures, and this is for all of them
    override async query(...asked: any[]): Promise<any> {
      const result = await super.query(...(asked as [string]))
      fetched += result.rows?.length ?? 0
      return result
    }
  }
  const client = new CountingClient({ connectionString })
  // It may still be closing when the database goes.
  client.on('error', () => {})
  await client.connect()
  const given = Promise.withResolvers<boolean>()
  const release = (isBroken: boolean) => {
    given.resolve(isBroken)
    void client.end()
  }
  const snapshot = await beginSnapshot({ client, release }, new AbortController().signal, options)
  return { snapshot, isBroken: given.promise, fetched: () => fetched }
}

test('a snapshot that lasts too long is cut, and whoever reads on is told why', async () => {
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

test('a snapshot is a batch ahead of whoever takes its rows, and holds no more, however many there are', async () => {
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

test('a batch is there until the next one is asked for, and nothing keeps its rows after that', async () => {
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

test('whoever stops in the middle of the rows gives the connection back as it was', async () => {
  const { snapshot, isBroken } = await begin()
  for await (const _ of snapshot.rows(sql`select n from generate_series(1, 100_000) n`)) break
  await snapshot.close()
  assert.equal(await isBroken, false)
})

test('what goes wrong further on is told when it is come to, after all rows before it', async () => {
  const { snapshot, isBroken } = await begin()
  const before = firstRows + 2 * batchRows
  const failing = sql`select 1 / (${before + 1}::int - n) from generate_series(1, 100_000) n`
  let taken = 0
  await assert.rejects(async () => {
    for await (const rows of snapshot.rows(failing)) taken += rows.length
  }, /division by zero/)
  assert.deepEqual([taken, await isBroken], [before, true])
})

test('two snapshots take turns, and whoever takes no rows has none', async () => {
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
