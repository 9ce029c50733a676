// Rows that a statement is given, as a table that it reads. Each column is one array parameter, so the text
// of the statement does not depend on how many rows there are; the database reads arrays several times as
// fast as JSON.

import { join, raw, type Sql, sql } from './db.ts'

// The planner reckons with a hundred rows because of it, however many there are: otherwise it would make a
// new plan each time, for the number that it sees, and take longer over it than over the statement.
const aboutHundred = sql`json_array_elements('[]')`

/** What stands in an array as it is: without blanks, quotes, commas or braces, and neither empty nor null. */
const plain = /^(?!null$)[\w.+-]+$/i

/**
 * The text of an array whose items need no quotes, such as ids and decimals; undefined for any other, which
 * the driver writes. It looks at every letter of every item, which takes several times as long.
 */
function plainArray(values: readonly unknown[]): string | undefined {
  const items: string[] = []
  for (const value of values) {
    if (value === null) items.push('NULL')
    else if (typeof value === 'number' || typeof value === 'boolean') items.push(String(value))
    else if (typeof value === 'string' && plain.test(value)) items.push(value)
    else return undefined
  }
  return `{${items.join(',')}}`
}

/** The text of JSON has no line breaks: a line each, null is empty. Nothing in it is looked at or quoted. */
const jsonLines = (values: readonly unknown[], type: string): Sql =>
  sql`string_to_array(${values.join('\n')}, E'\n', '')::${raw(type)}[]`

/**
 * Rows as something to select from, named `alias`. `fields` has the SQL type of each field; a field that a
 * row lacks is null; one of type json is given as text, as JSON.stringify writes it.
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
    // A shorter column is filled up with nulls: only the first has to say how many rows there are.
    const isEmpty = i > 0 && values.every(value => value === null)
    if (!isEmpty && /^jsonb?$/.test(fields[name])) return jsonLines(values, fields[name])
    const sent = isEmpty ? [] : (plainArray(values) ?? values)
    return sql`${sent}::${raw(fields[name])}[]`
  })
  const named = raw(names.map(name => `"${name}"`).join(', '))
  return sql`(
    select ${named} from rows from (unnest(${join(columns)}), ${aboutHundred}) as r (${named}, nothing)
  ) as ${raw(alias)}`
}

/** Many ids as a table of one column, `id`. Sent as an array, the planner would look at each of them. */
export const idTable = (ids: Iterable<string>): Sql =>
  sql`(select unnest(string_to_array(${[...ids].join(',')}, ',')::uuid[]) as id)`
