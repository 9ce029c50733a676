// The caller of a request. Spec 5; decision 3.

/** What a partner is to the organisation. It never changes. */
export type PartnerKind = 'client' | 'carrier'

/** An app that every organisation has: the web portal, or the app for the floor of a warehouse. */
export type BuiltInApp = 'portal' | 'floor'

/**
 * The caller of a request, taken from its access token. `partnerId` and `partnerKind` are set for a user who
 * belongs to a partner: the id restricts every record to that partner, the kind decides what the user may do.
 */
export interface Actor {
  readonly organisationId: string
  /** the identity connection: the pair of custom app and user */
  readonly connectionId: string
  readonly userId: string
  readonly clientId: string
  readonly partnerId: string | null
  readonly partnerKind: PartnerKind | null
  readonly scopes: ReadonlySet<string>
  /** the built-in app that the token was issued to; absent for a custom app */
  readonly app?: BuiltInApp
}
