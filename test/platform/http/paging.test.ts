// A page and its exact total at the same moment. Spec 2.1.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { empty, sql } from '../../../src/platform/database/db.ts'
import {
  contains,
  pageQuery,
  pageQueryFromZero,
  readPage,
  searchIn,
} from '../../../src/platform/http/paging.ts'
import { createValidation } from '../../../src/platform/http/validation.ts'
import fc from '../../support/properties.ts'
import { createTestDatabase, openTestPools } from '../../support/test-database.ts'

const database = openTestPools(await createTestDatabase())
await database.atomically(async tx => {
  await tx.run(sql`create table sample (id integer, colour integer, total integer)`)
  await tx.run(sql`insert into sample select i, i % 3, -1 from generate_series(1, 137) i`)
})

const page = (PageIndex: number, PageSize: number, colour?: number, firstIndex: 0 | 1 = 1) =>
  readPage<'samples', { id: number; total: number }>(
    database.db,
    'samples',
    { PageIndex, PageSize },
    {
      columns: sql`s.id, s.total`,
      from: sql`sample s ${colour === undefined ? empty : sql`where s.colour = ${colour}`}`,
      // Has many ties, which the id breaks.
      order: sql`s.colour, s.id desc`,
      firstIndex,
    },
  )

test('reading all pages returns each row once, in the same order for every page size, with the exact total', async () => {
  const whole = await page(1, 500)
  assert.equal(whole.samples.length, 137)
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 60 }), fc.constantFrom(0, 1), async (size, first) => {
      const ids: number[] = []
      for (let index = first; ; index++) {
        const { total, samples, index: returnedIndex } = await page(index, size, undefined, first as 0 | 1)
        assert.deepEqual([total, returnedIndex], [137, index])
        if (samples.length === 0) break
        ids.push(...samples.map(({ id }) => id))
      }
      assert.deepEqual(
        ids,
        whole.samples.map(({ id }) => id),
      )
    }),
    { numRuns: 25 },
  )
})

test('the total counts the rows that the filter finds, even past the last page and if there are none', async () => {
  assert.deepEqual(
    [(await page(1, 10, 0)).total, (await page(1, 10, 1)).total, (await page(1, 10, 9)).total],
    [45, 46, 0],
  )
  assert.deepEqual(await page(99, 10, 0), { index: 99, total: 45, samples: [] })
  assert.deepEqual(await page(1, 10, 9), { index: 1, total: 0, samples: [] })
  assert.deepEqual((await page(1_000_000_000_000, 500)).samples, [])
})

test('a text is found anywhere and taken literally, whether or not it is long enough for an index', async () => {
  const names = [
    '100% Wool',
    '100 Wool',
    'under_score',
    'underscore',
    'back\\slash',
    "o'clock",
    'Äpfel',
    'abc',
    '  ',
  ]
  for (const text of [
    'w',
    '%',
    '0%',
    '00%',
    '100% w',
    '_',
    'r_s',
    'er_s',
    '\\',
    'k\\',
    'k\\s',
    "'",
    "o'c",
    'ä',
    'ÄP',
    'äpf',
    'B',
    'ABC',
    'abcd',
    ' ',
    '%%',
    '%_%',
  ]) {
    const found = await database.db.rows<{ name: string }>(sql`
      select name from unnest(${names}::text[]) with ordinality as n (name, place) where
        ${contains(sql`lower(name)`, text)} order by place`)
    const expected = names.filter(name => name.toLowerCase().includes(text.toLowerCase()))
    assert.deepEqual(
      found.map(({ name }) => name),
      expected,
      text,
    )
  }
})

test('a row may itself have a field called total', async () => {
  const { total, samples } = await page(1, 1)
  assert.deepEqual([total, samples[0]?.total], [137, -1])
})

test('a list may have its own statement for the total', async () => {
  const { total } = await readPage(
    database.db,
    'samples',
    { PageIndex: 1, PageSize: 5 },
    {
      columns: sql`s.id`,
      from: sql`sample s`,
      order: sql`s.id`,
      total: sql`select 4711::bigint`,
    },
  )
  assert.equal(total, 4711)
})

test('the parameters have their defaults and bounds', () => {
  const { query } = createValidation()
  const [fromOne, fromZero] = [query(pageQuery({})), query(pageQueryFromZero({}))]
  assert.deepEqual(fromOne({}).query, { PageIndex: 1, PageSize: 25 })
  assert.deepEqual(fromZero({}).query, { PageIndex: 0, PageSize: 25 })
  const refused = (given: Record<string, string>, read = fromOne) => read(given).faults.length > 0
  for (const size of ['0', '-1', '501', '1.5', 'x', '', '1e2']) assert.ok(refused({ PageSize: size }), size)
  for (const size of ['1', '500']) assert.ok(!refused({ PageSize: size }), size)
  assert.ok(
    refused({ PageIndex: '0' }) &&
      !refused({ PageIndex: '0' }, fromZero) &&
      refused({ PageIndex: '-1' }, fromZero),
  )
  assert.ok(refused({ PageIndex: '1000000000001' }) && refused({ PageIndex: '9'.repeat(30) }))
})

test('the list of a record without entries is empty, and the list of an unknown record is refused', async () => {
  const listOf = (owner: number, PageIndex = 1) =>
    readPage<'samples', { id: number }>(
      database.db,
      'samples',
      { PageIndex, PageSize: 10 },
      {
        parent: { from: sql`sample o where o.id = ${owner}`, noun: 'Sample' },
        columns: sql`s.id`,
        from: sql`sample s where s.id = ${owner} + 100`,
        order: sql`s.id`,
      },
    )
  const { total, samples } = await listOf(7)
  assert.deepEqual([total, samples[0]?.id], [1, 107])
  assert.deepEqual(await listOf(7, 2), { index: 2, total: 1, samples: [] })
  assert.deepEqual(await listOf(99), { index: 1, total: 0, samples: [] })
  await assert.rejects(listOf(1000), { status: 404, messages: ['Sample not found.'] })
})

test('SearchText is trimmed, and blanks alone are empty', () => {
  const read = createValidation().query(pageQuery({ SearchText: searchIn('name') }))
  assert.equal(read({ searchtext: '\t Order 4711 ' }).query.SearchText, 'Order 4711')
  assert.equal(read({ SearchText: '  ' }).query.SearchText, '')
})
