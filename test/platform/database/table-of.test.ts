// Rows that are passed to statements as tables.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../../src/platform/database/db.ts'
import { tableOf } from '../../../src/platform/database/table-of.ts'
import { createTestDatabase, openTestPools } from '../../support/test-database.ts'

const { db } = openTestPools(await createTestDatabase('template1'))
const fields = { name: 'text', quantity: 'numeric', isPicked: 'boolean', data: 'json' }
type Row = { name: string; quantity?: string; isPicked?: boolean | null; data?: string }

const read = (rows: Row[]) => db.rows(sql`select t.* from ${tableOf<Row>('t', fields, rows)}`)

test('a statement reads the given rows in their order, whatever they contain', async () => {
  const name = 'Kiwi, "gold" {\\}\n\'NULL\''
  const data = JSON.stringify({ name, list: [1, null] })
  assert.deepEqual(
    await read([
      { name, quantity: '1.5000', isPicked: true, data },
      { name: 'NULL', isPicked: null },
      { name: '' },
    ]),
    [
      { name, quantity: 1.5, isPicked: true, data: JSON.parse(data) },
      { name: 'NULL', quantity: null, isPicked: null, data: null },
      { name: '', quantity: null, isPicked: null, data: null },
    ],
  )
})

test('JSON arrives unchanged, whatever it contains, and a missing value is null', async () => {
  const values = [{ text: 'a\nb\\n\u2028"\'{},' }, [], 'NULL', null, 0, '']
  for (const type of ['json', 'jsonb']) {
    const rows = [...values.map(value => ({ data: JSON.stringify(value) })), { data: undefined }]
    assert.deepEqual(
      await db.rows(
        sql`select t.data from ${tableOf<{ data?: string | undefined }>('t', { data: type }, rows)}`,
      ),
      [...values, null].map(data => ({ data })),
    )
  }
})

test('words and numbers arrive unchanged, and none is mistaken for something else', async () => {
  const names = ['plain', 'null', 'Null', 'nullable', '-', '1.5e3', 'a,b', '{}', ' ', 'Grün', '_+.-']
  for (const list of [names, ...names.map(name => [name])])
    assert.deepEqual(
      (await read(list.map(name => ({ name, quantity: '-0.5' })))).map(
        row => Object.values(row as object)[0],
      ),
      list,
    )
})

test('a field that no row has is null in each row, even if it is the first field', async () => {
  assert.deepEqual(await read([{ name: 'Apples' }, { name: 'Pears' }]), [
    { name: 'Apples', quantity: null, isPicked: null, data: null },
    { name: 'Pears', quantity: null, isPicked: null, data: null },
  ])
  const none = await db.rows(sql`select t.* from ${tableOf<{ a?: string }>('t', { a: 'text' }, [{}, {}])}`)
  assert.deepEqual(none, [{ a: null }, { a: null }])
})

test('no rows make an empty table, and the planner estimates the same number for any rows', async () => {
  assert.deepEqual(await read([]), [])
  const plan = async (n: number) => {
    const rows = Array.from({ length: n }, (_, i) => ({ name: `${i}` }))
    const [line] = await db.rows<{ queryPlan: string }>(
      sql`explain select * from ${tableOf<Row>('t', fields, rows)}`,
    )
    return /rows=\d+/.exec(Object.values(line ?? {}).join())?.[0]
  }
  assert.deepEqual([await plan(1), await plan(100)], ['rows=100', 'rows=100'])
})
