// What a partner is: what its own tokens may not do. Spec 2.11.

import type { Actor } from '../platform/http/actor.ts'
import { forbidden } from '../platform/http/refusal.ts'

/**
 * Refuses (403) a token that belongs to a partner: what an organisation sets up is not for its clients and
 * carriers to change.
 */
export function refusePartner(actor: Actor, what = 'change what the organisation sets up'): void {
  if (actor.partnerId !== null) throw forbidden(`A token that belongs to a partner cannot ${what}.`)
}
