// A database of its own for a test file, cloned from the migrated template of the run.

import assert from 'node:assert/strict'
import { after } from 'node:test'
import pg from 'pg'
import { v7 as uuidv7 } from 'uuid'
import type { Database } from '../../src/platform/database/db.ts'
import { openDatabase } from '../../src/platform/database/open-database.ts'

const closing: (() => unknown)[] = []
after(async () => {
  for (const close of closing.reverse()) await close()
})

/** Does something when the test file ends; what was opened last is closed first. */
export function atEnd(close: () => unknown): void {
  closing.push(close)
}

// The server itself. With TEST_POOLED_URL, tests reach their databases through a pooler.
const connectionString = process.env.TEST_DATABASE_URL ?? ''

/**
 * A new database, empty or (by default) with every migration, dropped when the test file ends. Returns its
 * connection string.
 */
export async function createTestDatabase(template = 'waybill_template'): Promise<string> {
  assert.ok(connectionString, 'Run the tests with `npm test`, or one file with `npm test -- test/….test.ts`.')
  const name = `waybill_${uuidv7().replaceAll('-', '')}`
  const admin = new pg.Client(connectionString)
  await admin.connect()
  // Copying files costs a sixth of writing each page to the log, which is the default.
  await admin.query(`create database ${name} template ${template} strategy file_copy`)
  atEnd(async () => {
    await admin.query(`drop database ${name} with (force)`)
    await admin.end()
  })
  const url = new URL(process.env.TEST_POOLED_URL ?? connectionString)
  url.pathname = `/${name}`
  return url.href
}

/** The pools on a connection string, closed when the test file ends. */
export function openTestPools(databaseUrl: string, poolSize = 10): Database {
  const database = openDatabase({ connection: { connectionString: databaseUrl }, poolSize })
  atEnd(() => database.close())
  return database
}
