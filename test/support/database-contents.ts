// Reads everything in a database, for the tests of backups.

import pg from 'pg'
import { atEnd } from './test-database.ts'

/** Opens a connection that is closed when the test file ends. */
export async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, application_name: 'test' })
  await client.connect()
  atEnd(() => client.end())
  return client
}

/** Reads the schema of a database and digests of its rows, table by table. */
export async function contentsOf(client: pg.Client) {
  const column = async (query: string) =>
    (await client.query({ text: query, rowMode: 'array' })).rows.map(row => row.join(' '))
  const tables = await column(`select relname from pg_class
    where relnamespace = 'public'::regnamespace and relkind = 'r' order by 1`)
  const digests: Record<string, string> = {}
  for (const table of tables)
    [digests[table] = ''] = await column(`
      select count(*), md5(string_agg(t::text, '|' order by t::text collate "C")) from ${table} t`)
  return {
    digests,
    constraints: await column(`select conrelid::regclass, conname, convalidated, pg_get_constraintdef(oid)
      from pg_constraint where connamespace = 'public'::regnamespace order by 1, 2`),
    indexes: await column(`select indexdef from pg_indexes where schemaname = 'public' order by 1`),
    triggers: await column(`select tgname, tgenabled, pg_get_triggerdef(oid) from pg_trigger
      where not tgisinternal order by 1, 3`),
    sequences: await column(`select sequencename, last_value from pg_sequences where schemaname = 'public'`),
  }
}
