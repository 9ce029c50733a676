// Sets the password of a user, for the API and the command line. Spec 5.3.

import { endSessions } from '../oauth/end-sessions.ts'
import { hashPassword, passwordFault } from '../oauth/passwords.ts'
import { operatorEmail } from '../organisations/organisation.ts'
import { type Database, type Db, sql } from '../platform/database/db.ts'
import { notFound, validationFailed, verificationFailed } from '../platform/http/refusal.ts'

/**
 * Names a user by id, as in the API, or by email, as on the command line. The email needs an organisation
 * only if several organisations have a user with it.
 */
export type UserSelector =
  | { organisationId: string; userId: string }
  | { organisationId?: string | undefined; email: string }

/**
 * Sets the password of a user, ends the user's sign-ins and the link by which it could be set, and returns
 * the user's id. Apps that the user has allowed keep their access. Throws 400 for a weak password, 404 for an
 * unknown user, or 503 if too many passwords wait to be hashed.
 */
export async function setPassword(
  database: Database,
  selector: UserSelector,
  password: string,
  /** the field of the request that has it */
  path = 'password',
): Promise<string> {
  const { organisationId, id, email } = await findUser(database.db, selector)
  const fault = passwordFault(password, email, path)
  if (fault !== undefined) throw validationFailed(fault)
  // Hashing may have to wait, and must not hold a database connection meanwhile.
  const passwordHash = await hashPassword(password, organisationId)
  await database.atomically(async tx => {
    await tx.run(sql`
      update app_user set password_hash = ${passwordHash} where organisation_id = ${organisationId}
        and id = ${id}`)
    // Whoever else has the link could undo it.
    await tx.run(sql`
      delete from user_invitation where organisation_id = ${organisationId} and user_id = ${id}`)
    await endSessions(tx, { organisationId, userId: id })
  })
  return id
}

async function findUser(db: Db, selector: UserSelector) {
  const condition =
    'userId' in selector
      ? sql`organisation_id = ${selector.organisationId} and id = ${selector.userId}`
      : sql`lower(email) = lower(${selector.email}) and organisation_id = coalesce(${selector.organisationId},
        organisation_id)`
  const users = await db.rows<{ organisationId: string; id: string; email: string }>(
    sql`select organisation_id, id, email from app_user where ${condition} limit 2`,
  )
  const [user] = users
  if (user === undefined) throw notFound('User')
  if (user.email === operatorEmail)
    throw verificationFailed('The operator of the service is not a person and cannot sign in.')
  if (users.length > 1)
    throw verificationFailed('Several organisations have a user with this email. Name the organisation.')
  return user
}
