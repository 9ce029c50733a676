// Brings the database up to date: plain SQL files, numbered, forward only, run by node-pg-migrate in one
// transaction.

import { readdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type pg from 'pg'

const folder = fileURLToPath(new URL('../../../migrations', import.meta.url))

const migrationLock = 77_017_001

/** The names of all migrations, in order. */
const allMigrations = async () =>
  (await readdir(folder))
    .filter(name => name.endsWith('.sql'))
    .map(name => name.slice(0, -4))
    .sort()

/** The names of the migrations that the database has. */
async function appliedMigrations(client: pg.Client): Promise<Set<string>> {
  const exists = await client.query(`select to_regclass('public.migration') as name`)
  if (exists.rows[0].name === null) return new Set()
  const { rows } = await client.query<{ name: string }>('select name from migration')
  return new Set(rows.map(row => row.name))
}

/**
 * Applies what is missing and returns the names of what it applied. Refuses a database that a newer version
 * has migrated.
 */
export async function migrate(client: pg.Client): Promise<string[]> {
  const [all, applied] = [await allMigrations(), await appliedMigrations(client)]
  const unknown = [...applied].filter(name => !all.includes(name))
  if (unknown.length > 0) {
    throw new Error(
      `The database was migrated by a newer version of Waybill (it has ${unknown.join(', ')}). ` +
        'Run that version.',
    )
  }
  if (all.every(name => applied.has(name))) return []
  // Loaded only when needed: most starts find nothing to do.
  const { runner } = await import('node-pg-migrate')
  // Of several processes that start at once, one migrates and the others wait for it. The lock is that of a
  // transaction: behind a transaction pooler, the lock of a session would stay with a connection of the
  // pooler. The runner's own `begin` says nothing new to the database, and its `commit` ends both.
  await client.query('begin')
  try {
    await client.query(`set local lock_timeout = 0; set local statement_timeout = 0`)
    await client.query('select pg_advisory_xact_lock($1)', [migrationLock])
    const run = await runner({
      dbClient: client,
      dir: folder,
      direction: 'up',
      migrationsTable: 'migration',
      checkOrder: true,
      singleTransaction: true,
      noLock: true,
      log: () => {},
    } as Parameters<typeof runner>[0])
    return run.map(({ name }) => name)
  } finally {
    await client.query('rollback')
  }
}
