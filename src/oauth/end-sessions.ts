// When a sign-in is over. Spec 5.3, 5.4.
//
// A person has a number, and a sign-in remembers the one that it began with, read together with the hash of
// the password. It is good for as long as the number is the same. So raising it ends every sign-in at
// whatever step it is, also one whose step is under way and is stored only later. library-seams.ts says where
// it is remembered.

import { sql, type Tx } from '../platform/database/db.ts'

/** The person whose sign-ins end. */
export interface SignedInUser {
  readonly organisationId: string
  readonly userId: string
}

/** Ends every sign-in of a person that has not come to tokens yet, and the sessions of browsers. */
export async function endSessionsOf(tx: Tx, { organisationId, userId }: SignedInUser): Promise<void> {
  await tx.run(
    sql`update app_user set session_number = session_number + 1 where organisation_id = ${organisationId}
      and id = ${userId}`,
  )
}

/** Ends these, and every grant and refresh token. */
export async function endEverythingOf(tx: Tx, user: SignedInUser): Promise<void> {
  await endSessionsOf(tx, user)
  await tx.run(sql`delete from oauth_record where user_id = ${user.userId}`)
}
