// Whether Waybill can set up and use a database. The doctor reports it, and a start refuses before it changes
// anything.

import type pg from 'pg'
import { tablesOfMigrations } from '../platform/database/migrate.ts'

/** What the user of a connection can do in its database, and what is in the way. */
export interface DatabaseRights {
  database: string
  user: string
  encoding: string
  mayCreate: boolean
  isReadOnly: boolean
  /** the names of our tables that are taken, in order */
  taken: string[]
  /** whether some of those belong to a role that this user is not */
  areOthers: boolean
  /** whether Waybill has migrated this database */
  isMigrated: boolean
}

export async function readRights(client: pg.Client): Promise<DatabaseRights> {
  const { rows } = await client.query<DatabaseRights>(
    `with ours as (
      select c.relname::text as name, c.relowner as owner from pg_class c
      where c.relnamespace = current_schema()::regnamespace and c.relname = any($1)
        and c.relkind in ('r', 'p', 'v', 'm', 'f'))
    select current_database() as database, current_user as user,
      current_setting('server_encoding') as encoding,
      coalesce(has_schema_privilege(current_schema(), 'create'), false) as "mayCreate",
      pg_is_in_recovery() or current_setting('transaction_read_only')::boolean as "isReadOnly",
      array(select name from ours order by name) as taken,
      exists (select from ours where not pg_has_role(owner, 'usage')) as "areOthers",
      exists (select from pg_attribute where attrelid = to_regclass('public.migration')
        and attname = 'run_on') as "isMigrated"`,
    [await tablesOfMigrations()],
  )
  return rows[0] as DatabaseRights
}

/** Says that another program uses the database. Undefined if none does. */
export function foreignTablesFault({ database, taken, isMigrated }: DatabaseRights): string | undefined {
  if (isMigrated || taken.length === 0) return undefined
  const some =
    taken.length > 3 ? `${taken.slice(0, 3).join(', ')} and ${taken.length - 3} more` : taken.join(', ')
  return `The database ${database} has tables of another program (${some}). Give Waybill its own database.`
}

/** Says why this user cannot set up the database. Undefined if the user can. */
export function rightsFault(rights: DatabaseRights): string | undefined {
  const { database, user, encoding, mayCreate, isReadOnly, areOthers } = rights
  if (isReadOnly) return `The database ${database} is read-only, or a replica. Use the primary.`
  if (encoding !== 'UTF8') return `The database ${database} has the encoding ${encoding}; it has to be UTF8.`
  const foreign = foreignTablesFault(rights)
  if (foreign !== undefined) return foreign
  if (mayCreate && !areOthers) return undefined
  return (
    `The user ${user} cannot change the tables of ${database}. Make it the owner: alter database ` +
    `${database} owner to ${user}.`
  )
}
