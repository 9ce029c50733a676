// Copies what an organisation has set up into another one, which takes less time than setting it up again. The
// ids stay the same, for keys begin with the organisation: whatever forgets to ask for it finds those of others.

import type { Actor } from '../../src/access/actor.ts'
import { type Database, raw, sql } from '../../src/platform/database/db.ts'

const tables = [
  ...[
    'tax_rate',
    'revenue_account',
    'activity_type',
    'partner',
    'product',
    'warehouse',
    'warehouse_location',
  ],
  ...['faf_profile', 'faf_profile_rate', 'rate_card', 'rate_card_version', 'unit_type'],
  ...['task_type', 'consumable_type'],
  ...['product_unit_conversion', 'product_dg_hazard_class'],
]

type Columns = { table: string; names: string; values: string }[]

// A uuid may be that of the organisation, or of who set it up.
const readColumns = (database: Database): Promise<Columns> =>
  database.db.rows(sql`
    select table_name as table, string_agg(column_name, ', ') as names,
      string_agg(case data_type when 'uuid' then format('case %1$I when from_organisation then to_organisation
        when from_user then to_user when from_connection then to_connection else %1$I end', column_name) else
        column_name::text end, ', ') as values
    from information_schema.columns
    where table_schema = 'public' and is_generated = 'NEVER' and table_name = any(${tables})
    group by 1`)
let columns: Promise<Columns> | undefined

export async function copySetUp(database: Database, from: Actor, to: Actor): Promise<void> {
  columns ??= readColumns(database)
  const all = await columns
  await database.atomically(async tx => {
    // Rows of these tables refer to each other in circles, and nothing else happens when they are copied.
    await tx.run(sql`set local session_replication_role = replica`)
    for (const { table, names, values } of all)
      await tx.run(sql`insert into ${raw(table)} (${raw(names)})
        select ${raw(values)} from ${raw(table)}, (select
            ${from.organisationId}::uuid as from_organisation, ${to.organisationId}::uuid as to_organisation,
            ${from.userId}::uuid as from_user, ${to.userId}::uuid as to_user,
            ${from.connectionId}::uuid as from_connection, ${to.connectionId}::uuid as to_connection) as actors
        where organisation_id = from_organisation`)
  })
}
