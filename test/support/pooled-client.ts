// A client as it looks behind a transaction pooler: every transaction, and every statement outside of one,
// may run on another connection of the server.

import pg from 'pg'
import { atEnd } from './test-database.ts'

/** A client that takes another connection after each transaction. Closed when the test file ends. */
export async function openPooledClient(url: string): Promise<pg.Client> {
  const connections = [new pg.Client(url), new pg.Client(url)]
  for (const connection of connections) {
    await connection.connect()
    atEnd(() => connection.end())
  }
  let turn = 0
  let isInTransaction = false
  const query = (...given: Parameters<pg.Client['query']>) => {
    const text = String(given[0]).trim().toLowerCase()
    if (text.startsWith('begin')) isInTransaction = true
    const sent = (connections[turn % connections.length] as pg.Client).query(...given)
    if (/^(commit|rollback)/.test(text)) isInTransaction = false
    if (!isInTransaction) turn++
    return sent
  }
  return { query } as unknown as pg.Client
}
