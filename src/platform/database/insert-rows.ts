// Inserts many rows of one organisation with one statement. The rows are sent as one JSON parameter, or as
// one array for each column, so the text of the statement does not depend on how many there are.

import { raw, type Sql, sql } from './db.ts'
import { tableOf } from './table-of.ts'
import { snakeCase } from './write.ts'

/**
 * Makes a function that builds the insert for a table whose first column is organisation_id. `fields` gives
 * the SQL type of each field of a row; the column is the field's name in snake_case. `expressions` gives the
 * SQL of columns that are computed from fields (`r."field"`), and null for fields that have no column. A
 * field that a row lacks becomes null.
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
 * Like `insertRows`, but sends one array for each column, which the database reads several times as fast. No
 * field may be an array; a field of type jsonb is given as text.
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
