// A snapshot of the database that several connections read in parallel, for a thread with much to read. Each
// connection has a read-only transaction, and all of them see the same data.

import pg from 'pg'
import { lowerProcessPriority } from '../priority.ts'
import type { Database, Db, Sql } from './db.ts'
import { clientHandle, types } from './statement.ts'

/** How long one statement may run. */
const maxStatementSeconds = 120
const begin = `begin isolation level repeatable read read only;
  set local timezone = 'UTC'; set local jit = off; set local work_mem = '64MB';
  set local statement_timeout = '${maxStatementSeconds}s';
  set local idle_in_transaction_session_timeout = '120s';
  set local client_connection_check_interval = '1s'`

/** One of the connections that read a snapshot. */
export interface SnapshotReader extends Db {
  /** The one row that a query always returns: the text of each column, by the column's own name. */
  textRow(query: Sql): Promise<Record<string, string | null>>
}

/** A snapshot, and the connections that read it. */
export interface SharedSnapshot {
  readonly readers: readonly SnapshotReader[]
  close(): Promise<void>
}

const asText = { getTypeParser: () => (text: string) => text }

function readerOf(client: pg.Client): SnapshotReader {
  return {
    ...clientHandle(client),
    async textRow({ text, values }) {
      const { rows } = await client.query<Record<string, string | null>>({ text, values, types: asText })
      return rows[0] as Record<string, string | null>
    },
  }
}

/**
 * Opens `count` connections (at least one) that read the database as of now. `settings` are statements that
 * each of them runs first. The built-in database serves them at a lower priority than requests.
 */
export async function openSharedSnapshot(
  connection: Database['connection'],
  count: number,
  settings = '',
): Promise<SharedSnapshot> {
  const clients = Array.from({ length: count }, () => {
    const client = new pg.Client({ ...connection, types, connectionTimeoutMillis: 2_000 })
    // The query that fails reports the error.
    client.on('error', () => {})
    return client
  })
  const close = async () => {
    await Promise.all(clients.map(client => client.end().catch(() => {})))
  }
  try {
    await Promise.all(clients.map(client => client.connect()))
    if (connection.isBuiltIn) for (const { processID } of clients) lowerProcessPriority(processID)
    await Promise.all(clients.map(client => client.query(begin)))
    const [first, ...others] = clients as [pg.Client, ...pg.Client[]]
    const { rows } = await first.query<{ name: string }>('select pg_export_snapshot() as name')
    const name = first.escapeLiteral(rows[0]?.name as string)
    await Promise.all(others.map(client => client.query(`set transaction snapshot ${name}`)))
    if (settings !== '') await Promise.all(clients.map(client => client.query(settings)))
    return { readers: clients.map(readerOf), close }
  } catch (error) {
    await close()
    throw error
  }
}
