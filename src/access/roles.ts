// The scopes of a person's tokens: those that the app holds and requests, limited by the person's role. Pure
// functions. Spec 5.5; decision 3.

import { includesScope, type Scope, scopes } from './scopes.ts'

/** The roles of people. */
export const roles = ['administrator', 'member', 'reader'] as const
export type Role = (typeof roles)[number]

const isRead = (scope: string) => scope.endsWith('.read')

/**
 * The scopes of each role: an administrator has all of them, a member all but the one to change the
 * organisation, and a reader those that only read.
 */
export const scopesOfRole: Record<Role, ReadonlySet<Scope>> = {
  administrator: new Set(scopes),
  member: new Set(scopes.filter(scope => scope !== 'organisation')),
  reader: new Set(scopes.filter(isRead)),
}

/**
 * The scopes that all sets hold, in the order of the specification. A plain scope includes its `.read`, so a
 * reader for whom `consignment` is requested gets `consignment.read`. A `.read` is left out beside its plain
 * scope unless it was requested by name, which means that it is in the first set.
 */
export function commonScopes(requested: ReadonlySet<string>, ...others: ReadonlySet<string>[]): Scope[] {
  const common = new Set(
    scopes.filter(scope => [requested, ...others].every(set => includesScope(set, scope))),
  )
  return scopes.filter(
    scope =>
      common.has(scope) && (requested.has(scope) || !common.has(scope.slice(0, -'.read'.length) as Scope)),
  )
}
