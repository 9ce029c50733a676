// Checks the password of a sign-in, within the limits on attempts. Spec 5.3.

import type { FastifyRequest } from 'fastify'
import { type Database, sql } from '../platform/database/db.ts'
import type { SecretBox } from '../platform/secret-box.ts'
import { isPasswordOf } from './passwords.ts'
import type { RegisteredApp } from './registered-apps.ts'
import {
  browserCounter,
  browserOf,
  forgetFailures,
  networkCounter,
  returnAttempt,
  takeAttempt,
  unknownEmailCounter,
  userCounter,
} from './sign-in-throttle.ts'

export const browserCookie = 'waybill_browser'

/** An attempt to sign in to an app. */
interface SignInAttempt {
  readonly database: Database
  readonly secretBox: SecretBox
  readonly app: RegisteredApp
  readonly request: FastifyRequest
}

/** An account that a password may belong to. */
export interface Account {
  readonly id: string
  readonly passwordHash: string | null
  readonly sessionNumber: number
}

/** Finds the account with this email address; also returns the address as the database compares it. */
async function findAccount({ database, app }: SignInAttempt, email: string) {
  type Row = Omit<Account, 'id'> & { id: string | null; lowerCaseEmail: string }
  const { lowerCaseEmail, id, ...rest } = await database.db.row<Row>(sql`
    select lower(${email}) as lower_case_email, u.id, u.session_number,
      case when u.disabled_utc is null then u.password_hash end as password_hash
    from (select) once
    left join app_user u on u.organisation_id = ${app.organisationId} and lower(u.email) = lower(${email})`)
  return { lowerCaseEmail, account: id === null ? undefined : { id, ...rest } }
}

/**
 * Checks a password. Returns the account, no account if the password is wrong, or how long to wait after too
 * many attempts. For an account that does not exist, is disabled or has no password, the result and the time
 * it takes are those of a wrong password.
 */
export async function checkPassword(
  attempt: SignInAttempt,
  email: string,
  password: string,
): Promise<{ waitSeconds: number } | { user: Account | undefined }> {
  const { database, secretBox, app, request } = attempt
  const { account, lowerCaseEmail } = await findAccount(attempt, email)
  const mark = new RegExp(`(?:^|; )${browserCookie}=([^;]*)`).exec(request.headers.cookie ?? '')?.[1]
  const knownBrowser = account && browserOf(secretBox.keyFor('browsers'), account.id, mark)
  const accountCounter =
    account === undefined
      ? unknownEmailCounter(app.organisationId, lowerCaseEmail)
      : knownBrowser === undefined
        ? userCounter(account.id)
        : browserCounter(account.id, knownBrowser)
  const addressCounter = networkCounter(request.ip)

  const waitSeconds = await takeAttempt(database, [accountCounter, addressCounter])
  if (waitSeconds > 0) {
    logFailure(attempt, account, 'too many attempts')
    return { waitSeconds }
  }
  let isRight: boolean
  try {
    isRight = await isPasswordOf(password, account?.passwordHash ?? null)
  } catch (error) {
    for (const counter of [accountCounter, addressCounter]) await returnAttempt(database, counter)
    throw error
  }
  if (!isRight) {
    logFailure(attempt, account, account === undefined ? 'unknown email address' : 'wrong password')
    return { user: undefined }
  }
  await forgetFailures(database, accountCounter)
  await returnAttempt(database, addressCounter)
  return { user: account }
}

/**
 * Logs a failed sign-in with its address. What was typed is never logged, because people type passwords into
 * the wrong field.
 */
function logFailure({ app, request }: SignInAttempt, account: Account | undefined, reason: string): void {
  const { organisationId, customAppId } = app
  const { log, ip } = request
  log.warn({ organisationId, customAppId, userId: account?.id, address: ip, reason }, 'a sign-in failed')
}
