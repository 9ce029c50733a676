// Checks the password of a sign-in, within the limits on attempts. Spec 5.3.

import type { FastifyRequest } from 'fastify'
import { type Database, sql } from '../platform/database/db.ts'
import type { SecretBox } from '../platform/secret-box.ts'
import { networkOf } from './network-of.ts'
import { matchesPassword } from './passwords.ts'
import type { RegisteredApp } from './registered-apps.ts'
import {
  browserCounter,
  forgetFailures,
  networkCounter,
  refundAttempt,
  takeAttempt,
  unknownEmailCounter,
  userCounter,
  verifyKnownBrowserToken,
} from './sign-in-throttle.ts'

export const knownBrowserCookie = 'waybill_browser'

/** An attempt to sign in to an app. */
interface SignInAttempt {
  readonly database: Database
  readonly secretBox: SecretBox
  readonly app: RegisteredApp
  readonly request: FastifyRequest
}

/** A user whom a password may belong to. */
export interface UserWithPassword {
  readonly id: string
  readonly passwordHash: string | null
  readonly sessionNumber: number
}

/** Finds the user with this email address; also returns the address as the database compares it. */
async function findUserByEmail({ database, app }: SignInAttempt, email: string) {
  type Row = Omit<UserWithPassword, 'id'> & { id: string | null; lowerCaseEmail: string }
  const { lowerCaseEmail, id, ...rest } = await database.db.row<Row>(sql`
    select lower(${email}) as lower_case_email, u.id, u.session_number,
      case when u.disabled_utc is null then u.password_hash end as password_hash
    from (select) once
    left join app_user u on u.organisation_id = ${app.organisationId} and lower(u.email) = lower(${email})`)
  return { lowerCaseEmail, user: id === null ? undefined : { id, ...rest } }
}

/**
 * Checks a password. Returns the user, no user if the password is wrong, or how long to wait after too
 * many attempts. For a user who does not exist, is disabled or has no password, the result and the time
 * it takes are those of a wrong password.
 */
export async function checkPassword(
  attempt: SignInAttempt,
  email: string,
  password: string,
): Promise<{ waitSeconds: number } | { user: UserWithPassword | undefined }> {
  const { database, secretBox, app, request } = attempt
  const { user, lowerCaseEmail } = await findUserByEmail(attempt, email)
  const browserToken = new RegExp(`(?:^|; )${knownBrowserCookie}=([^;]*)`).exec(
    request.headers.cookie ?? '',
  )?.[1]
  const knownBrowser = user && verifyKnownBrowserToken(secretBox.keyFor('browsers'), user.id, browserToken)
  const passwordCounter =
    user === undefined
      ? unknownEmailCounter(app.organisationId, lowerCaseEmail)
      : knownBrowser === undefined
        ? userCounter(user.id)
        : browserCounter(user.id, knownBrowser)
  const addressCounter = networkCounter(request.ip)

  const waitSeconds = await takeAttempt(database, [passwordCounter, addressCounter])
  if (waitSeconds > 0) {
    logFailure(attempt, user, 'too many attempts')
    return { waitSeconds }
  }
  let isCorrect: boolean
  try {
    isCorrect = await matchesPassword(password, user?.passwordHash ?? null, networkOf(request.ip))
  } catch (error) {
    for (const counter of [passwordCounter, addressCounter]) await refundAttempt(database, counter)
    throw error
  }
  if (!isCorrect) {
    logFailure(attempt, user, user === undefined ? 'unknown email address' : 'wrong password')
    return { user: undefined }
  }
  await forgetFailures(database, passwordCounter)
  await refundAttempt(database, addressCounter)
  return { user }
}

/**
 * Logs a failed sign-in with its address. What was typed is never logged, because people type passwords into
 * the wrong field.
 */
function logFailure(
  { app, request }: SignInAttempt,
  user: UserWithPassword | undefined,
  reason: string,
): void {
  const { organisationId, customAppId } = app
  const { log, ip } = request
  log.warn({ organisationId, customAppId, userId: user?.id, address: ip, reason }, 'a sign-in failed')
}
