// Explains errors between Waybill and the user's own database, in sentences that say what to do.

import type pg from 'pg'
import { sqlState } from '../platform/database/errors.ts'

/** The oldest supported major version of PostgreSQL. */
export const minServerVersion = 15

/** The server, user and database of a connection. */
export interface DatabaseDestination {
  host: string
  port: number
  user: string | undefined
  database: string | undefined
}

/** Whether a connection error is permanent, so that trying again is pointless. */
export const isPermanent = (error: unknown): boolean =>
  /^(28|3D)/.test(sqlState(error) ?? '') || tlsFault(error as Error) !== undefined || isPasswordMissing(error)

/** Says why no connection could be made, and what to do. `setting` is the setting that names the database. */
export function connectionFault(error: unknown, to: DatabaseDestination & { setting: string }): string {
  const { code, message } = error as Error & { code?: string }
  const server = to.host.startsWith('/') ? `the socket in ${to.host}` : `${to.host}:${to.port}`
  const atServer = `The server at ${server}`
  const withName = (sentence: string) => `${sentence} (${to.setting})`
  const tls = tlsFault(error as Error)
  if (tls !== undefined) return `${withName(`The server at ${server} ${tls.problem}`)}. ${tls.remedy}`
  if (isPasswordMissing(error))
    return `${withName(`${atServer} requires a password for the user ${to.user}`)}; set PGPASSWORD.`
  switch (code) {
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `${withName(`The host ${to.host} of the database is unknown`)}. Check its name.`
    case 'ECONNREFUSED':
    case 'ENOENT':
      return `${withName(`Nothing is listening on ${server}`)}. Start PostgreSQL, or correct the address.`
    case '28P01':
      return `${withName(`${atServer} rejected the password of the user ${to.user}`)}. Correct it.`
    case '28000':
      return `${withName(`The server at ${server} does not admit the user ${to.user}`)}: ${message}.`
    case '3D000':
      return `${withName(`There is no database ${to.database} at ${server}`)}. Create it, or use another one.`
    default:
      return `${withName(`The database at ${server} cannot be reached`)}: ${message || code}.`
  }
}

const isPasswordMissing = (error: unknown): boolean =>
  /client password must be a string/.test((error as Error).message)

/** Says what is wrong with the encryption of the connection. Undefined for any other error. */
function tlsFault({
  message,
  code,
}: Error & { code?: string }): { problem: string; remedy: string } | undefined {
  if (/no pg_hba\.conf entry .* no encryption|SSL is required|SSL required/i.test(message))
    return {
      problem: 'accepts only encrypted connections',
      remedy: 'Add ?sslmode=verify-full to the address (PGSSLMODE=verify-full).',
    }
  if (message === 'The server does not support SSL connections')
    return {
      problem: 'does not offer the encryption that sslmode requires',
      remedy: 'Switch it on there (ssl = on), or omit sslmode.',
    }
  if (code === undefined || !/CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ALTNAME/.test(code)) return undefined
  return {
    problem: `presented a certificate that is not trusted: ${message}`,
    remedy:
      'Add sslrootcert=/path/to/ca.pem with its certificate authority; sslmode=no-verify encrypts without ' +
      'checking the server.',
  }
}

/** Says why the tables could not be created or changed, and what to do. Undefined for any other error. */
export function schemaFault(error: unknown, { user, database }: DatabaseDestination): string | undefined {
  const { message } = error as Error
  const extension = /extension "(\w+)"/.exec(message)?.[1]
  switch (sqlState(error)) {
    case '42501':
      return (
        `The user ${user} cannot set up the database ${database}: ${message}. ` +
        `Make it the owner: alter database ${database} owner to ${user}.`
      )
    case '0A000':
    case '58P01':
      if (extension === undefined) return undefined
      return (
        `PostgreSQL lacks its own extension ${extension}. Install the contrib modules of the server ` +
        '(on Debian and Ubuntu they come with it, elsewhere as postgresql-contrib).'
      )
    case '25006':
      return `The database ${database} is read-only, or a replica. Use the primary.`
    default:
      return undefined
  }
}

/** Reads the version of the server. Throws if it does not respond within five seconds. */
export async function readServerVersion(client: pg.Client): Promise<string> {
  const query = { text: 'show server_version', query_timeout: 5_000 }
  const { rows } = await client.query<{ server_version: string }>(query)
  return rows[0]?.server_version ?? ''
}

/** Says that the server is older than Waybill requires. Undefined if it is not. */
export const oldServerFault = (version: string, { host, port }: DatabaseDestination): string | undefined =>
  Number.parseInt(version, 10) < minServerVersion
    ? `The server at ${host}:${port} is PostgreSQL ${version}; Waybill needs ${minServerVersion} or newer.`
    : undefined
