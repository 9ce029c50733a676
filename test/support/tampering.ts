// Changes figures behind the service's back, and asks whether anybody is told.

import { type Database, raw, type Sql, sql, type Tx } from '../../src/platform/database/db.ts'

/** The figures in tables of such names, as `table.column`. */
export async function figuresOf({ db }: Database, tables: RegExp): Promise<string[]> {
  const columns = await db.rows<{ table: string; column: string }>(sql`
    select table_name as table, column_name as column from information_schema.columns
    where table_schema = 'public' and is_generated = 'NEVER'
      and data_type in ('numeric', 'integer', 'bigint')
    order by 1, ordinal_position`)
  return columns.filter(({ table }) => tables.test(table)).map(({ table, column }) => `${table}.${column}`)
}

class RollBack extends Error {}

/**
 * Changes a figure of an organisation, and takes that back. Returns whether the schema refused it or the check
 * found it; undefined if there is no such figure.
 */
async function isTold(
  database: Database,
  organisationId: string,
  name: string,
  { nth, only }: { nth: number; only: Sql },
  check: (tx: Tx) => Promise<boolean>,
): Promise<boolean | undefined> {
  const [table, column] = name.split('.').map(part => raw(part as string))
  let told: boolean | undefined
  try {
    await database.atomically(async tx => {
      await tx.run(sql`set local session_replication_role = replica`)
      const changed = await tx.rows(sql`
        update ${table} set ${column} = ${column} + 1 where ctid = (
          select ctid from ${table} where organisation_id = ${organisationId} and ${column} is not null and ${only}
          order by md5(ctid::text) limit 1 offset ${nth}) returning 1 as one`)
      if (changed.length > 0) told = await check(tx)
      throw new RollBack()
    })
  } catch (error) {
    if (!(error instanceof RollBack)) return true
  }
  return told
}

/**
 * The figures of which nobody is told when some of them are changed, and those that the organisation lacks. Of
 * some figures, `only` says which rows count.
 */
export async function silentFigures(
  database: Database,
  organisationId: string,
  names: readonly string[],
  check: (tx: Tx) => Promise<boolean>,
  only: Readonly<Record<string, Sql>> = {},
): Promise<{ silent: string[]; absent: string[] }> {
  const silent: string[] = []
  const absent: string[] = []
  for (const name of names) {
    const told: boolean[] = []
    for (const nth of [0, 1]) {
      const answer = await isTold(
        database,
        organisationId,
        name,
        { nth, only: only[name] ?? sql`true` },
        check,
      )
      if (answer !== undefined) told.push(answer)
    }
    if (told.length === 0) absent.push(name)
    if (told.includes(false)) silent.push(name)
  }
  return { silent, absent }
}
