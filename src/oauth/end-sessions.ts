// Ends what a person holds of the OAuth server. Spec 5.3, 5.4.

import { sql, type Tx } from '../platform/db.ts'

/** Ends the browser sessions of a person, or these and every code, grant and refresh token. */
export async function endSessionsOf(tx: Tx, userId: string, what: 'sessions' | 'everything'): Promise<void> {
  await tx.run(sql`delete from oauth_record where user_id = ${userId} and (${what === 'everything'} or model = 'Session')`)
}
