// Clients and carriers as choices, apart from other suggestions because the first load of a list has them.

import { useQuery } from '@tanstack/react-query'
import { readAll } from './every-page.ts'
import { hasScope, kindOf, type Me } from './me.ts'

/** A value that can be chosen. */
export interface Choice {
  value: string
  text: string
}

const keepMs = 60_000

/** The clients or carriers, once they are wanted; none for people of a partner. */
export function usePartners(me: Me, query: { Relationship: 1 | 2; Status?: 2 }, isWanted = true) {
  const isStaff = kindOf(me) === 'staff' && hasScope(me, 'partner.read')
  return useQuery({
    ...readAll('/v1/partners', { query }),
    enabled: isStaff && isWanted,
    staleTime: keepMs,
  }).data?.partners
}

/** All clients or all carriers, as options by id, once they are wanted. */
export const useOptionsOf = (me: Me, Relationship: 1 | 2, isWanted: boolean): readonly Choice[] =>
  (usePartners(me, { Relationship }, isWanted) ?? []).map(({ id, name }) => ({ value: id, text: name }))
