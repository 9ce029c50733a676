// A connection outside the pools, for work that must not wait for them. It is opened on first use, and again
// after it was lost.

import type pg from 'pg'
import type { Database } from './db.ts'

// Less than the two seconds within which callers get a response.
const maxWaitMs = 1_500

/** A connection that is reopened when it is lost. */
export interface Session {
  /**
   * Sends a statement. Rejects if there is no reply within 1.5 s; the connection is then abandoned, and the
   * statement may still take effect.
   */
  rows<Row extends object>(text: string, values: unknown[]): Promise<Row[]>
  close(): Promise<void>
}

/** Makes a session; no connection is opened yet. */
export function openSession(database: Database): Session {
  let opening: Promise<pg.Client> | undefined
  let isClosed = false

  /** Forgets a connection that failed or ended, unless another one has taken its place. */
  function forget(ended: Promise<pg.Client>): void {
    if (opening === ended) opening = undefined
  }

  function connection(): Promise<pg.Client> {
    if (isClosed) return Promise.reject(new Error('Connection terminated: it was closed.'))
    if (opening !== undefined) return opening
    const opened = database.openConnection({ isDirect: false })
    opening = opened
    opened.then(
      client => client.once('end', () => forget(opened)),
      () => forget(opened),
    )
    return opened
  }

  return {
    async rows<Row extends object>(text: string, values: unknown[]) {
      const opened = connection()
      const client = await opened
      try {
        const { rows } = await client.query<Row>({ text, values, query_timeout: maxWaitMs } as pg.QueryConfig)
        return rows
      } catch (error) {
        // An error of the statement itself has a code; without one the connection is lost or stalled.
        if ((error as { code?: string }).code === undefined) {
          forget(opened)
          client.connection.stream.destroy()
        }
        throw error
      }
    },
    async close() {
      const open = opening
      isClosed = true
      await open?.then(client => client.end()).catch(() => {})
    },
  }
}
