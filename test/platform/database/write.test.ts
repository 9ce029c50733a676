// Insert and update statements from field names. Decision 1.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../../src/platform/database/db.ts'
import { camelCase } from '../../../src/platform/database/statement.ts'
import {
  changedFields,
  givenFields,
  insertInto,
  snakeCase,
  updateFields,
} from '../../../src/platform/database/write.ts'
import fc from '../../support/properties.ts'
import { createTestDatabase, openTestPools } from '../../support/test-database.ts'

const database = openTestPools(await createTestDatabase())

test('field names convert to columns and back, including units', () => {
  const pairs = {
    weightKG: 'weight_kg',
    lengthMM: 'length_mm',
    createdUtc: 'created_utc',
    id: 'id',
    unitTypeId: 'unit_type_id',
  }
  for (const [field, column] of Object.entries(pairs))
    assert.deepEqual([snakeCase(field), camelCase(column)], [column, field])
})

test('absent and null fields and empty texts count as not given; false and 0 count as given', () => {
  const body = { a: 0, b: false, c: '', d: null, e: undefined, f: 1 } as Record<
    'a' | 'b' | 'c' | 'd' | 'e' | 'f' | 'g',
    unknown
  >
  assert.deepEqual(givenFields(body, ['a', 'b', 'c', 'd', 'e', 'g']), { a: 0, b: false })
})

test('an undefined field gets the default of its column', async () => {
  await database.atomically(async tx => {
    await tx.run(
      sql`create temporary table sample (id integer, weight_kg numeric default 7, note text) on commit drop`,
    )
    await tx.run(insertInto('sample', { id: 1, weightKG: undefined, note: null }))
    await tx.run(insertInto('sample', { id: 2, weightKG: 1.5, note: "'; drop table sample; --" }))
    assert.deepEqual(await tx.rows(sql`select * from sample order by id`), [
      { id: 1, weightKG: 7, note: null },
      { id: 2, weightKG: 1.5, note: "'; drop table sample; --" },
    ])
  })
})

test('an update clears fields that are null or an empty text, and keeps absent ones', () => {
  const body = { a: 0, b: false, c: '', d: null, e: undefined } as Record<
    'a' | 'b' | 'c' | 'd' | 'e' | 'g',
    unknown
  >
  assert.deepEqual(changedFields(body, ['a', 'b', 'c', 'd', 'e', 'g']), { a: 0, b: false, c: null, d: null })
})

test('an update touches a row exactly when a field of the change differs', async () => {
  const value = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: null })
  const row = fc.record({
    weightKG: value(fc.constantFrom(0, 1, 1.5, 2)),
    note: value(fc.constantFrom('', 'a', 'A')),
    listed: value(fc.boolean()),
    day: value(fc.constantFrom('2026-01-01', '2026-01-02')),
  })
  const fields = ['weightKG', 'note', 'listed', 'day'] as const
  const changeOfRow = fc
    .tuple(row, fc.subarray([...fields]))
    .map(([all, kept]) => Object.fromEntries(kept.map(field => [field, all[field]])) as Partial<typeof all>)
  await database.atomically(async tx => {
    await tx.run(
      sql`create temporary table sample (id integer, weight_kg numeric, note text, listed boolean, day date)
        on commit drop`,
    )
    await tx.run(sql`insert into sample values (2, 99, 'other')`)
    await fc.assert(
      fc.asyncProperty(row, changeOfRow, async (before, change) => {
        await tx.run(sql`delete from sample where id = 1`)
        await tx.run(insertInto('sample', { id: 1, ...before }))
        const wanted = { ...before, ...changedFields(change, fields) }
        const touched = await tx.run(updateFields('sample', fields, change, sql`id = 1`))
        assert.equal(touched, JSON.stringify(wanted) === JSON.stringify(before) ? 0 : 1)
        assert.deepEqual(
          await tx.row(sql`select weight_kg, note, listed, day from sample where id = 1`),
          wanted,
        )
      }),
      { numRuns: 150 },
    )
    assert.equal((await tx.row<{ note: string }>(sql`select note from sample where id = 2`)).note, 'other')
  })
})
