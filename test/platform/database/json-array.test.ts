// JSON texts that are passed to statements as arrays.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../../src/platform/database/db.ts'
import { jsonArray } from '../../../src/platform/database/json-array.ts'
import { createTestDatabase, openTestPools } from '../../support/test-database.ts'

const { db } = openTestPools(await createTestDatabase('template1'))

const stored = async (texts: string[]) =>
  (
    await db.rows<{ text: string }>(
      sql`select t.json::text as text from unnest(${jsonArray(texts)}::json[]) as t (json)`,
    )
  ).map(({ text }) => text)

test('JSON texts arrive in their order and letter for letter, with line breaks and in every script', async () => {
  const texts = [
    '{ "name" :\n\t"Kiwi, \\"gold\\" {\\\\}" }',
    '["りんご", "Ärger", "🍏"]',
    'null',
    '1.50',
    '""',
  ]
  assert.deepEqual(await stored(texts), texts)
})

test('an empty list of JSON texts is an empty array', async () => {
  assert.deepEqual(await stored([]), [])
})

test('a text that is not JSON is refused by the database', async () => {
  await assert.rejects(stored(['{}', '{"name":']), /invalid input syntax for type json/)
})
