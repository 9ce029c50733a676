// Where the data is: the database that DATABASE_URL names, or the embedded PostgreSQL in DATA_DIR. Used by
// the service and the command line.

import pg from 'pg'
import type { Database } from '../platform/database/db.ts'
import { migrate, migrationState } from '../platform/database/migrate.ts'
import { openDatabase } from '../platform/database/open-database.ts'
import type { DatabaseOptions } from '../platform/database/pools.ts'
import { hasDatabase } from '../platform/embedded-postgres/home.ts'
import { openEmbeddedPostgres } from '../platform/embedded-postgres/open.ts'
import type { SecretBox } from '../platform/secret-box.ts'
import { loadReferenceData } from '../reference-data/load-reference-data.ts'
import type { Config } from './config.ts'
import { connectionFault, isHopeless, refuseOldServer, schemaFault } from './database-faults.ts'
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

/** How long a command waits for a server that is just starting; a service waits longer. */
const commandPatienceMs = 5_000

/** A database server that runs, with the database as it is: not brought up to date. */
export interface ReachedDatabase {
  /** how to reach it */
  readonly connection: DatabaseOptions['connection']
  /** and how without a transaction pooler */
  readonly directConnection: DatabaseOptions['connection']
  /** sentences for the user, such as where the data lies */
  readonly notes: readonly string[]
  /** Opens a connection, waiting for a server that is just starting. The caller ends it. */
  connect(purpose: string): Promise<pg.Client>
  /** Stops the server if it was started here. */
  stop(): Promise<void>
}

/** Throws where the embedded database is used and was never made: what only looks at it makes none. */
export async function refuseMissing({ databaseUrl, dataDir }: Config): Promise<void> {
  if (databaseUrl === undefined && !(await hasDatabase(dataDir)))
    throw new Error(`There is no database in ${dataDir} (DATA_DIR), and DATABASE_URL names none.`)
}

/** Finds the database, and starts the embedded one where that is used and does not run yet. */
export async function reachDatabase(
  config: Config,
  log: StoreLog,
  patienceMs = commandPatienceMs,
): Promise<ReachedDatabase> {
  const embedded =
    config.databaseUrl === undefined
      ? await openEmbeddedPostgres({ dataDir: config.dataDir, log })
      : undefined
  const connection = embedded?.connection ?? { connectionString: config.databaseUrl as string }
  const { databaseDirectUrl: direct } = config
  const directConnection = direct === undefined ? connection : { connectionString: direct }
  const setting = direct === undefined ? config.databaseSetting : 'DATABASE_DIRECT_URL'
  return {
    connection,
    directConnection,
    notes: embedded?.notes ?? [],
    async connect(purpose) {
      const named = { ...directConnection, application_name: `waybill ${purpose}` }
      const client = await connect(named, setting, log, patienceMs)
      await refuseOldServer(client, destinationOf(client)).catch(async error => {
        await client.end()
        throw error
      })
      return client
    },
    stop: async () => embedded?.stop(),
  }
}

async function connect(
  connection: pg.ClientConfig,
  setting: string,
  log: StoreLog,
  patienceMs: number,
): Promise<pg.Client> {
  const end = Date.now() + patienceMs
  for (let attempt = 1; ; attempt++) {
    const client = new pg.Client({ ...connection, connectionTimeoutMillis: 5_000 })
    client.on('error', error => log.warn(`The connection to the database failed: ${error.message}`))
    try {
      await client.connect()
      return client
    } catch (error) {
      const said = connectionFault(error, { ...destinationOf(client), setting })
      if (isHopeless(error) || Date.now() > end) throw new Error(said)
      if (attempt === 1) log.info(`Waiting for the database. ${said}`)
      await new Promise(resolve => setTimeout(resolve, 500))
    }
  }
}

/** Where a connection leads. */
const destinationOf = ({ host, port, user, database }: pg.Client) => ({ host, port, user, database })

/**
 * Brings a database up to date. Returns the names of the migrations that were applied. One that a newer
 * version has brought further is left as it is, and that is said: so an upgrade can be taken back.
 */
export async function bringUpToDate(client: pg.Client, log: Pick<StoreLog, 'warn'>): Promise<string[]> {
  try {
    const { pending, newer } = await migrationState(client)
    if (newer.length > 0) {
      log.warn(`The database was migrated by a newer version of Waybill (it has ${newer.join(', ')}).`)
      return []
    }
    const migrated = pending.length > 0 ? await migrate(client) : []
    await loadReferenceData(client)
    return migrated
  } catch (error) {
    const said = schemaFault(error, destinationOf(client))
    throw said === undefined ? error : new Error(said)
  }
}

/** Opens the store and brings it up to date. */
export async function openStore(
  config: Config,
  log: StoreLog,
  {
    patienceMs,
    ...limits
  }: Pick<DatabaseOptions, 'maxStatementMs' | 'onDroppedSettings'> & {
    patienceMs?: number | undefined
  } = {},
): Promise<Store> {
  const reached = await reachDatabase(config, log, patienceMs)
  const { connection, directConnection, notes } = reached
  try {
    const client = await reached.connect('start')
    const migrated = await bringUpToDate(client, log).finally(() => client.end())
    const database = openDatabase({
      connection,
      directConnection,
      poolSize: config.poolSize,
      snapshots: config.reportConnections,
      onOutage: (error: NodeJS.ErrnoException) =>
        log.warn(`The database is away: ${error.message || error.code}`),
      onRecovery: () => log.info('The database is back.'),
      onError: error => log.warn(`What was to follow a change failed: ${error.message}`),
      ...limits,
    })
    return {
      database,
      connection,
      openSecrets: () => openSecrets(database, config),
      migrated,
      notes,
      async close() {
        await database.close()
        await reached.stop()
      },
    }
  } catch (error) {
    await reached.stop()
    throw error
  }
}
