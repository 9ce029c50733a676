// Where the data is: the database that DATABASE_URL names, or the embedded PostgreSQL in DATA_DIR. Used by
// the service and the command line.

import pg from 'pg'
import type { Database } from '../platform/database/db.ts'
import { migrate } from '../platform/database/migrate.ts'
import { openDatabase } from '../platform/database/open-database.ts'
import type { DatabaseOptions } from '../platform/database/pools.ts'
import { openEmbeddedPostgres } from '../platform/embedded-postgres/open.ts'
import type { SecretBox } from '../platform/secret-box.ts'
import { loadReferenceData } from '../reference-data/load-reference-data.ts'
import type { Config } from './config.ts'
import { openSecrets } from './open-secrets.ts'

/** What happens with the store, for whoever tells the user. */
export interface StoreLog {
  info(message: string): void
  warn(message: string): void
}

/** An open, migrated database. */
export interface Store {
  readonly database: Database
  /** how to reach it, for further pools */
  readonly connection: DatabaseOptions['connection']
  /** Opens its secrets, which not every command needs. Throws when the key is not that of this database. */
  openSecrets(): Promise<SecretBox>
  /** sentences for the user, such as where the data lies */
  readonly notes: readonly string[]
  /** names of the migrations that this start applied */
  readonly migrated: readonly string[]
  close(): Promise<void>
}

const patienceMs = 30_000

/** Connects, waiting for a server that is just starting. */
async function connect(connection: pg.ClientConfig, log: StoreLog): Promise<pg.Client> {
  const end = Date.now() + patienceMs
  for (let attempt = 1; ; attempt++) {
    const client = new pg.Client({
      ...connection,
      connectionTimeoutMillis: 5_000,
      application_name: 'waybill start',
    })
    client.on('error', error => log.warn(`The connection to the database failed: ${error.message}`))
    try {
      await client.connect()
      return client
    } catch (error) {
      const { message, code } = error as Error & { code?: string }
      const isHopeless = code !== undefined && /^(28|3D)/.test(code)
      if (isHopeless || Date.now() > end)
        throw new Error(`The database cannot be reached: ${message || code}. Check DATABASE_URL.`)
      if (attempt === 1) log.info(`Waiting for the database (${message || code}).`)
      await new Promise(resolve => setTimeout(resolve, 500))
    }
  }
}

/** Opens the store and brings it up to date. */
export async function openStore(
  config: Config,
  log: StoreLog,
  limits: Pick<DatabaseOptions, 'longestStatementMs'> = {},
): Promise<Store> {
  const embedded =
    config.databaseUrl === undefined
      ? await openEmbeddedPostgres({ dataDir: config.dataDir, log })
      : undefined
  const connection = embedded?.connection ?? { connectionString: config.databaseUrl as string }
  const direct = config.databaseDirectUrl
  const directConnection = direct === undefined ? connection : { connectionString: direct }
  try {
    const client = await connect(directConnection, log)
    let migrated: string[]
    try {
      migrated = await migrate(client)
      await loadReferenceData(client)
    } finally {
      await client.end()
    }
    const database = openDatabase({
      connection,
      directConnection,
      poolSize: config.poolSize,
      onAway: (error: NodeJS.ErrnoException) =>
        log.warn(`The database is away: ${error.message || error.code}`),
      onBack: () => log.info('The database is back.'),
      onDroppedSettings: names =>
        log.warn(
          `A pooler on the way to the database drops ${names.join(', ')} of connections. They are set ` +
            'again where it matters; docs/production.md says how the pooler sets them itself.',
        ),
      onError: error => log.warn(`What was to follow a change failed: ${error.message}`),
      ...limits,
    })
    return {
      database,
      connection,
      openSecrets: () => openSecrets(database, config),
      migrated,
      notes: embedded?.notes ?? [],
      async close() {
        await database.close()
        await embedded?.stop()
      },
    }
  } catch (error) {
    await embedded?.stop()
    throw error
  }
}
