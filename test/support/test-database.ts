// Gives each test file databases of its own, cloned from the migrated template of the test run.

import assert from 'node:assert/strict'
import process from 'node:process'
import pg from 'pg'
import { v7 as uuidv7 } from 'uuid'
import type { Database } from '../../src/platform/database/db.ts'
import { openDatabase } from '../../src/platform/database/open-database.ts'
import type { ReadSlotTimes } from '../../src/platform/database/read-slots.ts'

const closing: (() => unknown)[] = []

/** Calls `close` when the test file ends; what was opened last is closed first. */
export function atEnd(close: () => unknown): void {
  closing.push(close)
}

/** Closes everything that the test file has opened. */
export const closeAll = (): Promise<void> => closeEach(closing)

const closingLast: (() => unknown)[] = []

/** Calls `close` when the process ends, which may run several test files. */
export function atEndOfProcess(close: () => unknown): void {
  closingLast.push(close)
}

async function closeEach(open: (() => unknown)[]): Promise<void> {
  for (let close = open.pop(); close !== undefined; close = open.pop()) await close()
}

/** Set in a process that a test starts and that calls `closeAll` itself. */
export const closesItself = 'WAYBILL_TEST_CLOSES_ITSELF'
// Node.js tracks every promise of a process that has loaded node:test, which takes a tenth of its time.
if (process.env[closesItself] === undefined)
  process.getBuiltinModule('node:test').after(async () => {
    await closeAll()
    await closeEach(closingLast)
  })

// The URL of the server itself. With TEST_POOLED_URL, tests reach their databases through a pooler.
const connectionString = process.env.TEST_DATABASE_URL ?? ''

/**
 * Creates a database, which is dropped when the test file ends. It is migrated by default; the template
 * `template1` gives an empty one. Returns its connection string.
 */
export async function createTestDatabase(template = 'waybill_template'): Promise<string> {
  assert.ok(connectionString, 'Run the tests with `npm test`, or one file with `npm test -- test/….test.ts`.')
  const name = `waybill_${uuidv7().replaceAll('-', '')}`
  const admin = new pg.Client(connectionString)
  await admin.connect()
  // Copying files costs a sixth of the default strategy, which writes each page to the WAL.
  await admin.query(`create database ${name} template ${template} strategy file_copy`)
  atEnd(async () => {
    await admin.query(`drop database ${name} with (force)`)
    await admin.end()
  })
  const url = new URL(process.env.TEST_POOLED_URL ?? connectionString)
  url.pathname = `/${name}`
  return url.href
}

/**
 * The URL of the same database without the pooler, for tests of the server's own access rights and settings.
 */
export function directUrl(databaseUrl: string): URL {
  const url = new URL(connectionString)
  url.pathname = new URL(databaseUrl).pathname
  return url
}

/** Opens a connection that bypasses any pooler. It is closed when the test file ends. */
export async function openDirectClient(databaseUrl: string): Promise<pg.Client> {
  const client = new pg.Client(directUrl(databaseUrl).href)
  await client.connect()
  atEnd(() => client.end())
  return client
}

/**
 * Opens pools, closed when the test file ends. Connecting may take long, because a busy machine may stall.
 */
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
