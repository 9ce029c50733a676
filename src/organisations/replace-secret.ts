// Replaces the secret of a custom app: over the API and on the command line. Spec 5.1; findings 8.

import { hashOfSecret, newClientSecret } from '../oauth/client-secrets.ts'
import { appsChanged } from '../oauth/registered-apps.ts'
import { type Sql, sql, type Tx } from '../platform/database/db.ts'
import { notFound } from '../platform/http/refusal.ts'
import type { SecretBox } from '../platform/secret-box.ts'
import { hint } from '../platform/work/hints.ts'

/** How long the secret before stays good: at most a week, and a day where nothing is said. */
export const maxOverlapHours = 168
export const defaultOverlapHours = 24

/** A secret that was made. It cannot be read again. */
export interface ReplacedSecret {
  clientSecret: string
  previousSecretExpiresUtc: string
}

/**
 * Gives the app that meets `condition` a new secret, which signs its webhooks from this moment. The one
 * before stays good for `overlapHours`; one before that is good no more. Throws 404 where there is no app.
 */
export async function replaceSecret(
  tx: Tx,
  secretBox: SecretBox,
  condition: Sql,
  overlapHours: number,
): Promise<ReplacedSecret> {
  const clientSecret = newClientSecret()
  const replaced = await tx.maybe<{ previousSecretExpiresUtc: string }>(sql`
    update custom_app set secret_hash = ${secretBox.seal(hashOfSecret(clientSecret))},
      previous_secret_hash = secret_hash,
      previous_secret_expires_utc = now() + ${overlapHours} * interval '1 hour'
    where ${condition} returning previous_secret_expires_utc`)
  if (replaced === undefined) throw notFound('Custom app')
  tx.afterCommit(() => hint(appsChanged))
  return { clientSecret, ...replaced }
}
