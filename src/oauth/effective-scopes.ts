// The scopes of a person's tokens: those that the app was given and asks for, limited by the person's role.
// Pure functions. Spec 5.5; open-points 3.

import { includesScope, type Scope, scopes } from '../platform/http/scopes.ts'

/** The roles of people. */
export const roles = ['administrator', 'member', 'reader'] as const
export type Role = (typeof roles)[number]

const isRead = (scope: string) => scope.endsWith('.read')

/**
 * The scopes of a role: an administrator's are all, a member's all but changing the organisation, a reader's
 * those that only read.
 */
export const scopesOfRole: Record<Role, ReadonlySet<Scope>> = {
  administrator: new Set(scopes),
  member: new Set(scopes.filter(scope => scope !== 'organisation')),
  reader: new Set(scopes.filter(isRead)),
}

/**
 * The scopes that all of these hold, in the order of the specification. A plain scope holds its `.read`, so
 * what is left of `consignment` for a reader is `consignment.read`; a `.read` beside its plain scope is left
 * out unless it was asked for by name, that is, stands in the first set.
 */
export function commonScopes(asked: ReadonlySet<string>, ...others: ReadonlySet<string>[]): Scope[] {
  const common = new Set(scopes.filter(scope => [asked, ...others].every(set => includesScope(set, scope))))
  return scopes.filter(
    scope => common.has(scope) && (asked.has(scope) || !common.has(scope.slice(0, -'.read'.length) as Scope)),
  )
}
