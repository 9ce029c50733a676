// Who is signed in, and what they may do. Every screen asks here, so that what a person lacks is absent.

import { useSuspenseQuery } from '@tanstack/react-query'
import { type Got, read } from './api.ts'
import type { PortalPage } from './routes.ts'

/** The person who is signed in. */
export type Me = Got<'/v1/me'>

/** People of the organisation itself, of one of its clients, or of one of its carriers. */
export type PersonKind = 'staff' | 'client' | 'carrier'

/** The person who is signed in. Screens are shown only once this is known. */
export const useMe = (): Me => useSuspenseQuery(meQuery).data

export const meQuery = { ...read('/v1/me'), staleTime: 60_000 }

export function kindOf({ partner }: Pick<Me, 'partner'>): PersonKind {
  if (partner === null) return 'staff'
  return partner.relationship === 1 ? 'client' : 'carrier'
}

/** Whether the token has this scope. A plain scope includes its `.read`. */
export const hasScope = ({ scopes }: Pick<Me, 'scopes'>, scope: string): boolean =>
  scopes.includes(scope) || (scope.endsWith('.read') && scopes.includes(scope.slice(0, -'.read'.length)))

/** Whether the person has this screen. */
export const mayOpen = (me: Me, page: PortalPage): boolean =>
  (page.scope === undefined || page.scope.some(scope => hasScope(me, scope))) &&
  (page.for === undefined || page.for.includes(kindOf(me)))
