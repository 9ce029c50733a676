// Who is asking. Spec 5; open-points 3 (what a token carries).

/**
 * The caller of a request, as its access token says. `partnerId` is set for a user who belongs to a partner
 * and narrows everything to it.
 */
export interface Actor {
  readonly organisationId: string
  /** identity connection: the pair of custom app and user */
  readonly connectionId: string
  readonly userId: string
  readonly clientId: string
  readonly partnerId: string | null
  readonly scopes: ReadonlySet<string>
}
