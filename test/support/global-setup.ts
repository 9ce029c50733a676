// One PostgreSQL for the whole test run, with a migrated template that every test file clones. The services of
// journeys have servers of their own: they begin with a copy of a data folder that is made here, too.

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

/** Settings of a PostgreSQL without durability, for nothing in tests has to outlive the run. */
export const testSettings = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  wal_compression: 'off',
  max_connections: '300',
}

/**
 * Starts PostgreSQL, or takes the one that TEST_DATABASE_URL names; with TEST_TEMPLATE=kept that has the
 * template of a run before.
 */
export async function globalSetup(): Promise<void> {
  const named = process.env.TEST_DATABASE_URL
  if (named === undefined) return startServer()
  if (process.env.TEST_TEMPLATE === 'kept') return
  await withClient(named, async admin => {
    await admin.query('drop database if exists waybill_template with (force)')
    await admin.query('create database waybill_template')
  })
  const url = new URL(named)
  url.pathname = '/waybill_template'
  await withClient(url.href, fill)
}

/** Makes the data folder that journeys copy, and starts the server of the run on a copy of it. */
async function startServer(): Promise<void> {
  folder = await makeDatabaseFolder()
  const [made, own] = [join(folder, 'made'), join(folder, 'own')]
  const first = await openEmbeddedPostgres({ dataDir: made, log, settings: testSettings })
  await withClient(first.connection, fill).finally(() => first.stop())
  await promisify(execFile)('cp', ['-Rp', made, own])
  process.env.TEST_DATA_DIR = made

  postgres = await openEmbeddedPostgres({ dataDir: own, log, settings: testSettings })
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

/** Gives an empty database every migration and the reference data. */
async function fill(client: pg.Client): Promise<void> {
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

/** Stops it. */
export async function globalTeardown(): Promise<void> {
  await pgbouncer?.stop()
  await postgres?.stop()
  if (folder !== '') await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
}
