// When a sign-in is over. Spec 5.3, 5.4.
//
// A person has a number, and a sign-in remembers the one that it began with, read together with the hash of
// the password. It is good for as long as the number is the same. So raising it ends every sign-in at
// whatever step it is, also one whose step is under way and is stored only later.

import { sql, type Tx } from '../platform/database/db.ts'

/**
 * Where the OAuth server remembers it from the password to the code: in the `acr`, which is told to nobody
 * where there are no ID tokens.
 */
interface SignIn {
  readonly acr?: string | undefined
}

/** What a sign-in of this person that begins now remembers. */
export const beginningOf = ({ sessionNumber }: { sessionNumber: number }): { acr: string } => ({
  acr: String(sessionNumber),
})

/** Whether a sign-in of this person is over. */
export const isOver = (signIn: SignIn, person: { sessionNumber: number }): boolean =>
  signIn.acr !== beginningOf(person).acr

/** Whose sign-ins end. */
export interface Whose {
  readonly organisationId: string
  readonly userId: string
}

/** Ends every sign-in of a person that has not come to tokens yet, and the sessions of browsers. */
export async function endSessionsOf(tx: Tx, { organisationId, userId }: Whose): Promise<void> {
  await tx.run(
    sql`update app_user set session_number = session_number + 1 where organisation_id = ${organisationId}
      and id = ${userId}`,
  )
}

/** Ends these, and every grant and refresh token. */
export async function endEverythingOf(tx: Tx, whose: Whose): Promise<void> {
  await endSessionsOf(tx, whose)
  await tx.run(sql`delete from oauth_record where user_id = ${whose.userId}`)
}
