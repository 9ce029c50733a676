// The processes of the built-in database that serve work that can wait have a lower priority.

import assert from 'node:assert/strict'
import { getPriority } from 'node:os'
import { test } from 'node:test'
import { sql } from '../../src/platform/database/db.ts'
import { openDatabase } from '../../src/platform/database/open-database.ts'
import { connectSnapshot } from '../../src/platform/database/snapshot.ts'
import { createTestDatabase, directUrl } from '../support/test-database.ts'

const connectionString = directUrl(await createTestDatabase('template1')).href
const skip = process.platform !== 'linux' && 'only Linux has priorities for single threads and processes'
const backendPid = sql`select pg_backend_pid() as pid`

/** The priority that the server of the tests has: 0, unless the tests themselves run at a lower one. */
const normal = getPriority()

/** The priority of the process that serves a database with these options: 10 is lower than normal. */
async function priorityWith(hasLowPriority: boolean, isBuiltIn: boolean): Promise<number> {
  const database = openDatabase({ connection: { connectionString, isBuiltIn }, poolSize: 1, hasLowPriority })
  try {
    return getPriority((await database.db.row<{ pid: number }>(backendPid)).pid)
  } finally {
    await database.close()
  }
}

test('the built-in database runs at a lower priority if requested, another database never', {
  skip,
}, async () => {
  assert.equal(await priorityWith(true, true), 10)
  assert.equal(await priorityWith(false, true), normal)
  assert.equal(await priorityWith(true, false), normal)
})

test('the built-in database serves long reads at a lower priority', { skip }, async () => {
  const connection = { connectionString, isBuiltIn: true }
  const snapshot = await connectSnapshot(connection, new AbortController().signal)
  for await (const rows of snapshot.rows(backendPid)) assert.equal(getPriority(Number(rows[0]?.[0])), 10)
  await snapshot.close()
})
