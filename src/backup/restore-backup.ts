// Restores a backup in one transaction: first the schema as it was, then all rows, then foreign keys and
// indexes. Nothing of it is visible before the commit, and any error leaves the database as it was.

import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type pg from 'pg'
import { from } from 'pg-copy-streams'
import {
  allMigrations,
  applyExactly,
  lockMigrations,
  tablesOfMigrations,
} from '../platform/database/migrate.ts'
import { BackupFault, type BackupHeader, type BackupReader, type BackupTable } from './backup-file.ts'
import {
  copyTarget,
  dropAll,
  inTransaction,
  quoteIdentifier,
  readForeignKeysAndIndexes,
  readTables,
} from './session.ts'

/** How much was restored. */
export interface RestoreFigures {
  tables: number
  rows: number
}

/** How a backup is restored. */
export interface RestoreOptions {
  /** whether organisations in the database may be deleted */
  replace: boolean
  /** Called when everything is restored but not committed; if it throws, everything is rolled back. */
  beforeCommit(): Promise<void>
}

/** Throws a BackupFault if the backup has migrations that this version does not know. */
export async function refuseUnknownVersion(
  { waybill, migrations }: BackupHeader,
  name: string,
): Promise<void> {
  const knownMigrations = await allMigrations()
  const unknown = migrations.filter(migration => !knownMigrations.includes(migration))
  if (unknown.length > 0)
    throw new BackupFault(
      `${name} was taken by Waybill ${waybill}, whose database this version does not know (it has ` +
        `${unknown.join(', ')}). Restore it with that version.`,
    )
}

/**
 * Restores the backup into the database, which then has the schema version of the backup. Throws if the
 * database is in use, has tables that are not Waybill's, or has organisations and `replace` is false.
 */
export function restoreBackup(
  client: pg.Client,
  reader: BackupReader,
  { replace, beforeCommit }: RestoreOptions,
): Promise<RestoreFigures> {
  return inTransaction(client, 'begin', async () => {
    await lockMigrations(client)
    await refuseInUse(client)
    await refuseContents(client, replace)
    await dropAll(client)
    await applyExactly(client, reader.header.migrations)

    const tables = await readTables(client)
    for (const { name } of tables)
      await client.query(`alter table ${quoteIdentifier(name)} disable trigger user`)
    // Migrations insert rows into some tables; the backup contains them too.
    await client.query(`truncate ${tables.map(({ name }) => quoteIdentifier(name)).join(', ')} cascade`)
    const dropped = await readForeignKeysAndIndexes(client)
    for (const { dropStatement } of dropped) await client.query(dropStatement)

    const figures = await loadTables(client, reader, tables)
    for (const { name, value } of (await reader.end()).sequences)
      if (value !== null) await client.query('select setval($1, $2)', [quoteIdentifier(name), value])
    for (const { createStatement } of dropped) await client.query(createStatement)
    for (const { name } of tables)
      await client.query(`alter table ${quoteIdentifier(name)} enable trigger user`)
    await beforeCommit()
    return figures
  })
}

async function loadTables(client: pg.Client, reader: BackupReader, tables: readonly BackupTable[]) {
  const figures: RestoreFigures = { tables: 0, rows: 0 }
  for (let table = await reader.nextTable(); table !== undefined; table = await reader.nextTable()) {
    const { name, columns } = table
    const columnsNow = tables.find(table => table.name === name)?.columns ?? []
    const unknown = columns.filter(column => !columnsNow.includes(column))
    if (unknown.length > 0)
      throw new BackupFault(
        `The backup has columns of ${name} that this version of Waybill does not know: ` +
          `${unknown.join(', ')}. Restore it with the version that took it.`,
      )
    const copy = client.query(from(`copy ${copyTarget(table)} from stdin`))
    await pipeline(Readable.from(reader.data(), { objectMode: false }), copy)
    figures.tables++
    figures.rows += copy.rowCount
  }
  return figures
}

/**
 * Throws if other Waybill processes use the database, because a running service would continue with outdated
 * data in memory. Behind a pooler, whose connections have other names, their recent heartbeats reveal them.
 */
async function refuseInUse(client: pg.Client): Promise<void> {
  const { rows: connected } = await client.query(`
    select from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and application_name like 'waybill%'`)
  const { rows } = await client.query<{ hasTable: boolean }>(
    `select to_regclass('service_process') is not null as "hasTable"`,
  )
  const { rows: alive } = rows[0]?.hasTable
    ? await client.query(
        `select from service_process where not has_ended and seen_utc > now() - interval '5 seconds'`,
      )
    : { rows: [] }
  if (connected.length + alive.length > 0)
    throw new Error('The service is running on this database. Stop it (every process of it), then restore.')
}

/** Throws if data would be lost that the user did not agree to lose. */
async function refuseContents(client: pg.Client, replace: boolean): Promise<void> {
  const tables = (await readTables(client)).map(({ name }) => name)
  const tablesNow = await tablesOfMigrations()
  const others = tables.filter(name => !tablesNow.includes(name))
  if (others.length > 0)
    throw new Error(
      `The database holds tables that are not Waybill's: ${others.slice(0, 5).join(', ')}` +
        `${others.length > 5 ? ' and more' : ''}. Restore into a database of its own.`,
    )
  if (replace || !tables.includes('organisation')) return
  const { rows } = await client.query<{ n: number }>('select count(*)::int as n from organisation')
  const n = rows[0]?.n ?? 0
  if (n > 0)
    throw new Error(
      `The database is not empty: it holds ${n} organisation${n === 1 ? '' : 's'}. Restore into an empty ` +
        'database, or say --replace to lose all that this one holds.',
    )
}
