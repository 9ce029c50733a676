// Who is asking. Spec 5; open-points 3 (what a token carries).

/** What a partner is to the organisation; it can never change. */
export type PartnerKind = 'client' | 'carrier'

/**
 * The caller of a request, as its access token says. `partnerId` and `partnerKind` are set for a user who
 * belongs to a partner; the one narrows everything to it, the other says what its people may do.
 */
export interface Actor {
  readonly organisationId: string
  /** identity connection: the pair of custom app and user */
  readonly connectionId: string
  readonly userId: string
  readonly clientId: string
  readonly partnerId: string | null
  readonly partnerKind: PartnerKind | null
  readonly scopes: ReadonlySet<string>
}
