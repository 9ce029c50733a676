// The app that signs the deliveries of a subscription. Nobody has the secret of a built-in app, so a
// subscription that is made with one names another app, or has a signing key.

import type { Actor } from '../access/actor.ts'
import { includesScope, requireScope } from '../access/scopes.ts'
import { sql, type Tx } from '../platform/database/db.ts'
import { type Fault, faultAt } from '../platform/http/fault.ts'
import { forbidden, verificationFailed } from '../platform/http/refusal.ts'
import type { EventScope } from '../vocabulary/events.ts'

/** What a new subscription is to be signed with. */
interface RequestedSigning {
  customAppId: string | null
  hasSigningKey: boolean
}

/** What is said when nothing would sign. */
const nothingSigns: readonly Fault[] = [
  faultAt(
    'customAppId',
    'is required unless signingKey1 is given: nobody has the secret of a built-in app',
    'required',
  ),
  faultAt('signingKey1', 'is required unless customAppId is given', 'required'),
]

/**
 * Checks that something signs the deliveries that the receiver can verify. An app that is named must be one
 * of the organisation that is enabled, not built in, and has the scope of the events (400); naming it needs
 * the scope `organisation` (403).
 */
export async function checkSigning(
  tx: Tx,
  actor: Actor,
  scope: EventScope,
  { customAppId, hasSigningKey }: RequestedSigning,
): Promise<void> {
  if (customAppId === null) {
    if (actor.app !== undefined && !hasSigningKey) throw verificationFailed(...nothingSigns)
    return
  }
  requireScope(actor, 'organisation')
  if (actor.partnerKind !== null)
    throw forbidden(`A token that belongs to a ${actor.partnerKind} cannot choose the app that signs.`)
  const app = await tx.maybe<{ scopes: string[] }>(sql`
    select scopes from custom_app
    where organisation_id = ${actor.organisationId} and id = ${customAppId} and built_in is null
      and disabled_utc is null`)
  if (app === undefined)
    throw verificationFailed(
      faultAt(
        'customAppId',
        'does not refer to an app that is enabled and not built in',
        'unknown_reference',
      ),
    )
  if (!includesScope(new Set(app.scopes), scope))
    throw verificationFailed(faultAt('customAppId', `refers to an app without the scope ${scope}`, 'invalid'))
}
