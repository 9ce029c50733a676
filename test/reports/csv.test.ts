// The cells of CSV: what a spreadsheet would take for a formula is a text.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../src/platform/database/db.ts'
import { quantity, text } from '../../src/reports/columns.ts'
import { csvRows, report } from '../../src/reports/report.ts'
import { openWorld } from '../support/harness.ts'

const { admin, database } = await openWorld()

/** The cell of a text in the CSV of a report. */
async function cellOf(value: string | null): Promise<unknown> {
  const one = report({
    ...{ name: 'one', title: 'One', chapter: 'stock', description: 'One.', partners: 'none', filters: {} },
    columns: { text: text('Text'), figure: quantity('Figure') },
    rows: () => sql`select ${value}::text as text, -1.5 as figure`,
    order: sql`text`,
  })
  const [line] = await database.db.rows(csvRows(one, { actor: admin.actor, filters: {}, moment: null }))
  return Object.values(line as object)[0]
}

test('a text that begins like a formula begins with an apostrophe in CSV, and others are unchanged', async () => {
  for (const beginning of ['=', '+', '-', '@', '\t', '\r'])
    assert.equal(await cellOf(`${beginning}cmd|x`), `"'${beginning}cmd|x",-1.5`, JSON.stringify(beginning))
  for (const plain of ['A=1', ' =1', '1-2', '\n=1', ''])
    assert.equal(await cellOf(plain), `"${plain}",-1.5`, JSON.stringify(plain))
  assert.equal(await cellOf('say "x"'), '"say ""x""",-1.5')
  assert.equal(await cellOf(null), ',-1.5')
})
