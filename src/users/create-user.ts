// Creates a user, for the API and the command line. Decision 8.

import { v7 as uuidv7 } from 'uuid'
import { type Role, roles } from '../access/roles.ts'
import { hashPassword, passwordFault } from '../oauth/passwords.ts'
import { refuseOperatorEmail } from '../organisations/organisation.ts'
import type { Tx } from '../platform/database/db.ts'
import { refuseViolations } from '../platform/database/errors.ts'
import { insertInto } from '../platform/database/write.ts'
import { faultAt } from '../platform/http/fault.ts'
import { duplicate, notFound, validationFailed, verificationFailed } from '../platform/http/refusal.ts'
import { allOptional, Email, Name, Type, Uuid } from '../platform/http/schema.ts'
import { createValidation } from '../platform/http/validation.ts'

/** What a signed-in user may do. Client credentials are limited only by the scopes of their app. */
export const RoleName = Type.Unsafe<Role>({
  type: 'string',
  enum: [...roles],
  description:
    'What the signed-in user may do: an administrator everything, a member everything that does not need ' +
    'the scope `organisation`, and a reader only read.',
})

/** The fields of a user who is to be created. */
export interface NewUser {
  organisationId: string
  email: string
  fullName: string
  /** member if absent */
  role?: Role | null | undefined
  /** the partner the user belongs to, if any */
  partnerId?: string | null | undefined
  /** from `hashNewPassword`; without it the user cannot sign in yet */
  passwordHash?: string | undefined
}

const check = createValidation().body(
  Type.Object({ organisationId: Uuid, email: Email, fullName: Name, ...allOptional({ partnerId: Uuid }) }),
)

/**
 * Hashes the first password of a user who is about to be created. Call it before the transaction begins,
 * because hashing may have to wait. Throws 400 with every fault of user and password, or 503 if too many
 * passwords wait to be hashed.
 */
export async function hashNewPassword(user: NewUser, password: string): Promise<string> {
  const faults = check(user)
  const fault = passwordFault(password, user.email)
  if (fault !== undefined) faults.push(fault)
  if (faults.length > 0) throw validationFailed(...faults)
  return hashPassword(password, user.organisationId)
}

/**
 * Creates a user and returns its id. Throws 400 for invalid fields, 404 for an unknown organisation, or 409
 * if the organisation has a user with this email.
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

/** The refusals for the constraints that a statement may violate when it writes users. */
export const userRefusals = (email: string | null | undefined) => ({
  app_user_email_key: () => duplicate('email', `A user with the email ${email} already exists.`),
  app_user_organisation_fkey: () => notFound('Organisation'),
  app_user_partner_fkey: () =>
    verificationFailed(faultAt('partnerId', 'does not refer to a partner', 'unknown_reference')),
})
