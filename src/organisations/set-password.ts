// Sets the password of a user: over the API and on the command line. Spec 5.3.

import { endSessionsOf } from '../oauth/end-sessions.ts'
import { hashPassword, passwordFault } from '../oauth/passwords.ts'
import { sql, type Tx } from '../platform/database/db.ts'
import { notFound, validationFailed, verificationFailed } from '../platform/http/refusal.ts'
import { operatorEmail } from './organisation.ts'

/**
 * A user by id, as the API names it, or by email, as on the command line, where the organisation is needed
 * only if several have the email.
 */
export type WhichUser =
  | { organisationId: string; userId: string }
  | { organisationId?: string | undefined; email: string }

/**
 * Sets the password, ends the sign-ins of the user and returns its id; apps that were allowed go on. Throws
 * 400 for a weak password, 404 for an unknown user, 503.
 */
export async function setPassword(tx: Tx, which: WhichUser, password: string): Promise<string> {
  const user = await find(tx, which)
  const fault = passwordFault(password, user.email)
  if (fault !== undefined) throw validationFailed(fault)
  const passwordHash = await hashPassword(password)
  await tx.run(sql`
    update app_user set password_hash = ${passwordHash}
    where organisation_id = ${user.organisationId} and id = ${user.id}`)
  await endSessionsOf(tx, { organisationId: user.organisationId, userId: user.id })
  return user.id
}

async function find(tx: Tx, which: WhichUser) {
  const condition =
    'userId' in which
      ? sql`organisation_id = ${which.organisationId} and id = ${which.userId}`
      : sql`lower(email) = lower(${which.email})
        and organisation_id = coalesce(${which.organisationId}, organisation_id)`
  const users = await tx.rows<{ organisationId: string; id: string; email: string }>(
    sql`select organisation_id, id, email from app_user where ${condition} limit 2`,
  )
  const [user] = users
  if (user === undefined) throw notFound('User')
  if (user.email === operatorEmail)
    throw verificationFailed('The operator of the service is nobody and cannot sign in.')
  if (users.length > 1)
    throw verificationFailed('Several organisations have a user with this email. Name the organisation.')
  return user
}
