// Access tokens: their claims, and how the caller of a request is read from one without a database query.
// Spec 5; decision 3.

import { errors, type JWTHeaderParameters, type JWTPayload, jwtVerify } from 'jose'
import type { Actor, BuiltInApp, PartnerKind } from '../access/actor.ts'
import { invalidToken, unauthorised } from '../platform/http/refusal.ts'
import { RecentMap } from '../platform/recent-map.ts'
import type { RegisteredApps } from './registered-apps.ts'
import { type SigningKeys, signingAlgorithm } from './signing-keys.ts'

/**
 * The audience of access tokens: the API. It is a name rather than an address, so that tokens stay valid when
 * the service moves to another address.
 */
export const audience = 'urn:waybill:api'

/** How long an access token is valid, in seconds. Spec 5.4. */
export const accessTokenSeconds = 3_600

/** The claims of an access token beyond the standard ones (`client_id`, `scope` and those of RFC 9068). */
export interface TokenClaims {
  organisation_id: string
  /** identity connection */
  connection_id: string
  user_id: string
  /** set for a user who belongs to a partner */
  partner_id: string | null
  /** the kind of that partner, which never changes */
  partner_kind: PartnerKind | null
  /** the access numbers of the user and of the app; a token with a lower one than the present is refused */
  user_access: number
  app_access: number
  /** the number of the consent that a person's token is based on; absent for client credentials */
  consent?: number
  /** the built-in app that the token was issued to; absent for a custom app */
  app?: BuiltInApp
}

/**
 * Returns the caller that an Authorization header identifies. Throws 401 with a message that says only
 * whether the token is missing, expired or invalid.
 */
export type Authenticate = (authorization: string | undefined) => Actor | Promise<Actor>

const bearer = /^Bearer ([\w-]+\.[\w-]+\.[\w-]+)$/i
/** How many verified tokens are kept in memory. */
const maxTokens = 10_000

/** A token whose signature and claims have been verified. */
interface VerifiedToken {
  actor: Actor
  subject: string
  consent: number | undefined
  userAccess: number
  appAccess: number
  /** milliseconds since 1970 */
  expiresAtMs: number
}

/**
 * Makes the function that authenticates tokens of this issuer. A token that was verified before is found in
 * memory, and its caller is returned without a promise.
 */
export function createAuthentication({
  issuer,
  keys,
  apps,
}: {
  issuer: string
  keys: SigningKeys
  apps: RegisteredApps
}): Authenticate {
  let keySet = keys.current()
  // Keyed by the whole header, so that a known token need not be parsed.
  const verified = new RecentMap<VerifiedToken>(maxTokens)
  // The subject is the person or, for client credentials, the app itself. Those tokens therefore stay valid
  // when the user who created the app is disabled.
  const isRevoked = ({ actor, subject, consent, userAccess, appAccess }: VerifiedToken) =>
    apps.isDisabled(actor.clientId) ||
    apps.isDisabled(subject) ||
    apps.isOutdated(actor.userId, userAccess) ||
    apps.isOutdated(actor.clientId, appAccess) ||
    (consent !== undefined && apps.isWithdrawn(actor.connectionId, consent))

  async function keyOf({ kid }: JWTHeaderParameters) {
    const key = kid === undefined ? undefined : await keys.verificationKey(kid)
    if (key === undefined) throw new Error('The key is unknown.')
    return key
  }

  async function verify(header: string): Promise<Actor> {
    const verifiedWith = keySet
    const jwt = bearer.exec(header)?.[1]
    if (jwt === undefined) throw /^Bearer +\S/i.test(header) ? rejectedToken() : missingToken()
    const { payload } = await jwtVerify(jwt, keyOf, {
      issuer,
      audience,
      algorithms: [signingAlgorithm],
      typ: 'at+jwt',
    }).catch(error => {
      throw error instanceof errors.JWTExpired ? expiredToken() : rejectedToken()
    })
    const token = tokenOf(payload)
    if (token === undefined || isRevoked(token)) throw rejectedToken()
    if (verifiedWith === keys.current()) verified.set(header, token)
    return token.actor
  }

  return header => {
    if (header === undefined) throw missingToken()
    if (keySet !== keys.current()) {
      // A key may have been retired, so tokens that it signed must be verified again.
      keySet = keys.current()
      verified.clear()
    }
    const knownToken = verified.get(header)
    if (knownToken === undefined) return verify(header)
    if (knownToken.expiresAtMs <= Date.now()) throw expiredToken()
    if (isRevoked(knownToken)) throw rejectedToken()
    return knownToken.actor
  }
}

/** What is kept of a token with these claims; undefined if it lacks one that every token of ours has. */
function tokenOf(payload: JWTPayload): VerifiedToken | undefined {
  const actor = actorOf(payload)
  const { sub: subject, exp, consent, user_access: userAccess, app_access: appAccess } = payload
  if (actor === undefined || subject === undefined || exp === undefined) return undefined
  return {
    actor,
    subject,
    consent: numberOf(consent),
    userAccess: numberOf(userAccess) ?? 0,
    appAccess: numberOf(appAccess) ?? 0,
    expiresAtMs: exp * 1000,
  }
}

const numberOf = (claim: unknown) => (typeof claim === 'number' ? claim : undefined)

const missingToken = () =>
  unauthorised('The access token is missing: the request needs the header Authorization: Bearer <token>.')
const expiredToken = () => invalidToken('The access token has expired.')
const rejectedToken = () => invalidToken('The access token is not valid.')

/** The caller that the claims describe; undefined if they lack a claim that every token of ours has. */
function actorOf(payload: JWTPayload): Actor | undefined {
  const { organisation_id, connection_id, user_id, partner_id, partner_kind, client_id, scope, app } = payload
  if (
    typeof organisation_id !== 'string' ||
    typeof connection_id !== 'string' ||
    typeof user_id !== 'string' ||
    (partner_id !== null && typeof partner_id !== 'string') ||
    (partner_kind !== null && partner_kind !== 'client' && partner_kind !== 'carrier') ||
    (partner_id === null) !== (partner_kind === null) ||
    typeof client_id !== 'string'
  ) {
    return undefined
  }
  return {
    organisationId: organisation_id,
    connectionId: connection_id,
    userId: user_id,
    partnerId: partner_id,
    partnerKind: partner_kind,
    clientId: client_id,
    scopes: new Set(typeof scope === 'string' ? scope.split(' ') : []),
    ...(app === 'portal' || app === 'floor' ? { app } : {}),
  }
}
