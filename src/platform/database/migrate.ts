// Brings the database up to date: plain SQL files, numbered, forward only, run by node-pg-migrate under its
// lock.

import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type pg from 'pg'

const folder = fileURLToPath(new URL('../../../migrations', import.meta.url))

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

/** The names of the migrations that the database lacks. Throws where a newer version has migrated it. */
export async function pendingMigrations(client: pg.Client): Promise<string[]> {
  const [all, applied] = [await allMigrations(), await appliedMigrations(client)]
  const unknown = [...applied].filter(name => !all.includes(name))
  if (unknown.length > 0) {
    throw new Error(
      `The database was migrated by a newer version of Waybill (it has ${unknown.join(', ')}). ` +
        'Run that version.',
    )
  }
  return all.filter(name => !applied.has(name))
}

/**
 * Applies what is missing and returns the names of what it applied. Refuses a database that a newer version
 * has migrated.
 */
export async function migrate(client: pg.Client): Promise<string[]> {
  if ((await pendingMigrations(client)).length === 0) return []
  // Of several processes that start at once, one migrates and the others wait for it.
  const lock = { lockValue: migrationLock, advisoryLockMode: 'wait' }
  return runMigrations(client, { ...lock, singleTransaction: true })
}

const migrationLock = 77_017_001

async function runMigrations(client: pg.Client, options: object): Promise<string[]> {
  // Loaded only when needed: most starts find nothing to do.
  const { runner } = await import('node-pg-migrate')
  const run = await runner({
    dbClient: client,
    dir: folder,
    direction: 'up',
    migrationsTable: 'migration',
    checkOrder: true,
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
