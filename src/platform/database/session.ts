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

  async function open(): Promise<pg.Client> {
    const client = await database.openConnection({ isDirect: false })
    client.once('end', () => {
      opening = undefined
    })
    return client
  }

  function connection(): Promise<pg.Client> {
    if (isClosed) return Promise.reject(new Error('Connection terminated: it was closed.'))
    opening ??= open().catch(error => {
      opening = undefined
      throw error
    })
    return opening
  }

  function abandon(client: pg.Client): void {
    opening = undefined
    client.connection.stream.destroy()
  }

  return {
    async rows<Row extends object>(text: string, values: unknown[]) {
      const client = await connection()
      try {
        const { rows } = await client.query<Row>({ text, values, query_timeout: maxWaitMs } as pg.QueryConfig)
        return rows
      } catch (error) {
        // An error of the statement itself has a code; without one the connection is lost or silent.
        if ((error as { code?: string }).code === undefined) abandon(client)
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
