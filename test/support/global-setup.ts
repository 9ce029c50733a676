// One PostgreSQL for the whole test run, with a migrated template that every test file clones.

import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { migrate } from '../../src/platform/database/migrate.ts'
import { type EmbeddedPostgres, openEmbeddedPostgres } from '../../src/platform/embedded-postgres/open.ts'
import { loadReferenceData } from '../../src/reference-data/load-reference-data.ts'
import { type PgBouncer, startPgBouncer } from './pgbouncer.ts'

let postgres: EmbeddedPostgres | undefined
let pgbouncer: PgBouncer | undefined
let dataDir = ''

const log = { info: () => {}, warn: (message: string) => console.error(message) }

/** Settings of a PostgreSQL without durability, for nothing in tests has to outlive the run. */
export const testSettings = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_connections: '300',
}

/**
 * Starts PostgreSQL, or takes the one that TEST_DATABASE_URL names; with TEST_TEMPLATE=kept it has the
 * template of a run before.
 */
export async function globalSetup(): Promise<void> {
  let connectionString = process.env.TEST_DATABASE_URL
  if (connectionString === undefined) {
    dataDir = await mkdtemp(join(tmpdir(), 'waybill-test-'))
    // PostgreSQL does not run as root; as root, its user has to be able to enter.
    await chmod(dataDir, 0o711)
    postgres = await openEmbeddedPostgres({ dataDir, log, settings: testSettings })
    const { host, user } = postgres.connection
    connectionString = `postgres://${user}@${encodeURIComponent(host)}/postgres`
    process.env.TEST_DATABASE_URL = connectionString
    if (process.env.TEST_PGBOUNCER !== undefined) {
      pgbouncer = await startPgBouncer(process.env.PGBOUNCER ?? 'pgbouncer', host, user)
      process.env.TEST_POOLED_URL = pgbouncer.url
    }
  }
  if (process.env.TEST_TEMPLATE === 'kept') return
  const admin = new pg.Client(connectionString)
  await admin.connect()
  await admin.query('drop database if exists waybill_template with (force)')
  await admin.query('create database waybill_template')
  await admin.end()
  const url = new URL(connectionString)
  url.pathname = '/waybill_template'
  const template = new pg.Client(url.href)
  await template.connect()
  await migrate(template)
  await loadReferenceData(template)
  await template.end()
}

/** Stops it. */
export async function globalTeardown(): Promise<void> {
  await pgbouncer?.stop()
  await postgres?.stop()
  if (dataDir !== '') await rm(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
}
