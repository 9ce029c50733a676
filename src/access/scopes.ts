// The scopes of tokens, and checking the scope that an endpoint requires. Spec 5.5; decision 3.

import { forbidden } from '../platform/http/refusal.ts'
import type { Actor } from './actor.ts'

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
 * The scope that a token needs: one of these, or `any` if every valid token will do. A plain scope includes
 * its `.read`.
 */
export type RequiredScope = 'any' | Scope | readonly Scope[]

/** Whether the granted scopes include a scope. */
export const includesScope = (granted: ReadonlySet<string>, scope: string): boolean =>
  granted.has(scope) || (scope.endsWith('.read') && granted.has(scope.slice(0, -'.read'.length)))

/** Whether the actor's token has a required scope. */
export function hasRequiredScope(actor: Actor, required: RequiredScope): boolean {
  if (required === 'any') return true
  const alternatives = typeof required === 'string' ? [required] : required
  return alternatives.some(scope => includesScope(actor.scopes, scope))
}

/** Throws 403 if the actor's token lacks the required scope. */
export function requireScope(actor: Actor, required: RequiredScope): void {
  if (!hasRequiredScope(actor, required))
    throw forbidden(`The token needs the scope ${[required].flat().join(' or ')}.`)
}
