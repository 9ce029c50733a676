// Brings the database up to date: plain SQL files, numbered, forward only, run by node-pg-migrate in one
// transaction.

import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type pg from 'pg'
import { isRetryable } from './errors.ts'

const folder = fileURLToPath(new URL('../../../migrations', import.meta.url))

const migrationLock = 77_017_001
const maxAttempts = 10

/** The names of all migrations, in order. */
export const allMigrations = async (): Promise<string[]> =>
  (await readdir(folder))
    .filter(name => name.endsWith('.sql'))
    .map(name => name.slice(0, -4))
    .sort()

/** The names of the migrations that the database has. */
export async function appliedMigrations(client: pg.Client): Promise<Set<string>> {
  const exists = await client.query(`select to_regclass('public.migration') as name`)
  if (exists.rows[0].name === null) return new Set()
  const { rows } = await client.query<{ name: string }>('select name from migration')
  return new Set(rows.map(row => row.name))
}

/** How a database stands to the migrations of this version. */
export interface MigrationState {
  /** what it lacks */
  readonly pending: readonly string[]
  /** what a newer version has added, with which this one gets along */
  readonly newer: readonly string[]
}

/**
 * Compares the database with the migrations of this version. Throws where a newer version has changed it so
 * that this one cannot serve it. Migrations only add, save those whose names say what whoever serves the
 * database has to know: `031-drop-old-names-needs-028` takes away what versions with 028 do without.
 */
export async function migrationState(client: pg.Client): Promise<MigrationState> {
  const [all, applied] = [await allMigrations(), await appliedMigrations(client)]
  const newer = [...applied].filter(name => !all.includes(name)).toSorted()
  const pending = all.filter(name => !applied.has(name))
  const newest = all.at(-1)?.slice(0, 3) ?? ''
  const isTooNew = newer.some(name => (/-needs-(\d{3})$/.exec(name)?.[1] ?? '') > newest)
  // What lacks some and has others comes from no version that was released.
  if (isTooNew || (newer.length > 0 && pending.length > 0))
    throw new Error(
      `The database was migrated by a newer version of Waybill (it has ${newer.join(', ')}). ` +
        'Run that version.',
    )
  return { pending, newer }
}

/**
 * Applies what is missing and returns the names of what it applied. Refuses a database that a newer version
 * has migrated, unless this one gets along with that.
 */
export async function migrate(client: pg.Client): Promise<string[]> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await migrateOnce(client)
    } catch (error) {
      // An older version may be serving the database, and have locked the same tables in another order. All
      // that was applied is undone then.
      if (!isRetryable(error) || attempt === maxAttempts) throw error
    }
  }
}

async function migrateOnce(client: pg.Client): Promise<string[]> {
  if ((await migrationState(client)).pending.length === 0) return []
  // Of several processes that start at once, one migrates and the others wait for it. The lock is that of a
  // transaction: behind a transaction pooler, the lock of a session would stay with a connection of the
  // pooler. The runner's own `begin` says nothing new to the database, and its `commit` ends both.
  await client.query('begin')
  try {
    await client.query(`set local lock_timeout = 0; set local statement_timeout = 0`)
    await lockMigrations(client)
    return await runMigrations(client, { noLock: true, singleTransaction: true })
  } finally {
    await client.query('rollback')
  }
}

async function runMigrations(client: pg.Client, options: object): Promise<string[]> {
  // Loaded only when needed: most starts find nothing to do.
  const { runner } = await import('node-pg-migrate')
  const run = await runner({
    dbClient: client,
    dir: folder,
    direction: 'up',
    migrationsTable: 'migration',
    // A checkout between two releases may have had one that was written beside another of a lower number.
    checkOrder: false,
    log: () => {},
    ...options,
  } as Parameters<typeof runner>[0])
  return run.map(({ name }) => name)
}

/** Keeps others from migrating until the transaction ends. */
export async function lockMigrations(client: pg.Client): Promise<void> {
  await client.query('select pg_advisory_xact_lock($1)', [migrationLock])
}

/**
 * Gives an empty database the schema that these migrations make, within the open transaction. The table of
 * migrations is made and stays empty.
 */
export async function applyExactly(client: pg.Client, names: readonly string[]): Promise<void> {
  await runMigrations(client, { count: 0, noLock: true })
  for (const name of names) await client.query(await textOf(name))
}

const textOf = (name: string): Promise<string> => readFile(join(folder, `${name}.sql`), 'utf8')

/** The names of the tables that the migrations make, and of their own. */
export async function tablesOfMigrations(): Promise<string[]> {
  const texts = await Promise.all((await allMigrations()).map(textOf))
  return [
    'migration',
    ...texts.flatMap(text => [...text.matchAll(/^create table (\w+)/gm)].map(([, name]) => name as string)),
  ]
}
