// Transactions over real connections: what is retried, what is rolled back, and what a broken connection
// leaves behind..

import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { raw, sql, type Tx } from '../../../src/platform/database/db.ts'
import { refuseViolations, sqlState, violatedConstraint } from '../../../src/platform/database/errors.ts'
import { openDatabase } from '../../../src/platform/database/open-database.ts'
import { conflict, Refusal } from '../../../src/platform/http/refusal.ts'
import { openDatabaseProxy } from '../../support/database-proxy.ts'
import { assertQuick, until } from '../../support/service-process.ts'
import { createTestDatabase, directUrl, openTestPools } from '../../support/test-database.ts'

const url = await createTestDatabase('template1')
const database = openTestPools(url)
await database.atomically(async tx => {
  await tx.run(
    sql`create table stock (id integer constraint stock_pkey primary key, quantity integer not null)`,
  )
  await tx.run(sql`insert into stock select i, 100 from generate_series(1, 20) i`)
})

const quantityOf = async (id: number) =>
  (await database.db.row<{ quantity: number }>(sql`select quantity from stock where id = ${id}`)).quantity
const take = (tx: Tx, id: number) => tx.run(sql`update stock set quantity = quantity - 1 where id = ${id}`)

/** A point at which `size` transactions wait for each other. */
function openBarrier(size: number) {
  const { promise, resolve } = Promise.withResolvers<void>()
  let arrived = 0
  return () => {
    if (++arrived >= size) resolve()
    return promise
  }
}

test('a refusal rolls everything back and runs no afterCommit task', async () => {
  const after: string[] = []
  const refused = database.atomically(async tx => {
    await take(tx, 1)
    tx.afterCommit(() => after.push('told'))
    throw conflict('No.')
  })
  await assert.rejects(refused, Refusal)
  assert.equal(await quantityOf(1), 100)
  assert.deepEqual(after, [])
})

test('an afterCommit task sees the commit and cannot undo it', async () => {
  const { promise: seen, resolve: see } = Promise.withResolvers<number>()
  const answer = await database.atomically(async tx => {
    await take(tx, 2)
    tx.afterCommit(() => {
      throw new Error('a listener failed')
    })
    tx.afterCommit(() => void quantityOf(2).then(see))
    assert.equal(await quantityOf(2), 100)
    return 'answered'
  })
  assert.equal(answer, 'answered')
  assert.equal(await quantityOf(2), 99)
  assert.equal(await seen, 99)
})

test('callers do not notice a deadlock: one of the two transactions is retried', async () => {
  const barrier = openBarrier(2)
  let attempts = 0
  const cross = (first: number, second: number) =>
    database.atomically(async tx => {
      attempts++
      await take(tx, first)
      await barrier()
      await take(tx, second)
    })
  await Promise.all([cross(3, 4), cross(4, 3)])
  assert.equal(attempts, 3)
  assert.deepEqual([await quantityOf(3), await quantityOf(4)], [98, 98])
})

test('a serialization failure is retried, and the afterCommit tasks of the failed attempt are dropped', async () => {
  const barrier = openBarrier(2)
  let [attempts, taskRuns] = [0, 0]
  const add = (id: number) =>
    database.atomically(async tx => {
      attempts++
      await tx.run(sql`set transaction isolation level serializable`)
      tx.afterCommit(() => taskRuns++)
      const { total } = await tx.row<{ total: number }>(
        sql`select sum(quantity) as total from stock where id in (5, 6)`,
      )
      await barrier()
      await tx.run(sql`update stock set quantity = ${total} where id = ${id}`)
    })
  await Promise.all([add(5), add(6)])
  assert.equal(attempts, 3)
  assert.equal(taskRuns, 2)
  assert.deepEqual(
    [await quantityOf(5), await quantityOf(6)].toSorted((a, b) => a - b),
    [200, 300],
  )
})

test('after four attempts the error is thrown', async () => {
  let attempts = 0
  const failing = database.atomically(async tx => {
    attempts++
    await tx.run(sql`do $$ begin raise exception 'again' using errcode = '40001'; end $$`)
  })
  await assert.rejects(failing, error => sqlState(error) === '40001')
  assert.equal(attempts, 4)
})

/**
 * Sends two statements at once. The first fails with the given SQLSTATE, but the result of the second is seen
 * first.
 */
function failPipelined(tx: Tx, state: string) {
  const failing = tx.run(
    sql`do ${raw(`$$ begin raise exception 'of the first' using errcode = '${state}'; end $$`)}`,
  )
  const second = take(tx, 16)
  const seenLate = failing.catch(async error => {
    await Promise.allSettled([second])
    throw error
  })
  return Promise.all([seenLate, second])
}

test('when one of several pipelined statements fails, its error is thrown, not those of the statements refused after it', async () => {
  await assert.rejects(
    database.atomically(tx => failPipelined(tx, '55P03')),
    error => sqlState(error) === '55P03',
  )
  assert.equal(await quantityOf(16), 100)
})

test('a transaction whose pipelined statement failed is retried if its error is retryable', async () => {
  let attempts = 0
  await database.atomically(async tx => (++attempts === 1 ? failPipelined(tx, '40P01') : take(tx, 16)))
  assert.equal(attempts, 2)
  assert.equal(await quantityOf(16), 99)
})

test('a transaction waits for a lock for three seconds, and is not retried', async () => {
  const holder = new pg.Client(url)
  await holder.connect()
  await holder.query('begin; update stock set quantity = quantity where id = 7')
  let attempts = 0
  // A second wait would take three seconds more.
  await assertQuick(5_900, async () => {
    attempts = 0
    const waiting = database.atomically(async tx => {
      attempts++
      await take(tx, 7)
    })
    await assert.rejects(waiting, error => sqlState(error) === '55P03')
    assert.equal(attempts, 1)
  })
  await holder.query('rollback')
  await holder.end()
  await database.atomically(tx => take(tx, 7))
})

test('swallowing the error of a statement does not help: its transaction is not committed', async () => {
  const after: string[] = []
  const swallowing = database.atomically(async tx => {
    await take(tx, 8)
    tx.afterCommit(() => after.push('told'))
    await tx.run(sql`insert into stock values (8, 1)`).catch(() => {})
  })
  await assert.rejects(swallowing, /already undone/)
  assert.equal(await quantityOf(8), 100)
  assert.deepEqual(after, [])
})

test('a violated constraint is recognised by its name', async () => {
  const insert = (tx: Tx) => tx.run(sql`insert into stock values (9, 1)`)
  const refused = database.atomically(tx =>
    refuseViolations(insert(tx), { stock_pkey: () => conflict('Taken.') }),
  )
  await assert.rejects(refused, { status: 409, messages: ['Taken.'] })
  const other = database.atomically(tx =>
    refuseViolations(insert(tx), { another_key: () => conflict('Taken.') }),
  )
  await assert.rejects(other, error => violatedConstraint(error) === 'stock_pkey')
})

const skip = url !== directUrl(url).href && 'a pooler drops settings and keeps connections of its own'
test('the handle that reads cannot write', { skip }, async () => {
  await assert.rejects(
    database.db.rows(sql`update stock set quantity = 0 where id = 10 returning id`),
    error => sqlState(error) === '25006',
  )
  await assert.rejects(
    database.db.rows(sql`select set_config('transaction_read_only', 'off', false), nextval('none')`),
  )
  assert.equal(await quantityOf(10), 100)
})

test('one statement is its own transaction, and a second is refused', async () => {
  const after: string[] = []
  const changed = await database.inOneStatement(tx => {
    tx.afterCommit(() => after.push('told'))
    return take(tx, 11)
  })
  assert.equal(changed, 1)
  assert.deepEqual(after, ['told'])
  const twice = database.inOneStatement(async tx => {
    tx.afterCommit(() => after.push('never'))
    await take(tx, 11)
    await take(tx, 12)
  })
  await assert.rejects(twice, /second statement/)
  assert.deepEqual([await quantityOf(11), await quantityOf(12)], [98, 100])
  assert.deepEqual(after, ['told'])
})

test('a connection that is lost in the middle undoes its transaction, and the next one works', async () => {
  const lost = database.atomically(async tx => {
    await take(tx, 13)
    const { pid } = await tx.row<{ pid: number }>(sql`select pg_backend_pid() as pid`)
    await database.db.row(sql`select pg_terminate_backend(${pid})`)
    await take(tx, 13)
  })
  await assert.rejects(lost)
  assert.equal(await quantityOf(13), 100)
  await database.atomically(tx => take(tx, 13))
  assert.equal(await quantityOf(13), 99)
})

test('when all connections are killed at once, later work succeeds', async () => {
  await Promise.all(Array.from({ length: 15 }, () => database.atomically(tx => take(tx, 14))))
  const admin = new pg.Client(url)
  await admin.connect()
  await admin.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
  )
  await admin.end()
  await Promise.allSettled(Array.from({ length: 5 }, () => quantityOf(14)))
  assert.equal(await quantityOf(14), 85)
  await database.atomically(tx => take(tx, 14))
  assert.equal(await quantityOf(14), 84)
})

test('a transaction holds no connection before its first statement', async () => {
  const single = openTestPools(url, 1)
  await single.atomically(async tx => {
    await single.atomically(other => take(other, 17))
    await take(tx, 17)
  })
  assert.equal(await quantityOf(17), 98)
  const refused = single.atomically(async () => {
    assert.equal(await single.atomically(async () => 'nothing to ask'), 'nothing to ask')
    throw conflict('No.')
  })
  await assert.rejects(refused, Refusal)
})

test('a statement after the end of its transaction is refused and takes no connection', async () => {
  const { promise: ended, resolve: end } = Promise.withResolvers<void>()
  let late: Promise<number> | undefined
  await database.atomically(async tx => {
    late = ended.then(() => take(tx, 18))
  })
  end()
  await assert.rejects(late ?? Promise.resolve(), /after the end of its transaction/)
  assert.equal(await quantityOf(18), 100)
})

test('now() in a transaction is the time of its first statement', async () => {
  const { isLater } = await database.atomically(async tx => {
    const { at } = await database.db.row<{ at: string }>(sql`select clock_timestamp()::text as at`)
    return tx.row<{ isLater: boolean }>(sql`select now() > ${at}::timestamptz as is_later`)
  })
  assert.equal(isLater, true)
})

test('no connection is left behind by refusals, failures and lost connections', async () => {
  await Promise.allSettled(
    Array.from({ length: 60 }, (_, i) =>
      database.atomically(async tx => {
        await take(tx, 15)
        if (i % 3 === 0) throw conflict('No.')
        if (i % 3 === 1) await tx.run(sql`select 1 / 0`)
      }),
    ),
  )
  assert.equal(await quantityOf(15), 80)
  // A connection opened for a caller that got another one meanwhile takes a moment to become idle.
  await until(
    async () => {
      const { busy, waiting } = database.stats()
      return busy === 0 && waiting === 0
    },
    () => `The pools are ${JSON.stringify(database.stats())}.`,
  )
})

test('values have the types and formats of the API', async () => {
  const row = await database.db.row(sql`
    select 12345678901::bigint as big, 1.50::numeric as amount, '-0.0001'::numeric as small_amount,
      2.5::float8 as ratio,
      '2026-03-01'::date as plain_date, '2026-03-01 09:30:00'::timestamp as local_time,
        '2026-03-01 09:30:00.999'::timestamp as cut,
      '2026-03-01 09:30:00.1+13'::timestamptz as created_utc, '2026-03-01 09:30:00Z'::timestamptz
        as whole_utc,
      '2026-03-01 09:30:00.123456Z'::timestamptz as micro_utc, true as is_listed, null::numeric as none,
      '{"a":[1,"x"]}'::jsonb as body, '{1,2}'::integer[] as numbers, '\\x00ff'::bytea as bytes, 1
        as weight_kg, 2 as length_mm`)
  assert.deepEqual(row, {
    big: 12345678901,
    amount: 1.5,
    smallAmount: -0.0001,
    ratio: 2.5,
    plainDate: '2026-03-01',
    localTime: '2026-03-01T09:30:00Z',
    cut: '2026-03-01T09:30:00Z',
    createdUtc: '2026-02-28T20:30:00.100Z',
    wholeUtc: '2026-03-01T09:30:00.000Z',
    microUtc: '2026-03-01T09:30:00.123Z',
    isListed: true,
    none: null,
    body: { a: [1, 'x'] },
    numbers: [1, 2],
    bytes: Buffer.from([0, 255]),
    weightKG: 1,
    lengthMM: 2,
  })
})

test('row() throws if there is no row, and maybe() returns undefined', async () => {
  assert.equal(await database.db.maybe(sql`select 1 where false`), undefined)
  await assert.rejects(database.db.row(sql`select 1 where false`), /always has a row/)
})

test('connections keep a limited number of prepared statements', async () => {
  for (let i = 0; i < 1_100; i++) await database.db.row(sql`select ${raw(String(i))} as n`)
  const { prepared } = await database.db.row<{ prepared: number }>(
    sql`select count(*) as prepared from pg_prepared_statements`,
  )
  assert.ok(prepared <= 1_001)
})

test('closing waits until the server has closed every connection, and reports none as lost', {
  skip,
}, async () => {
  const proxy = await openDatabaseProxy(url)
  const name = 'waybill that closes'
  const lost: string[] = []
  const onOutage = (error: Error) => lost.push(error.message)
  const other = openDatabase({ connection: { connectionString: proxy.url }, poolSize: 10, name, onOutage })
  await Promise.all(
    Array.from({ length: 10 }, () => [
      other.db.row(sql`select 1`),
      other.atomically(tx => tx.row(sql`select 1`)),
    ]).flat(),
  )
  const left = async () =>
    (
      await database.db.row<{ left: number }>(
        sql`select count(*) as left from pg_stat_activity where application_name = ${name}`,
      )
    ).left
  proxy.stall()
  let isClosed = false
  const closed = other.close().then(() => {
    isClosed = true
  })
  assert.deepEqual([await left(), isClosed], [20, false])
  // The server itself closes some of them first.
  await database.atomically(tx =>
    tx.rows(
      sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = ${name} order by pid
        limit 10`,
    ),
  )
  await proxy.resume()
  await closed
  assert.deepEqual(lost, [])
})
