// Conditions of the filters that reports have in common.

import { empty, type Sql, sql } from '../platform/database/db.ts'

/** `and column = value`, or nothing if the filter is absent. */
export const equal = (column: Sql, value: string | number | boolean | undefined): Sql =>
  value === undefined ? empty : sql`and ${column} = ${value}`

/** Restricts a date to a period; either end may be absent. */
export const between = (column: Sql, from: string | undefined, to: string | undefined): Sql => sql`
  ${from === undefined ? empty : sql`and ${column} >= ${from}::date`}
  ${to === undefined ? empty : sql`and ${column} <= ${to}::date`}`
