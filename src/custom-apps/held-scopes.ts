// Nobody may give an app scopes that they do not hold themselves.

import type { Actor } from '../access/actor.ts'
import { includesScope } from '../access/scopes.ts'
import { forbidden } from '../platform/http/refusal.ts'

/** Refuses (403) scopes that the caller does not hold. The message is `reason`, followed by those scopes. */
export function requireHeldScopes(actor: Actor, scopes: readonly string[], reason: string): void {
  const missingScopes = scopes.filter(scope => !includesScope(actor.scopes, scope))
  if (missingScopes.length > 0) throw forbidden(`${reason}: ${missingScopes.join(', ')}.`)
}
