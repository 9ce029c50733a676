// When a sign-in is over. Spec 5.3, 5.4.
//
// Every person has a session number. A sign-in remembers the number that it began with, which is read
// together with the hash of the password, and is valid only while the person's number is the same. So raising
// the number ends every sign-in at whatever step it is, also one whose current step is stored only later.
// library-seams.ts has where a sign-in keeps its number.

import { sql, type Tx } from '../platform/database/db.ts'

/** The person whose sign-ins end. */
export interface SignedInUser {
  readonly organisationId: string
  readonly userId: string
}

/** Ends a person's sessions in browsers, and every sign-in that has not been exchanged for tokens yet. */
export async function endSessionsOf(tx: Tx, { organisationId, userId }: SignedInUser): Promise<void> {
  await tx.run(
    sql`
      update app_user set session_number = session_number + 1
      where organisation_id = ${organisationId} and id = ${userId}`,
  )
}

/** Ends a person's sessions and sign-ins, and every grant and refresh token. */
export async function endAllAccessOf(tx: Tx, user: SignedInUser): Promise<void> {
  await endSessionsOf(tx, user)
  await tx.run(sql`delete from oauth_record where user_id = ${user.userId}`)
}
