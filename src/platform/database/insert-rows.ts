// Many rows of one organisation in one insert, sent as one JSON parameter or as one array for each column:
// the text of the statement does not depend on how many there are.

import { raw, type Sql, sql } from './db.ts'
import { tableOf } from './table-of.ts'
import { snakeCase } from './write.ts'

/**
 * Makes the insert for a table that begins with organisation_id. `fields` has the SQL type of each field of a
 * row; its column is its name in snake_case. `expressions` has the SQL of columns that are computed from
 * fields (`r."field"`), and null for fields that have no column. A field that a row lacks is null.
 *
 *     const insertTasks = insertRows<TaskRow>('consignment_task', { id: 'uuid', value: 'numeric' })
 *     await tx.run(insertTasks(organisationId, tasks))
 */
export function insertRows<Row extends object>(
  table: string,
  fields: { [Field in string & keyof Row]-?: string },
  expressions: Record<string, string | null> = {},
): (organisationId: string, rows: readonly Row[]) => Sql {
  const columns = [...new Set([...Object.keys(fields), ...Object.keys(expressions)])].filter(
    name => expressions[name] !== null,
  )
  const into = raw(`${table} (organisation_id, ${columns.map(snakeCase).join(', ')})`)
  const values = raw(columns.map(name => expressions[name] ?? `r."${name}"`).join(', '))
  const shape = raw(
    Object.entries<string>(fields)
      .map(([name, type]) => `"${name}" ${type}`)
      .join(', '),
  )
  return (organisationId, rows) =>
    sql`insert into ${into} select ${organisationId}, ${values}
      from json_to_recordset(${JSON.stringify(rows)}) as r (${shape})`
}

/**
 * The same for many rows of many fields, none of which is an array: they are sent as one array for each
 * column, which the database reads several times as fast. A field of type jsonb is given as text.
 */
export function insertColumns<Row extends object>(
  table: string,
  fields: { readonly [Field in string & keyof Row]-?: string },
): (organisationId: string, rows: readonly Row[]) => Sql {
  const names = Object.keys(fields)
  const into = raw(`${table} (organisation_id, ${names.map(snakeCase).join(', ')})`)
  const values = raw(names.map(name => `r."${name}"`).join(', '))
  return (organisationId, rows) =>
    sql`insert into ${into} select ${organisationId}, ${values} from ${tableOf('r', fields, rows)}`
}
