// A database of its own for a test file, cloned from the migrated template of the run.

import assert from 'node:assert/strict'
import { after } from 'node:test'
import pg from 'pg'
import { v7 as uuidv7 } from 'uuid'
import type { Database } from '../../src/platform/database/db.ts'
import { openDatabase } from '../../src/platform/database/open-database.ts'
import type { ReadSlotTimes } from '../../src/platform/database/read-slots.ts'

const closing: (() => unknown)[] = []

/** Does something when the test file ends; what was opened last is closed first. */
export function atEnd(close: () => unknown): void {
  closing.push(close)
}

/** Closes all that the test file has opened. */
export async function closeAll(): Promise<void> {
  for (let close = closing.pop(); close !== undefined; close = closing.pop()) await close()
}
after(closeAll)

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

/** The same database around a pooler, for what is the server's own: who may enter, and with which settings. */
export function directUrl(databaseUrl: string): URL {
  const url = new URL(connectionString)
  url.pathname = new URL(databaseUrl).pathname
  return url
}

/** A connection of its own around a pooler, closed when the test file ends. */
export async function openDirectClient(databaseUrl: string): Promise<pg.Client> {
  const client = new pg.Client(directUrl(databaseUrl).href)
  await client.connect()
  atEnd(() => client.end())
  return client
}

/** The pools on a connection string, closed when the test file ends. A machine may stand still for seconds. */
export function openTestPools(
  databaseUrl: string,
  poolSize = 10,
  readSlotTimes?: Partial<ReadSlotTimes>,
): Database {
  const connection = { connectionString: databaseUrl }
  const database = openDatabase({ connection, poolSize, readSlotTimes, connectMs: 20_000 })
  atEnd(() => database.close())
  return database
}
