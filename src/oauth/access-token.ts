// Access tokens: their claims, and how one is turned into the caller of a request without a query. Spec 5;
// open-points 3.

import { errors, type JWTHeaderParameters, type JWTPayload, jwtVerify } from 'jose'
import type { Actor, PartnerKind } from '../platform/http/actor.ts'
import { invalidToken, unauthorised } from '../platform/http/refusal.ts'
import { RecentMap } from '../platform/recent-map.ts'
import type { RegisteredApps } from './registered-apps.ts'
import { type SigningKeys, signingAlgorithm } from './signing-keys.ts'

/**
 * The audience of access tokens: the API. A name and not an address, so that tokens stay valid when the
 * service moves to another address. /
 */
export const audience = 'urn:waybill:api'

/** Seconds that an access token is valid. Spec 5.4. */
export const accessTokenSeconds = 3_600

/** The claims of an access token beyond the standard ones (`client_id`, `scope` and those of RFC 9068). */
export interface TokenClaims {
  organisation_id: string
  /** identity connection */
  connection_id: string
  user_id: string
  /** set for a user who belongs to a partner */
  partner_id: string | null
  /** what that partner is; it never changes */
  partner_kind: PartnerKind | null
  /** the number of the consent that a person's token rests on; absent for client credentials */
  consent?: number
}

/**
 * Turns an Authorization header into the caller. Throws 401, which says whether the token is missing, expired
 * or not valid, and nothing more.
 */
export type Authenticate = (authorization: string | undefined) => Actor | Promise<Actor>

const bearer = /^Bearer ([\w-]+\.[\w-]+\.[\w-]+)$/i
const maxTokens = 10_000

/** A token that was verified. */
interface VerifiedToken {
  actor: Actor
  subject: string
  consent: number | undefined
  /** milliseconds since 1970 */
  expiresAtMs: number
}

/**
 * Opens the check of tokens that this issuer signed. A token seen before is looked up in memory, and its
 * caller is returned without a promise. /
 */
export function openAccessTokens({
  issuer,
  keys,
  apps,
}: {
  issuer: string
  keys: SigningKeys
  apps: RegisteredApps
}): Authenticate {
  let keySet = keys.current()
  // The keys are whole headers, so that a known one need not be parsed.
  const verified = new RecentMap<VerifiedToken>(maxTokens)
  // The subject is the person, or the app itself for client credentials, which go on when the user who
  // created the app is disabled.
  const isRevoked = ({ actor, subject, consent }: VerifiedToken) =>
    apps.isDisabled(actor.clientId) ||
    apps.isDisabled(subject) ||
    (consent !== undefined && apps.isWithdrawn(actor.connectionId, consent))

  async function keyOf({ kid }: JWTHeaderParameters) {
    const key = kid === undefined ? undefined : await keys.verificationKey(kid)
    if (key === undefined) throw new Error('The key is unknown.')
    return key
  }

  async function verify(header: string): Promise<Actor> {
    const verifiedWith = keySet
    const jwt = bearer.exec(header)?.[1]
    if (jwt === undefined) throw /^Bearer +\S/i.test(header) ? wrongToken() : missingToken()
    const { payload } = await jwtVerify(jwt, keyOf, {
      issuer,
      audience,
      algorithms: [signingAlgorithm],
      typ: 'at+jwt',
    }).catch(error => {
      throw error instanceof errors.JWTExpired ? expiredToken() : wrongToken()
    })
    const actor = actorOf(payload)
    const { sub: subject, exp, consent } = payload
    if (actor === undefined || subject === undefined || exp === undefined) throw wrongToken()
    const token: VerifiedToken = {
      actor,
      subject,
      consent: typeof consent === 'number' ? consent : undefined,
      expiresAtMs: exp * 1000,
    }
    if (isRevoked(token)) throw wrongToken()
    if (verifiedWith === keys.current()) verified.set(header, token)
    return actor
  }

  return header => {
    if (header === undefined) throw missingToken()
    if (keySet !== keys.current()) {
      // A key may have been retired.
      keySet = keys.current()
      verified.clear()
    }
    const known = verified.get(header)
    if (known === undefined) return verify(header)
    if (known.expiresAtMs <= Date.now()) throw expiredToken()
    if (isRevoked(known)) throw wrongToken()
    return known.actor
  }
}

const missingToken = () =>
  unauthorised('The access token is missing: the request needs the header Authorization: Bearer <token>.')
const expiredToken = () => invalidToken('The access token has expired.')
const wrongToken = () => invalidToken('The access token is not valid.')

/** The caller that the claims describe; undefined when they are not those of our tokens. */
function actorOf(payload: JWTPayload): Actor | undefined {
  const { organisation_id, connection_id, user_id, partner_id, partner_kind, client_id, scope } = payload
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
  }
}
