// Opens the database that DATABASE_URL names, or the embedded PostgreSQL in DATA_DIR, for the service and the
// command line.

import pg from 'pg'
import { closeEverything } from '../platform/closing.ts'
import type { Database } from '../platform/database/db.ts'
import { migrate, migrationState } from '../platform/database/migrate.ts'
import { openDatabase } from '../platform/database/open-database.ts'
import type { DatabaseOptions } from '../platform/database/pools.ts'
import { hasDatabase } from '../platform/embedded-postgres/home.ts'
import { openEmbeddedPostgres } from '../platform/embedded-postgres/open.ts'
import type { SecretBox } from '../platform/secret-box.ts'
import { loadReferenceData } from '../reference-data/load-reference-data.ts'
import type { Config } from './config.ts'
import {
  connectionFault,
  isPermanent,
  oldServerFault,
  readServerVersion,
  schemaFault,
} from './database-faults.ts'
import { openSecrets } from './database-key.ts'
import { foreignTablesFault, readRights, rightsFault } from './database-rights.ts'

/** Receives messages for the user about the store. */
export interface StoreLog {
  info(message: string): void
  warn(message: string): void
}

/** An open, migrated database. */
export interface Store {
  readonly database: Database
  /** how to reach it, for further pools */
  readonly connection: DatabaseOptions['connection']
  /** Opens its secrets, which not every command needs. Throws if the key is not that of this database. */
  openSecrets(): Promise<SecretBox>
  /** sentences for the user, such as where the data is kept */
  readonly notes: readonly string[]
  /** names of the migrations that this start applied */
  readonly migrated: readonly string[]
  close(): Promise<void>
}

/** How long a command waits for a server that is just starting; the service waits longer. */
const maxCommandWaitMs = 5_000
const warnEveryMs = 10_000

/** A running database server; the database has not been migrated. */
export interface ReachedDatabase {
  /** how to reach the database */
  readonly connection: DatabaseOptions['connection']
  /** how to reach it without a transaction pooler */
  readonly directConnection: DatabaseOptions['connection']
  /** sentences for the user, such as where the data is kept */
  readonly notes: readonly string[]
  /** Opens a connection, waiting for a server that is just starting. The caller ends it. */
  connect(purpose: string): Promise<pg.Client>
  /** Stops the server if it was started here. */
  stop(): Promise<void>
}

/** Throws if the embedded database is used but does not exist, for commands that must not create it. */
export async function refuseMissing({ databaseUrl, dataDir }: Config): Promise<void> {
  if (databaseUrl === undefined && !(await hasDatabase(dataDir)))
    throw new Error(`There is no database in ${dataDir} (DATA_DIR), and DATABASE_URL is not set.`)
}

/** Finds the database. Starts the embedded one if that is used and not running. */
export async function reachDatabase(
  config: Config,
  log: StoreLog,
  maxWaitMs = maxCommandWaitMs,
  onProgramStarted?: () => void,
): Promise<ReachedDatabase> {
  const embedded =
    config.databaseUrl === undefined
      ? await openEmbeddedPostgres({ dataDir: config.dataDir, log, onProgramStarted })
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
      const namedConnection = { ...directConnection, application_name: `waybill ${purpose}` }
      const { client, version } = await connect(namedConnection, setting, log, maxWaitMs)
      const fault = oldServerFault(version, destinationOf(client))
      if (fault === undefined) return client
      await client.end()
      throw new Error(fault)
    },
    stop: async () => embedded?.stop(),
  }
}

/**
 * Connects, and waits for a server that does not respond yet. The wait is logged at once, and as a warning
 * every ten seconds.
 */
async function connect(
  connection: pg.ClientConfig,
  setting: string,
  log: StoreLog,
  maxWaitMs: number,
): Promise<{ client: pg.Client; version: string }> {
  const start = Date.now()
  let warnAt = start + warnEveryMs
  for (let attempt = 1; ; attempt++) {
    const client = new pg.Client({ ...connection, connectionTimeoutMillis: 5_000 })
    client.on('error', error => log.warn(`The connection to the database failed: ${error.message}`))
    try {
      await client.connect()
      // A pooler accepts connections whether the server behind it can be reached or not.
      return { client, version: await readServerVersion(client) }
    } catch (error) {
      client.end().catch(() => {})
      const explanation = connectionFault(error, { ...destinationOf(client), setting })
      const now = Date.now()
      if (isPermanent(error) || now > start + maxWaitMs) throw new Error(explanation)
      if (now >= warnAt) {
        log.warn(`Still waiting for the database. ${explanation}`)
        warnAt = now + warnEveryMs
      } else if (attempt === 1) log.info(`Waiting for the database. ${explanation}`)
      await new Promise(resolve => setTimeout(resolve, 500))
    }
  }
}

/** The destination of a connection, for messages. */
const destinationOf = ({ host, port, user, database }: pg.Client) => ({ host, port, user, database })

/**
 * Migrates a database and loads the reference data. Returns the names of the migrations that were applied. A
 * database that a newer version has migrated is left as it is, with a warning, so that an upgrade can be
 * undone.
 */
export async function bringUpToDate(client: pg.Client, log: Pick<StoreLog, 'warn'>): Promise<string[]> {
  try {
    const rights = await readRights(client)
    const foreign = foreignTablesFault(rights)
    if (foreign !== undefined) throw new Error(foreign)
    const { pending, newer } = await migrationState(client)
    if (newer.length > 0) {
      log.warn(`The database was migrated by a newer version of Waybill (it has ${newer.join(', ')}).`)
      return []
    }
    const fault = pending.length > 0 ? rightsFault(rights) : undefined
    if (fault !== undefined) throw new Error(fault)
    const migrated = pending.length > 0 ? await migrate(client) : []
    await loadReferenceData(client)
    return migrated
  } catch (error) {
    const explanation = schemaFault(error, destinationOf(client))
    throw explanation === undefined ? error : new Error(explanation)
  }
}

/** Opens the store and migrates its database. */
export async function openStore(
  config: Config,
  log: StoreLog,
  {
    maxWaitMs,
    onProgramStarted,
    ...limits
  }: Pick<DatabaseOptions, 'maxStatementMs' | 'onDroppedSettings'> & {
    maxWaitMs?: number
    /** called when the embedded PostgreSQL is on its way, so that other work can be done meanwhile */
    onProgramStarted?: () => void
  } = {},
): Promise<Store> {
  const reached = await reachDatabase(config, log, maxWaitMs, onProgramStarted)
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
        log.warn(`The database is unavailable: ${error.message || error.code}`),
      onRecovery: () => log.info('The database is back.'),
      onError: error => log.warn(`A task after a commit failed: ${error.message}`),
      ...limits,
    })
    return {
      database,
      connection,
      openSecrets: () => openSecrets(database, config),
      migrated,
      notes,
      close: () => closeEverything([() => reached.stop(), () => database.close()]),
    }
  } catch (error) {
    await reached.stop()
    throw error
  }
}
