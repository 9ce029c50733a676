// What goes wrong between Waybill and a database of one's own, in sentences that say what to do.

import type pg from 'pg'
import { sqlState } from '../platform/database/errors.ts'

/** The oldest PostgreSQL that will do. */
export const oldestServer = 15

/** Where a connection leads, or was to lead. */
export interface Destination {
  host: string
  port: number
  user: string | undefined
  database: string | undefined
}

/** Whether an error will be the same however often one tries. */
export const isHopeless = (error: unknown): boolean =>
  /^(28|3D)/.test(sqlState(error) ?? '') || tlsFault(error as Error) !== undefined || isPasswordMissing(error)

/** Why no connection could be made, with what to do about it. `setting` is what names the database. */
export function connectionFault(error: unknown, to: Destination & { setting: string }): string {
  const { code, message } = error as Error & { code?: string }
  const server = to.host.startsWith('/') ? `the socket in ${to.host}` : `${to.host}:${to.port}`
  const told = (sentence: string) => `${sentence} (${to.setting})`
  const tls = tlsFault(error as Error)
  if (tls !== undefined) return `${told(`The server at ${server} ${tls.said}`)}. ${tls.remedy}`
  if (isPasswordMissing(error))
    return `${told(`The server at ${server} wants a password for the user ${to.user}`)}. Set it too.`
  switch (code) {
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `${told(`The host ${to.host} of the database is not known`)}. Check its name.`
    case 'ECONNREFUSED':
    case 'ENOENT':
      return `${told(`Nothing answers at ${server}`)}. Start PostgreSQL there, or correct the address.`
    case '28P01':
      return `${told(`The server at ${server} refuses the password of the user ${to.user}`)}. Correct it.`
    case '28000':
      return `${told(`The server at ${server} does not let the user ${to.user} in`)}: ${message}.`
    case '3D000':
      return `${told(`There is no database ${to.database} at ${server}`)}. Create it, or name another.`
    default:
      return `${told(`The database at ${server} cannot be reached`)}: ${message || code}.`
  }
}

const isPasswordMissing = (error: unknown): boolean =>
  /client password must be a string/.test((error as Error).message)

/** What is wrong with the encryption of the connection, if that is what is wrong. */
function tlsFault({
  message,
  code,
}: Error & { code?: string }): { said: string; remedy: string } | undefined {
  if (/no pg_hba\.conf entry .* no encryption|SSL is required|SSL required/i.test(message))
    return {
      said: 'takes encrypted connections only',
      remedy: 'Add ?sslmode=verify-full to the address (PGSSLMODE=verify-full).',
    }
  if (message === 'The server does not support SSL connections')
    return {
      said: 'has no encryption, which sslmode asks for',
      remedy: 'Switch it on there (ssl = on), or leave sslmode out.',
    }
  if (code === undefined || !/CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ALTNAME/.test(code)) return undefined
  return {
    said: `shows a certificate that is not trusted: ${message}`,
    remedy:
      'Add sslrootcert=/path/to/ca.pem of the authority that issued it; sslmode=no-verify encrypts without ' +
      'knowing to whom.',
  }
}

/** Why the tables could not be made or changed, with what to do about it; undefined for any other reason. */
export function schemaFault(error: unknown, { user, database }: Destination): string | undefined {
  const { message } = error as Error
  const extension = /extension "(\w+)"/.exec(message)?.[1]
  switch (sqlState(error)) {
    case '42501':
      return (
        `The user ${user} may not set up the database ${database}: ${message}. ` +
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
      return `The database ${database} takes no changes: it is a replica, or read-only. Name the primary.`
    default:
      return undefined
  }
}

/** Throws where the server is older than Waybill needs. */
export async function refuseOldServer(client: pg.Client, { host, port }: Destination): Promise<void> {
  const { rows } = await client.query<{ server_version: string }>('show server_version')
  const version = rows[0]?.server_version ?? ''
  if (Number.parseInt(version, 10) < oldestServer)
    throw new Error(
      `The server at ${host}:${port} is PostgreSQL ${version}; Waybill needs ${oldestServer} or newer.`,
    )
}
