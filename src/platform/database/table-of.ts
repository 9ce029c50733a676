// Passes rows to a statement as a table. Each column is one array parameter, so the text of the statement
// does not depend on how many rows there are; the database reads arrays several times as fast as JSON.

import { join, raw, type Sql, sql } from './db.ts'

// A set-returning function that makes the planner estimate a hundred rows. Otherwise it would plan each time
// for the actual number of rows, and planning would take longer than the statement.
const hundredRowEstimate = sql`json_array_elements('[]')`

/**
 * Texts that need no quotes in an array literal: no blanks, quotes, commas or braces; not empty, not null.
 */
const plainItem = /^(?!null$)[\w.+-]+$/i

/**
 * The literal of an array whose items need no quotes, such as ids and decimals. Undefined for any other; the
 * driver writes those, which takes several times as long because it looks at every character.
 */
function plainArray(values: readonly unknown[]): string | undefined {
  const items: string[] = []
  for (const value of values) {
    if (value === null) items.push('NULL')
    else if (typeof value === 'number' || typeof value === 'boolean') items.push(String(value))
    else if (typeof value === 'string' && plainItem.test(value)) items.push(value)
    else return undefined
  }
  return `{${items.join(',')}}`
}

/** JSON values, one on each line; an empty line is null. JSON text has no line breaks, so none is escaped. */
const jsonLines = (values: readonly unknown[], type: string): Sql =>
  sql`string_to_array(${values.join('\n')}, E'\n', '')::${raw(type)}[]`

/**
 * Rows as a table to select from, named `alias`. `fields` gives the SQL type of each field. A field that a
 * row lacks is null; a field of type json is given as text, as JSON.stringify writes it.
 *
 *     sql`select t.name from ${tableOf('t', { name: 'text' }, [{ name: 'Apples' }])}`
 */
export function tableOf<Row extends object>(
  alias: string,
  fields: { readonly [Field in string & keyof Row]-?: string },
  rows: readonly Row[],
): Sql {
  const names = Object.keys(fields) as (string & keyof Row)[]
  const columns = names.map((name, i) => {
    const values = rows.map(row => row[name] ?? null)
    // unnest fills shorter columns with nulls, so an empty column need not be sent, except the first.
    const isEmpty = i > 0 && values.every(value => value === null)
    if (!isEmpty && /^jsonb?$/.test(fields[name])) return jsonLines(values, fields[name])
    const array = isEmpty ? [] : (plainArray(values) ?? values)
    return sql`${array}::${raw(fields[name])}[]`
  })
  const columnNames = raw(names.map(name => `"${name}"`).join(', '))
  return sql`(
    select ${columnNames}
    from rows from (unnest(${join(columns)}), ${hundredRowEstimate}) as r (${columnNames}, nothing)
  ) as ${raw(alias)}`
}

/**
 * Many ids as a table with one column, `id`. If they were sent as an array, the planner would look at each.
 */
export const idTable = (ids: Iterable<string>): Sql =>
  sql`(select unnest(string_to_array(${[...ids].join(',')}, ',')::uuid[]) as id)`
