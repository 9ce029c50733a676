// Starts one PostgreSQL for the whole test run, with a migrated template that every test file clones. The
// services of journeys have their own servers, and start with a copy of a data folder that is also made here.

import { execFile } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { migrate } from '../../src/platform/database/migrate.ts'
import { type EmbeddedPostgres, openEmbeddedPostgres } from '../../src/platform/embedded-postgres/open.ts'
import { loadReferenceData } from '../../src/reference-data/load-reference-data.ts'
import { makeDatabaseFolder } from './database-folder.ts'
import { type PgBouncer, startPgBouncer } from './pgbouncer.ts'

let postgres: EmbeddedPostgres | undefined
let pgbouncer: PgBouncer | undefined
let folder = ''

const log = { info: () => {}, warn: (message: string) => console.error(message) }

/** Settings of a PostgreSQL without durability, because no test data has to outlive the run. */
export const testSettings = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  wal_compression: 'off',
  max_connections: '300',
}

/**
 * Starts PostgreSQL, or uses the server that TEST_DATABASE_URL names; with TEST_TEMPLATE=kept that already
 * has the template from an earlier run.
 */
export async function globalSetup(): Promise<void> {
  const existing = process.env.TEST_DATABASE_URL
  if (existing === undefined) return startServer()
  if (process.env.TEST_TEMPLATE === 'kept') return
  await withClient(existing, async admin => {
    await admin.query('drop database if exists waybill_template with (force)')
    await admin.query('create database waybill_template')
  })
  const url = new URL(existing)
  url.pathname = '/waybill_template'
  await withClient(url.href, prepare)
}

/** Creates the data folder that journeys copy, and starts the server of the run on a copy of it. */
async function startServer(): Promise<void> {
  folder = await makeDatabaseFolder()
  const [templateDir, ownDir] = [join(folder, 'made'), join(folder, 'own')]
  const first = await openEmbeddedPostgres({ dataDir: templateDir, log, settings: testSettings })
  await withClient(first.connection, prepare).finally(() => first.stop())
  await promisify(execFile)('cp', ['-Rp', templateDir, ownDir])
  process.env.TEST_DATA_DIR = templateDir

  postgres = await openEmbeddedPostgres({ dataDir: ownDir, log, settings: testSettings })
  const { host, user, database } = postgres.connection
  const connectionString = `postgres://${user}@${encodeURIComponent(host)}/postgres`
  await withClient(connectionString, admin =>
    admin.query(`create database waybill_template template ${database}`),
  )
  process.env.TEST_DATABASE_URL = connectionString
  if (process.env.TEST_PGBOUNCER === undefined) return
  pgbouncer = await startPgBouncer(process.env.PGBOUNCER ?? 'pgbouncer', host, user)
  process.env.TEST_POOLED_URL = pgbouncer.url
}

/** Migrates an empty database and loads the reference data. */
async function prepare(client: pg.Client): Promise<void> {
  await migrate(client)
  await loadReferenceData(client)
}

async function withClient(
  connection: string | pg.ClientConfig,
  work: (client: pg.Client) => Promise<unknown>,
): Promise<void> {
  const client = new pg.Client(connection)
  await client.connect()
  await work(client).finally(() => client.end())
}

/** Stops the servers and deletes their data. */
export async function globalTeardown(): Promise<void> {
  await pgbouncer?.stop()
  await postgres?.stop()
  if (folder !== '') await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
}
