// Migrates the database: numbered plain SQL files, forward only, run by node-pg-migrate in one transaction.

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

/** The names of the migrations that were applied to the database. */
export async function appliedMigrations(client: pg.Client): Promise<Set<string>> {
  const exists = await client.query(`select to_regclass('public.migration') as name`)
  if (exists.rows[0].name === null) return new Set()
  const { rows } = await client.query<{ name: string }>('select name from migration')
  return new Set(rows.map(row => row.name))
}

/** How a database compares with the migrations of this version. */
export interface MigrationState {
  /** migrations that the database lacks */
  readonly pending: readonly string[]
  /** migrations of a newer version, with which this version is compatible */
  readonly newer: readonly string[]
}

/**
 * Compares the database with the migrations of this version. Throws if a newer version has changed it so that
 * this one cannot serve it. Migrations only add things, except those whose names say which migration the
 * serving version must know: `031-drop-old-names-needs-028` drops what versions with 028 do not use.
 */
export async function migrationState(client: pg.Client): Promise<MigrationState> {
  const [all, applied] = [await allMigrations(), await appliedMigrations(client)]
  const newer = [...applied].filter(name => !all.includes(name)).toSorted()
  const pending = all.filter(name => !applied.has(name))
  const newest = all.at(-1)?.slice(0, 3) ?? ''
  const isTooNew = newer.some(name => (/-needs-(\d{3})$/.exec(name)?.[1] ?? '') > newest)
  if (isTooNew)
    throw new Error(
      `The database was migrated by a newer version of Waybill (it has ${newer.join(', ')}). ` +
        'Run that version.',
    )
  // It lacks some of ours and has others: no release has left it so.
  if (newer.length > 0 && pending.length > 0)
    throw new Error(
      'The database was migrated by a version of Waybill that this one cannot upgrade from (it has ' +
        `${newer.join(', ')}).`,
    )
  return { pending, newer }
}

/**
 * Applies the pending migrations and returns their names. Throws if a newer version has migrated the database
 * and this one is not compatible with that.
 */
export async function migrate(client: pg.Client): Promise<string[]> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await migrateOnce(client)
    } catch (error) {
      // An older version may be serving the database and have locked the same tables in another order. The
      // failed attempt was rolled back as a whole.
      if (!isRetryable(error) || attempt === maxAttempts) throw error
    }
  }
}

async function migrateOnce(client: pg.Client): Promise<string[]> {
  if ((await migrationState(client)).pending.length === 0) return []
  // If several processes start at once, one migrates and the others wait for it. The lock belongs to a
  // transaction: behind a transaction pooler, a session's lock would stay with one of the pooler's
  // connections. The runner's own `begin` has no effect inside this transaction, and its `commit` ends it.
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
    // A development checkout may have applied a migration before one with a lower number was merged.
    checkOrder: false,
    log: () => {},
    ...options,
  } as Parameters<typeof runner>[0])
  return run.map(({ name }) => name)
}

/** Prevents other processes from migrating until the transaction ends. */
export async function lockMigrations(client: pg.Client): Promise<void> {
  await client.query('select pg_advisory_xact_lock($1)', [migrationLock])
}

/**
 * Applies the named migrations to an empty database, within the open transaction. The table of migrations is
 * created but stays empty.
 */
export async function applyExactly(client: pg.Client, names: readonly string[]): Promise<void> {
  await runMigrations(client, { count: 0, noLock: true })
  for (const name of names) await client.query(await textOf(name))
}

const textOf = (name: string): Promise<string> => readFile(join(folder, `${name}.sql`), 'utf8')

/** The names of all tables that the migrations create, and of the table of migrations. */
export async function tablesOfMigrations(): Promise<string[]> {
  const texts = await Promise.all((await allMigrations()).map(textOf))
  return [
    'migration',
    ...texts.flatMap(text => [...text.matchAll(/^create table (\w+)/gm)].map(([, name]) => name as string)),
  ]
}
