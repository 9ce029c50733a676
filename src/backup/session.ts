// The transaction in which a backup is taken or restored, and queries about the tables of the database.

import type pg from 'pg'
import type { BackupTable } from './backup-file.ts'

// Values are written and read in the same format, whatever the server's settings. No timeouts: a backup may
// take hours.
const settings = {
  timezone: 'UTC',
  datestyle: 'ISO',
  intervalstyle: 'postgres',
  bytea_output: 'hex',
  extra_float_digits: '1',
  client_encoding: 'UTF8',
  statement_timeout: '0',
  lock_timeout: '0',
  idle_in_transaction_session_timeout: '0',
}

/** Runs `work` in one transaction, which the statement `begin` begins. An error rolls everything back. */
export async function inTransaction<T>(client: pg.Client, begin: string, work: () => Promise<T>): Promise<T> {
  await client.query(begin)
  try {
    // `set local`, so that the settings also apply behind a pooler.
    for (const [name, value] of Object.entries(settings)) await client.query(`set local ${name} = '${value}'`)
    const result = await work()
    await client.query('commit')
    return result
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  }
}

/** A name as a quoted SQL identifier. */
export const quoteIdentifier = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** A table and its columns for COPY: `"table" ("column", …)`. */
export const copyTarget = ({ name, columns }: BackupTable): string =>
  `${quoteIdentifier(name)} (${columns.map(quoteIdentifier).join(', ')})`

/** The condition that an object in the system catalogue `catalogue` does not belong to an extension. */
const isOwn = (oid: string, catalogue: string) =>
  `not exists (select from pg_depend d where d.classid = '${catalogue}'::regclass and d.objid = ${oid}
    and d.deptype = 'e')`

/** Reads the tables of the current schema, with their columns that are not generated. */
export async function readTables(client: pg.Client): Promise<BackupTable[]> {
  const { rows } = await client.query<BackupTable>(`
    select c.relname as name, array(
        select a.attname::text from pg_attribute a
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
        order by a.attnum) as columns
    from pg_class c
    where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r'
      and c.relpersistence = 'p' and ${isOwn('c.oid', 'pg_class')}
    order by c.relname`)
  return rows
}

/** The statements that drop a database object and create it again. */
export interface DroppableObject {
  dropStatement: string
  createStatement: string
}

/** Reads the foreign keys, and the indexes without a constraint. Rows are loaded faster without them. */
export async function readForeignKeysAndIndexes(client: pg.Client): Promise<DroppableObject[]> {
  const { rows } = await client.query<DroppableObject>(`
    select format('alter table %s drop constraint %I', conrelid::regclass, conname) as "dropStatement",
      format('alter table %s add constraint %I %s', conrelid::regclass, conname,
        pg_get_constraintdef(oid)) as "createStatement",
      1 as turn
    from pg_constraint where connamespace = current_schema()::regnamespace and contype = 'f'
    union all
    select format('drop index %s', i.indexrelid::regclass), pg_get_indexdef(i.indexrelid), 0
    from pg_index i join pg_class c on c.oid = i.indrelid
    where c.relnamespace = current_schema()::regnamespace and ${isOwn('c.oid', 'pg_class')}
      and not exists (select from pg_constraint where conindid = i.indexrelid)
    order by turn`)
  return rows
}

/** Drops everything in the current schema except extensions. */
export async function dropAll(client: pg.Client): Promise<void> {
  // Tables first, because dropping them cascades to some functions. All of one kind in one statement, because
  // they depend on each other.
  await dropKind(
    client,
    'table',
    `select c.oid::regclass::text as name from pg_class c
     where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p')
       and ${isOwn('c.oid', 'pg_class')}`,
  )
  await dropKind(
    client,
    'routine',
    `select p.oid::regprocedure::text as name from pg_proc p
     where p.pronamespace = current_schema()::regnamespace and ${isOwn('p.oid', 'pg_proc')}`,
  )
}

async function dropKind(client: pg.Client, kind: 'table' | 'routine', names: string): Promise<void> {
  const { rows } = await client.query<{ name: string }>(names)
  if (rows.length > 0) await client.query(`drop ${kind} ${rows.map(({ name }) => name).join(', ')} cascade`)
}
