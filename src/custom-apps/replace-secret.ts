// Replaces the secret of a custom app, for the API and the command line. Spec 5.1.

import { hashSecret, newClientSecret } from '../oauth/client-secrets.ts'
import { appsChanged } from '../oauth/registered-apps.ts'
import { type Sql, sql, type Tx } from '../platform/database/db.ts'
import { notFound } from '../platform/http/refusal.ts'
import type { SecretBox } from '../platform/secret-box.ts'
import { hint } from '../platform/work/hints.ts'

/** For how many hours the previous secret stays valid: at most a week, by default a day. */
export const maxOverlapHours = 168
export const defaultOverlapHours = 24

/** A new secret, which cannot be read again. */
export interface ReplacedSecret {
  clientSecret: string
  previousSecretExpiresUtc: string
}

/**
 * Gives the app that meets `condition` a new secret, which signs its webhooks from now on. The previous
 * secret stays valid for `overlapHours`, and any older one becomes invalid at once. Without overlap, the
 * access tokens of the app end too. Throws 404 if there is no such app.
 */
export async function replaceSecret(
  tx: Tx,
  secretBox: SecretBox,
  condition: Sql,
  overlapHours: number,
): Promise<ReplacedSecret> {
  const clientSecret = newClientSecret()
  const endsTokens = overlapHours === 0
  const replaced = await tx.maybe<{ previousSecretExpiresUtc: string }>(sql`
    update custom_app set secret_hash = ${secretBox.seal(hashSecret(clientSecret))},
      previous_secret_hash = secret_hash,
      previous_secret_expires_utc = now() + ${overlapHours} * interval '1 hour',
      access_number = access_number + ${endsTokens ? 1 : 0},
      access_changed_utc = case when ${endsTokens} then now() else access_changed_utc end
    where ${condition} returning previous_secret_expires_utc`)
  if (replaced === undefined) throw notFound('Custom app')
  tx.afterCommit(() => hint(appsChanged))
  return { clientSecret, ...replaced }
}
