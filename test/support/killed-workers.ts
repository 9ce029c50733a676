// Workers that a test kills at a chosen point: at an advisory lock that a trigger of the test takes.

import type pg from 'pg'
import { sql } from '../../src/platform/database/db.ts'
import { encryptionKey, type World } from './harness.ts'
import { temporaryDataDir } from './processes.ts'
import { type RunningProcess, startServiceProcess } from './service-process.ts'
import { atEnd, openDirectClient } from './test-database.ts'

/** Advisory locks that a test holds. */
export interface HeldLocks {
  release(key: number): Promise<unknown>
  /** The name of the process that waits for a lock. */
  waiting(key: number): Promise<string | undefined>
}

/** Prepares a database over a connection that bypasses any pooler, and takes locks there. */
export async function holdLocks(
  databaseUrl: string,
  keys: readonly number[],
  prepare: (client: pg.Client) => Promise<unknown>,
): Promise<HeldLocks> {
  const client = await openDirectClient(databaseUrl)
  await prepare(client)
  for (const key of keys) await client.query('select pg_advisory_lock($1)', [key])
  return {
    release: key => client.query('select pg_advisory_unlock($1)', [key]),
    waiting: async key =>
      (
        await client.query<{ name: string }>(
          `select a.application_name as name from pg_locks l join pg_stat_activity a using (pid)
           where l.locktype = 'advisory' and not l.granted and l.objid = $1`,
          [key],
        )
      ).rows[0]?.name,
  }
}

/** Starts workers on the database of a world, which can be killed by their names. */
export async function openWorkers({ database, databaseUrl, secretBox }: World) {
  // The apps of a test world have no valid secret, but a service needs sealed ones.
  await database.inOneStatement(tx =>
    tx.run(sql`update custom_app set secret_hash = ${secretBox.seal(Buffer.from('none'))}`),
  )
  const settings = { DATA_DIR: await temporaryDataDir(), ENCRYPTION_KEY: encryptionKey, ROLES: 'worker' }
  const workers = new Map<string, RunningProcess>()
  let started = 0
  atEnd(() => Promise.all([...workers.values()].map(worker => worker.kill())))
  return {
    started: () => started,
    async start(): Promise<void> {
      const name = `worker ${++started}`
      const url = new URL(databaseUrl)
      url.searchParams.set('application_name', name)
      workers.set(name, await startServiceProcess({ ...settings, DATABASE_URL: url.href }))
    },
    async kill(name: string): Promise<void> {
      await workers.get(name)?.kill()
      workers.delete(name)
    },
  }
}
