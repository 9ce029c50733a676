// Rows that a statement is given, as a table that it reads. Each column is one array parameter, so the text
// of the statement does not depend on how many rows there are; the database reads arrays several times as
// fast as JSON.

import { join, raw, type Sql, sql } from './db.ts'

// The planner reckons with a hundred rows because of it, however many there are: otherwise it would make a
// new plan each time, for the number that it sees, and take longer over it than over the statement.
const aboutHundred = sql`json_array_elements('[]')`

/**
 * Rows as something to select from, named `alias`. `fields` has the SQL type of each field; a field that a
 * row lacks is null; one of type json is given as text.
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
    const sent = i > 0 && values.every(value => value === null) ? [] : values
    return sql`${sent}::${raw(fields[name])}[]`
  })
  const named = raw(names.map(name => `"${name}"`).join(', '))
  return sql`(
    select ${named} from rows from (unnest(${join(columns)}), ${aboutHundred}) as r (${named}, nothing)
  ) as ${raw(alias)}`
}
