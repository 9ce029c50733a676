// The baseline for benchmarks of single commands: a bare Fastify route with one durable update per request.
// Each connection updates its own row.

import Fastify from 'fastify'
import pg from 'pg'
import { sql } from '../src/platform/database/db.ts'
import { openEmbeddedPostgres } from '../src/platform/embedded-postgres/open.ts'
import type { Config } from '../src/process/config.ts'
import type { Store } from '../src/process/store.ts'
import { post } from './load.ts'
import { announcePort } from './role.ts'

/** The maximum number of connections, each of which has a row. */
export const connections = 32

/** A request to the baseline. */
export const bareRequest = post('/update', '{}')

/** Creates the rows. */
export const prepareBare = ({ database }: Store): Promise<void> =>
  database.atomically(async tx => {
    await tx.run(
      sql`create table bare_stock (id integer primary key, quantity integer) with (fillfactor = 80)`,
    )
    await tx.run(sql`insert into bare_stock select n, 1000000 from generate_series(0, ${connections}) n`)
  })

/** Serves the baseline. */
export async function serveBare({ dataDir, poolSize }: Config): Promise<void> {
  const postgres = await openEmbeddedPostgres({ dataDir, log: { info: () => {}, warn: console.error } })
  const pool = new pg.Pool({ ...postgres.connection, max: poolSize })
  const app = Fastify()
  const update = { name: 'bare', text: 'update bare_stock set quantity = quantity - 1 where id = $1' }
  let n = 0
  app.post('/update', async () => {
    await pool.query({ ...update, values: [n++ % connections] })
    return { short: 0 }
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  announcePort((app.server.address() as { port: number }).port)
}
