// Nobody hands on more scopes than they have.

import type { Actor } from '../platform/http/actor.ts'
import { forbidden } from '../platform/http/refusal.ts'
import { includesScope } from '../platform/http/scopes.ts'

/** Refuses (403, with the sentence that `reason` begins) scopes that the caller does not hold. */
export function requireScopes(actor: Actor, scopes: readonly string[], reason: string): void {
  const beyond = scopes.filter(scope => !includesScope(actor.scopes, scope))
  if (beyond.length > 0) throw forbidden(`${reason}: ${beyond.join(', ')}.`)
}
