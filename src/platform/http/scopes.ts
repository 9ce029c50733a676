// Scopes, and what an endpoint asks of a token. Spec 5.5; open-points 3.

import type { Actor } from './actor.ts'
import { forbidden } from './refusal.ts'

/** Every scope that an app can be given. */
export const scopes = [
  'consignment',
  'consignment.read',
  'financial',
  'financial.read',
  'inventory',
  'inventory.read',
  'job',
  'job.read',
  'organisation',
  'organisation.read',
  'partner',
  'partner.read',
  'print',
  'report',
  'warehouse',
  'warehouse.read',
] as const

export type Scope = (typeof scopes)[number]

/**
 * What a token needs: one of these scopes, or (`any`) nothing but to be valid. A plain scope includes its
 * `.read`.
 */
export type RequiredScope = 'any' | Scope | readonly Scope[]

/** Whether somebody who was given these scopes may do what `scope` allows. */
export const includesScope = (given: ReadonlySet<string>, scope: string): boolean =>
  given.has(scope) || (scope.endsWith('.read') && given.has(scope.slice(0, -'.read'.length)))

/** Whether the actor's token reaches an endpoint. */
export function hasRequiredScope(actor: Actor, reach: RequiredScope): boolean {
  if (reach === 'any') return true
  const wanted = typeof reach === 'string' ? [reach] : reach
  return wanted.some(scope => includesScope(actor.scopes, scope))
}

/** Refuses (403) a token that does not reach so far. */
export function requireScope(actor: Actor, reach: RequiredScope): void {
  if (!hasRequiredScope(actor, reach))
    throw forbidden(`The token needs the scope ${[reach].flat().join(' or ')}.`)
}
