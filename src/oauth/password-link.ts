// Links by which people set their passwords: what is kept of them, and their use.

import { hash } from 'node:crypto'
import { withAuthor } from '../access/with-author.ts'
import { type Database, type Db, sql } from '../platform/database/db.ts'
import { endSessions } from './end-sessions.ts'
import { hashPassword, passwordFault } from './passwords.ts'

/** The page that a link opens. */
export const passwordPath = '/connect/password'

/** What is kept of the token in a link. */
export const hashOfLink = (token: string): Buffer => hash('sha256', token, 'buffer')

/** Whose password a link sets. */
export interface LinkedUser {
  organisationId: string
  userId: string
  email: string
  fullName: string
  organisationName: string
}

/** Finds who has this link; undefined if it was used, is too old, or its person is disabled. */
export const findLinkedUser = (db: Db, token: string): Promise<LinkedUser | undefined> =>
  db.maybe<LinkedUser>(sql`
    select u.organisation_id, u.id as user_id, u.email, u.full_name, o.name as organisation_name
    from user_invitation i
    join app_user u on u.organisation_id = i.organisation_id and u.id = i.user_id
    join organisation o on o.id = u.organisation_id
    where i.token_hash = ${hashOfLink(token)} and i.expires_utc > now() and u.disabled_utc is null`)

/**
 * Sets the password of whoever has the link, uses the link up, and ends the person's sessions. Returns what
 * is wrong with the password; undefined if it was set, null if the link is over. Throws 503 if too many
 * passwords wait to be hashed.
 */
export async function setPasswordByLink(
  database: Database,
  { token, password, requestId, ip }: { token: string; password: string; requestId: string; ip: string },
): Promise<string | undefined | null> {
  const user = await findLinkedUser(database.db, token)
  if (user === undefined) return null
  const fault = passwordFault(password, user.email)
  if (fault !== undefined) return fault.message
  // Hashing may have to wait, and must not hold a database connection meanwhile.
  const passwordHash = await hashPassword(password, user.organisationId)
  const { organisationId, userId } = user
  return withAuthor(database, { actor: undefined, id: requestId, ip }).atomically(async tx => {
    const used = await tx.run(sql`
      delete from user_invitation i using app_user u
      where i.token_hash = ${hashOfLink(token)} and i.expires_utc > now()
        and u.organisation_id = i.organisation_id and u.id = i.user_id and u.disabled_utc is null`)
    if (used === 0) return null
    await tx.run(sql`update app_user set password_hash = ${passwordHash}
      where organisation_id = ${organisationId} and id = ${userId}`)
    await endSessions(tx, { organisationId, userId })
    return undefined
  })
}
