// Examines the database without changing it: server, rights, clocks, connections, migrations and key.

import pg from 'pg'
import { migrationState } from '../platform/database/migrate.ts'
import { clientHandle } from '../platform/database/statement.ts'
import type { Config } from '../process/config.ts'
import { readDatabaseKey, readFirstSecret } from '../process/database-key.ts'
import { readRights, rightsFault } from '../process/database-rights.ts'
import { findOtherIssuer, issuerFault } from '../process/issuer.ts'
import { replicaWarning } from '../process/replicas.ts'
import type { ReachedDatabase } from '../process/store.ts'
import { type DoctorFinding, faultFinding, findingOf, okFinding, warningFinding } from './finding.ts'

/** How far apart the clocks may be: tokens are valid for an hour, and leases for 45 seconds. */
const maxSkewSeconds = 5
/** Connections outside the two main pools: for large requests, hints and the lock of the data folder. */
const otherConnections = 9

/** The findings, and whether a service is using the database now. */
export interface DatabaseFindings {
  findings: DoctorFinding[]
  isServiceRunning: boolean
}

/** Examines an existing database. Throws if it cannot be reached. */
export async function examineDatabase(reached: ReachedDatabase, config: Config): Promise<DatabaseFindings> {
  const client = await reached.connect('doctor')
  try {
    const facts = await readFacts(client)
    const findings = [
      okFinding('database', `PostgreSQL ${facts.version}, database ${facts.database}, as ${facts.user}.`),
      await examineRights(client),
      await examineSession(reached),
      examineClock(facts),
      examineConnections(facts, config),
      await findingOf('migrations', () => examineMigrations(client)),
      await findingOf('key', () => examineKey(client, config)),
      await findingOf('issuer', () => examineIssuer(client, config)),
      await findingOf('replicas', () => examineReplicas(client)),
    ]
    return { findings, isServiceRunning: facts.services > 0 }
  } finally {
    await client.end()
  }
}

interface Facts {
  version: string
  database: string
  user: string
  millisecondsAhead: number
  maxConnections: number
  usedConnections: number
  services: number
}

async function readFacts(client: pg.Client): Promise<Facts> {
  const before = Date.now()
  const { rows } = await client.query(`
    select current_setting('server_version') as version, current_database() as database,
      current_user as user,
      extract(epoch from clock_timestamp())::float8 * 1000 as now,
      current_setting('max_connections')::int
        - current_setting('superuser_reserved_connections')::int as "maxConnections",
      (select count(*)::int from pg_stat_activity where backend_type = 'client backend')
        as "usedConnections",
      (select count(*)::int from pg_stat_activity
        where datname = current_database() and application_name = 'waybill') as services`)
  const [{ now, ...facts }] = rows
  return { ...facts, millisecondsAhead: now - (before + Date.now()) / 2 }
}

async function examineRights(client: pg.Client): Promise<DoctorFinding> {
  const rights = await readRights(client)
  const says = rightsFault(rights)
  return says === undefined
    ? okFinding('rights', `${rights.user} can read, write and change the tables.`)
    : faultFinding('rights', says)
}

/** Examines whether a pooler drops the settings that a connection requests. */
const examineSession = ({ connection }: ReachedDatabase): Promise<DoctorFinding> =>
  findingOf('time zone', async () => {
    const client = new pg.Client({ ...connection, options: '-c timezone=UTC -c lock_timeout=3s' })
    client.on('error', () => {})
    await client.connect()
    try {
      const { rows } = await client.query(
        `select current_setting('timezone') as zone, current_setting('lock_timeout') as wait`,
      )
      const { zone, wait } = rows[0]
      if (zone === 'UTC' && wait === '3s')
        return okFinding('time zone', 'Connections have the settings they ask for.')
      return warningFinding(
        'time zone',
        `Connections do not have the settings they ask for (time zone ${zone}, not UTC; lock_timeout ` +
          `${wait}, not 3s). A pooler in between drops them. Waybill sets them again where it matters; ` +
          'docs/production.md says how the pooler sets them itself.',
      )
    } finally {
      await client.end()
    }
  })

function examineClock({ millisecondsAhead }: Facts): DoctorFinding {
  const seconds = millisecondsAhead / 1000
  const apart = `${Math.abs(seconds).toFixed(1)} seconds`
  return Math.abs(seconds) > maxSkewSeconds
    ? warningFinding(
        'clock',
        `The database's clock is ${apart} ${seconds > 0 ? 'ahead of' : 'behind'} this one's.`,
      )
    : okFinding('clock', `The database's clock and this one's are ${apart} apart.`)
}

function examineConnections(facts: Facts, { poolSize, reportConnections }: Config): DoctorFinding {
  const { maxConnections, usedConnections, services } = facts
  // Two for each report: one of the pool, which an earlier report may have left open, and one of the thread.
  const needed = 2 * poolSize + 2 * reportConnections + otherConnections
  const says = `${usedConnections} of ${maxConnections} are used; a process takes up to ${needed}.`
  return services === 0 && maxConnections - usedConnections < needed
    ? warningFinding('connections', `${says} Raise max_connections, or lower POOL_SIZE.`)
    : okFinding('connections', says)
}

async function examineMigrations(client: pg.Client): Promise<DoctorFinding> {
  const { pending, newer } = await migrationState(client)
  if (newer.length > 0)
    return warningFinding(
      'migrations',
      `A newer version of Waybill has migrated the database (it has ${newer.join(', ')}); this one can ` +
        'serve it too.',
    )
  return pending.length === 0
    ? okFinding('migrations', 'The database is up to date.')
    : warningFinding('migrations', `Pending, and applied by the next start: ${pending.join(', ')}.`)
}

async function examineKey(client: pg.Client, config: Config): Promise<DoctorFinding> {
  const keyLocation =
    config.encryptionKey === undefined ? `${config.dataDir}/encryption.key` : 'ENCRYPTION_KEY'
  const { rows } = await client.query(`select to_regclass('signing_key') is not null as has_table`)
  const sealed = rows[0].has_table ? await readFirstSecret(clientHandle(client)) : undefined
  if (sealed === undefined) return okFinding('key', 'The database holds no secrets yet.')
  await readDatabaseKey(clientHandle(client), config)
  return okFinding('key', `${keyLocation} opens the secrets of the database.`)
}

/** Examines whether running processes issue tokens under another address than a process here would. */
async function examineIssuer(client: pg.Client, config: Config): Promise<DoctorFinding> {
  const { authUrl, baseUrl, port, roles } = config
  if (!roles.api) return okFinding('issuer', 'A worker issues no tokens.')
  const issuer = authUrl ?? baseUrl ?? (port === 0 ? undefined : `http://localhost:${port}`)
  if (issuer === undefined) return okFinding('issuer', 'Tokens are issued by the port that the start takes.')
  const { rows } = await client.query(
    `select from pg_attribute where attrelid = to_regclass('service_process') and attname = 'issuer'`,
  )
  const other = rows.length === 0 ? undefined : await findOtherIssuer(clientHandle(client), issuer)
  return other === undefined
    ? okFinding('issuer', `Tokens are issued as ${issuer}.`)
    : faultFinding('issuer', issuerFault(issuer, other.issuer))
}

/** Examines whether a fail-over to a replica can lose what was acknowledged. */
async function examineReplicas(client: pg.Client): Promise<DoctorFinding> {
  const says = await replicaWarning(clientHandle(client))
  return says === undefined
    ? okFinding('replicas', 'A fail-over loses nothing: there is no replica, or one of them is synchronous.')
    : warningFinding('replicas', says)
}
