// What can wait gives way: the processes of the built-in database that serve it have a lower priority.

import assert from 'node:assert/strict'
import { getPriority } from 'node:os'
import { test } from 'node:test'
import { sql } from '../../src/platform/database/db.ts'
import { openDatabase } from '../../src/platform/database/open-database.ts'
import { connectSnapshot } from '../../src/platform/database/snapshot.ts'
import { createTestDatabase, directUrl } from '../support/test-database.ts'

const connectionString = directUrl(await createTestDatabase('template1')).href
const skip = process.platform !== 'linux' && 'only Linux lets a single thread or process give way'
const ofBackend = sql`select pg_backend_pid() as pid`

/** The priority of the process that serves a database opened so; 0 is the usual one, 10 gives way. */
async function priorityWith(hasLowPriority: boolean, isBuiltIn: boolean): Promise<number> {
  const database = openDatabase({ connection: { connectionString, isBuiltIn }, poolSize: 1, hasLowPriority })
  try {
    return getPriority((await database.db.row<{ pid: number }>(ofBackend)).pid)
  } finally {
    await database.close()
  }
}

test('the built-in database gives way to requests where it is asked to, another one never', {
  skip,
}, async () => {
  assert.equal(await priorityWith(true, true), 10)
  assert.equal(await priorityWith(false, true), 0)
  assert.equal(await priorityWith(true, false), 0)
})

test('the built-in database gives way where it is read at length', { skip }, async () => {
  const connection = { connectionString, isBuiltIn: true }
  const snapshot = await connectSnapshot(connection, new AbortController().signal)
  for await (const rows of snapshot.rows(ofBackend)) assert.equal(getPriority(Number(rows[0]?.[0])), 10)
  await snapshot.close()
})
