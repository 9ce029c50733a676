// The transaction in which a backup is taken or restored, and what the database says of its tables.

import type pg from 'pg'
import type { BackupTable } from './backup-file.ts'

// Values are written and read in the same form, whatever the server's settings; a backup may take hours.
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

/** Runs `work` in one transaction that begins with `begin`; what it throws undoes everything. */
export async function inTransaction<T>(client: pg.Client, begin: string, work: () => Promise<T>): Promise<T> {
  await client.query(begin)
  try {
    // Local, so that they hold behind a pooler too.
    for (const [name, value] of Object.entries(settings)) await client.query(`set local ${name} = '${value}'`)
    const result = await work()
    await client.query('commit')
    return result
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  }
}

/** A name as SQL has it. */
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** `"table" ("column", …)`, as COPY wants it. */
export const copied = ({ name, columns }: BackupTable): string =>
  `${quoted(name)} (${columns.map(quoted).join(', ')})`

/** The condition that an object of the catalogue `catalogue` is no part of an extension. */
const isOwn = (oid: string, catalogue: string) =>
  `not exists (select from pg_depend d where d.classid = '${catalogue}'::regclass and d.objid = ${oid}
    and d.deptype = 'e')`

/** The tables of the schema in use, with the columns that are stored and not computed. */
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

/** Statements that each make an object, and those that remove it. */
export interface Removable {
  remove: string
  make: string
}

/**
 * Foreign keys and the indexes that are no constraint: loading goes without them and makes them afterwards.
 */
export async function readForeignKeysAndIndexes(client: pg.Client): Promise<Removable[]> {
  const { rows } = await client.query<Removable>(`
    select format('alter table %s drop constraint %I', conrelid::regclass, conname) as remove,
      format('alter table %s add constraint %I %s', conrelid::regclass, conname,
        pg_get_constraintdef(oid)) as make, 1 as turn
    from pg_constraint where connamespace = current_schema()::regnamespace and contype = 'f'
    union all
    select format('drop index %s', i.indexrelid::regclass), pg_get_indexdef(i.indexrelid), 0
    from pg_index i join pg_class c on c.oid = i.indrelid
    where c.relnamespace = current_schema()::regnamespace and ${isOwn('c.oid', 'pg_class')}
      and not exists (select from pg_constraint where conindid = i.indexrelid)
    order by turn`)
  return rows
}

/** Removes everything in the schema in use, save extensions. */
export async function removeAll(client: pg.Client): Promise<void> {
  // Functions after tables, whose removal takes some along. Each kind at once, for they need each other.
  await removeKind(
    client,
    'table',
    `select c.oid::regclass::text as name from pg_class c
     where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p')
       and ${isOwn('c.oid', 'pg_class')}`,
  )
  await removeKind(
    client,
    'routine',
    `select p.oid::regprocedure::text as name from pg_proc p
     where p.pronamespace = current_schema()::regnamespace and ${isOwn('p.oid', 'pg_proc')}`,
  )
}

async function removeKind(client: pg.Client, kind: 'table' | 'routine', names: string): Promise<void> {
  const { rows } = await client.query<{ name: string }>(names)
  if (rows.length > 0) await client.query(`drop ${kind} ${rows.map(({ name }) => name).join(', ')} cascade`)
}
