// Builds insert and update statements from objects whose keys are field names of the API. The keys come from
// our schemas, never from a request.

import { join, raw, type Sql, sql } from './db.ts'

/** Converts `weightKG` to `weight_kg` and `createdUtc` to `created_utc`. */
export const snakeCase = (field: string): string =>
  field.replace(/[A-Z]+(?![a-z])|[A-Z]/g, (word, at) => `${at === 0 ? '' : '_'}${word.toLowerCase()}`)

const column = (field: string) => raw(`"${snakeCase(field)}"`)

/**
 * Those of the named fields that a request body gives a value: neither absent nor null nor, as in updates, an
 * empty text.
 */
export function givenFields<Body extends object, const Field extends keyof Body & string>(
  body: Body,
  fields: readonly Field[],
): { [K in Field]?: NonNullable<Body[K]> } {
  const entries = fields
    .filter(field => body[field] !== undefined && body[field] !== null && body[field] !== '')
    .map(field => [field, body[field]])
  return Object.fromEntries(entries) as { [K in Field]?: NonNullable<Body[K]> }
}

/** `insert into table (…) values (…)`; a field that is undefined gets its column's default. */
export function insertInto(table: string, row: Record<string, unknown>): Sql {
  const entries = Object.entries(row).filter(([, value]) => value !== undefined)
  const columns = join(entries.map(([field]) => column(field)))
  return sql`insert into ${raw(table)} (${columns})
    values (${join(entries.map(([, value]) => sql`${value}`))})`
}

/** Those of the named fields that the body of an update contains. Null or an empty text clears a field. */
export function changedFields<Body extends object, const Field extends keyof Body & string>(
  body: Body,
  fields: readonly Field[],
): { [K in Field]?: Exclude<Body[K], undefined> } {
  const entries = fields
    .filter(field => body[field] !== undefined)
    .map(field => [field, body[field] === '' ? null : body[field]])
  return Object.fromEntries(entries) as { [K in Field]?: Exclude<Body[K], undefined> }
}

/**
 * `update table set … where …`. Keeps every field that is undefined in `change`, and clears those that are
 * null or an empty text. It touches no row that would stay the same, so the number of rows says whether
 * anything changed. The text of the statement is the same for every combination of fields.
 */
export function updateFields(
  table: string,
  fields: readonly string[],
  change: Record<string, unknown>,
  where: Sql,
): Sql {
  const values = changedFields(change, fields)
  const value = (field: string) =>
    sql`case when ${field in values} then ${values[field] ?? null} else ${column(field)} end`
  const assignments = join(fields.map(field => sql`${column(field)} = ${value(field)}`))
  const before = join(fields.map(column))
  const after = join(fields.map(value))
  return sql`update ${raw(table)} set ${assignments}
    where ${where} and row(${before}) is distinct from row(${after})`
}
