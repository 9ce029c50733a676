// Ends the sign-ins of a person. Spec 5.3, 5.4.
//
// Every person has a session number. A sign-in keeps the number that was read together with the hash of the
// password, and is valid only while the person's number is the same. Raising the number therefore ends every
// sign-in at whatever step it is, even if that step has not been stored yet. library-patches.ts says where a
// sign-in keeps its number.

import { sql, type Tx } from '../platform/database/db.ts'
import { hint } from '../platform/work/hints.ts'
import { appsChanged } from './registered-apps.ts'
import type { UserKey } from './user.ts'

/**
 * Ends a user's sessions in browsers, every sign-in that has not been exchanged for tokens yet, and their
 * access through the built-in apps, at once. Other apps that the user allows keep their access.
 */
export async function endSessions(tx: Tx, { organisationId, userId }: UserKey): Promise<void> {
  await tx.run(
    sql`
      update app_user set session_number = session_number + 1
      where organisation_id = ${organisationId} and id = ${userId}`,
  )
  await tx.run(sql`
    with apps as (
      select id, client_id from custom_app where organisation_id = ${organisationId} and built_in is not null
    ), ended as (
      update identity_connection set consent_number = consent_number + 1, withdrawn_utc = now()
      where organisation_id = ${organisationId} and user_id = ${userId}
        and custom_app_id in (select id from apps) and allowed_scopes <> '{}'
    )
    delete from oauth_record where user_id = ${userId} and client_id in (select client_id from apps)`)
  tx.afterCommit(() => hint(appsChanged))
}

/** Ends a person's sessions and sign-ins, and every grant and refresh token. */
export async function endAllAccess(tx: Tx, user: UserKey): Promise<void> {
  await endSessions(tx, user)
  await tx.run(sql`delete from oauth_record where user_id = ${user.userId}`)
}
