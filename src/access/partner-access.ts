// Enforces and documents which endpoints the users of partners may call: the field `partners` of an endpoint.
// Decision 3.

import { forbidden } from '../platform/http/refusal.ts'
import type { Actor } from './actor.ts'
import type { Endpoint, PartnerAccess } from './endpoint.ts'

const kindsAllowed: Readonly<Record<PartnerAccess, readonly Actor['partnerKind'][]>> = {
  all: ['client', 'carrier'],
  clients: ['client'],
  carriers: ['carrier'],
  none: [],
}

/** Throws 403 if the token belongs to a partner whose users may not call the endpoint. */
export function refusePartner({ access, summary }: Endpoint, { partnerId, partnerKind }: Actor): void {
  if (partnerId === null || kindsAllowed[access.partners].includes(partnerKind)) return
  throw forbidden(
    `A token that belongs to a ${partnerKind} cannot ${summary[0]?.toLowerCase()}${summary.slice(1)}.`,
  )
}

/** Who may call an endpoint, as sentences for the API document. */
export const partnersInWords: Readonly<Record<PartnerAccess, string>> = {
  all: 'Users of clients and carriers may call it too, for their own records.',
  clients: 'Users of clients may call it too, for their own records; a token of a carrier is refused (403).',
  carriers: 'Users of carriers may call it too, for what they carry; a token of a client is refused (403).',
  none: 'A token that belongs to a client or a carrier is refused (403).',
}

/**
 * Returns the ids of a path for the handler. If the endpoint has a `partnerParam` and the token belongs to a
 * partner, that id is replaced by the token's partner. Spec 4.12.
 */
export function restrictParams(
  { access: { partnerParam } }: Endpoint,
  actor: Actor | undefined,
  params: Record<string, string>,
): Record<string, string> {
  const partnerId = actor?.partnerId
  return partnerParam !== undefined && partnerId ? { ...params, [partnerParam]: partnerId } : params
}
