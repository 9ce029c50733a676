// Creates a user: over the API and on the command line. Open-points 8.

import { v7 as uuidv7 } from 'uuid'
import { type Role, roles } from '../oauth/effective-scopes.ts'
import { hashPassword, passwordFault } from '../oauth/passwords.ts'
import type { Tx } from '../platform/database/db.ts'
import { refuseViolations } from '../platform/database/errors.ts'
import { insertInto } from '../platform/database/write.ts'
import { faultAt } from '../platform/http/fault.ts'
import { duplicate, notFound, validationFailed, verificationFailed } from '../platform/http/refusal.ts'
import { allOptional, Email, Name, Type, Uuid } from '../platform/http/schema.ts'
import { openValidation } from '../platform/http/validation.ts'
import { refuseOperatorEmail } from './organisation.ts'

/** What the user may do when signed in. Client credentials are limited by the scopes of their app alone. */
export const RoleName = Type.Unsafe<Role>({
  type: 'string',
  enum: [...roles],
  description:
    'What the user may do when signed in: administrator everything, member everything but `organisation`, ' +
    'reader what only reads.',
})

export interface NewUser {
  organisationId: string
  email: string
  fullName: string
  /** member when absent */
  role?: Role | null | undefined
  /** the partner the user belongs to, if any */
  partnerId?: string | null | undefined
  /** from `hashNewPassword`; without one the user cannot sign in yet */
  passwordHash?: string | undefined
}

const check = openValidation().body(
  Type.Object({ organisationId: Uuid, email: Email, fullName: Name, ...allOptional({ partnerId: Uuid }) }),
)

/**
 * The hash of the first password of a user who is created next. It is made before the transaction begins,
 * because it may have to wait for its turn. Throws 400 with every fault of user and password, 503.
 */
export async function hashNewPassword(user: NewUser, password: string): Promise<string> {
  const faults = check(user)
  const passwordIsWrong = passwordFault(password, user.email)
  if (passwordIsWrong !== undefined) faults.push(passwordIsWrong)
  if (faults.length > 0) throw validationFailed(...faults)
  return hashPassword(password)
}

/**
 * Creates a user and returns its id. Throws 400, 404 for an unknown organisation, 409 when the organisation
 * has the email already, 503.
 */
export async function createUser(tx: Tx, user: NewUser): Promise<string> {
  const faults = check(user)
  if (faults.length > 0) throw validationFailed(...faults)
  const { organisationId, email, fullName, role, partnerId, passwordHash } = user
  refuseOperatorEmail(email)
  const id = uuidv7()
  const row = {
    organisationId,
    id,
    email,
    fullName,
    role: role ?? undefined,
    partnerId: partnerId ?? undefined,
    passwordHash,
  }
  await refuseViolations(tx.run(insertInto('app_user', row)), userRefusals(email))
  return id
}

/** What a statement that writes users may violate. */
export const userRefusals = (email: string | null | undefined) => ({
  app_user_email_key: () => duplicate('email', `A user with the email ${email} exists already.`),
  app_user_organisation_fkey: () => notFound('Organisation'),
  app_user_partner_fkey: () =>
    verificationFailed(faultAt('partnerId', 'does not name a partner', 'unknown_reference')),
})
