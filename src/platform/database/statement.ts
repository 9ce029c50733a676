// Sends statements and reads their rows. Every statement is prepared under a name derived from its text. The
// names of result columns are converted from snake_case to camelCase once per statement.

import { createHash } from 'node:crypto'
import pg from 'pg'
import type { Db, Sql } from './db.ts'

declare module 'pg' {
  // Members of the driver that its type declarations leave out.
  interface Connection {
    /** the texts that the connection has prepared, by name */
    parsedStatements: Record<string, string | undefined>
  }
  interface ClientBase {
    connection: Connection
    /** the id of the server process that serves the connection */
    processID: number
  }
}

/** How the values of columns are parsed: times stay text, in the format of the API. */
export const types = new pg.TypeOverrides()
const { builtins } = pg.types
types.setTypeParser(builtins.INT8, Number)
types.setTypeParser(builtins.NUMERIC, Number)
types.setTypeParser(builtins.DATE, text => text)
types.setTypeParser(builtins.TIMESTAMP, text => `${text.slice(0, 10)}T${text.slice(11, 19)}Z`)
types.setTypeParser(builtins.TIMESTAMPTZ, text => {
  // A pooler may have dropped the time zone that the connection asked for.
  if (!text.endsWith('+00')) return toUtc(text)
  const fraction = text[19] === '.' ? text.slice(20, -3) : ''
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${fraction.slice(0, 3).padEnd(3, '0')}Z`
})

/**
 * Converts a time with an offset, such as `2026-11-22 22:05:06.78901+05:30`. Leaves other texts as they are.
 */
function toUtc(text: string): string {
  const parts = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.(\d+))?([+-])(\d\d)(?::(\d\d))?(?::(\d\d))?$/.exec(
    text,
  )
  if (parts === null) return text
  const [, date, time, fraction = '', sign, hours, minutes = 0, seconds = 0] = parts
  const offset = (sign === '-' ? -1 : 1) * (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds))
  const local = Date.parse(`${date}T${time}.${fraction.slice(0, 3).padEnd(3, '0')}Z`)
  return new Date(local - offset * 1000).toISOString()
}

const units: Record<string, string> = { kg: 'KG', mm: 'MM' }

/** Converts `weight_kg` to `weightKG` and `created_utc` to `createdUtc`: the specification's spelling. */
export const camelCase = (column: string): string =>
  column
    .split('_')
    .map((word, i) => (i === 0 ? word : (units[word] ?? word[0]?.toUpperCase() + word.slice(1))))
    .join('')

const names = new Map<string, string>()

// Each connection keeps all statements that it has prepared, so their number must be limited.
const maxNames = 1_000

/** The name that a statement is prepared under. Undefined (not prepared) once there are too many names. */
const nameOf = (text: string): string | undefined => {
  let name = names.get(text)
  if (name === undefined && names.size < maxNames) {
    name = createHash('sha256').update(text).digest('base64url').slice(0, 24)
    names.set(text, name)
  }
  return name
}

/** The keys of result rows, by the name of the statement. */
const keysByName = new Map<string, string[]>()

/** The rows that a statement returned, and how many it returned or changed. */
export interface StatementOutcome {
  rows: Record<string, unknown>[]
  count: number
}

/** Sends a statement over a connection, or over any one of a pool. */
export async function sendStatement(client: pg.Pool | pg.ClientBase, query: Sql): Promise<StatementOutcome> {
  const name = nameOf(query.text)
  const statement = { text: query.text, values: query.values, rowMode: 'array' as const }
  const result = await client.query<unknown[]>(name === undefined ? statement : { name, ...statement })
  let keys = name === undefined ? undefined : keysByName.get(name)
  if (keys === undefined || keys.length !== result.fields.length) {
    keys = result.fields.map(field => camelCase(field.name))
    if (name !== undefined) keysByName.set(name, keys)
  }
  const rows = new Array<Record<string, unknown>>(result.rows.length)
  for (let i = 0; i < rows.length; i++) {
    const values = result.rows[i] as unknown[]
    const row: Record<string, unknown> = {}
    for (let k = 0; k < keys.length; k++) row[keys[k] as string] = values[k]
    rows[i] = row
  }
  return { rows, count: result.rowCount ?? 0 }
}

/**
 * Whether a connection has not prepared a statement that it tried to send. If preparing fails, PostgreSQL
 * does not know the name, but a pooler does, and it ends a connection that prepares the same name again.
 */
export function isUnprepared({ connection }: pg.ClientBase, { text }: Sql): boolean {
  const name = names.get(text)
  return name !== undefined && connection.parsedStatements[name] === undefined
}

/** Makes a handle that reads, over anything that can send a query. */
export function readHandle(send: (query: Sql) => Promise<StatementOutcome>): Db {
  return {
    rows: async <Row>(query: Sql) => (await send(query)).rows as Row[],
    maybe: async <Row>(query: Sql) => (await send(query)).rows[0] as Row | undefined,
    row: async <Row>(query: Sql) => {
      const [row] = (await send(query)).rows
      if (row === undefined) throw new Error(`A query that always has a row had none: ${query.text}`)
      return row as Row
    },
  }
}

/** Makes a handle that reads over one connection, within its transaction if one is open. */
export const clientHandle = (client: pg.ClientBase): Db => readHandle(query => sendStatement(client, query))
