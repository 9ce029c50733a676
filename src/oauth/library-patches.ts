// All changes to the behaviour of oidc-provider that it has no settings for. Check this file with every new
// version of the library, because each change relies on something that the library does not promise.
//
// 1. `acr` carries the session number of a sign-in, from the password to the code.
// 2. `Client.prototype.compareClientSecret` compares hashes, because secrets are not stored and an app may
//    have two.
// 3. `RefreshToken.prototype.generateTokenId` derives a token from the previous one.
// 4. Responses of the token endpoint are corrected after the library has made them, and the refresh tokens of
//    built-in apps are moved into cookies.

import { createHmac } from 'node:crypto'
import type { FastifyBaseLogger } from 'fastify'
import { Provider } from 'oidc-provider'
import { Refusal } from '../platform/http/refusal.ts'
import { unavailabilityOf } from '../platform/http/unavailability.ts'
import type { SecretBox } from '../platform/secret-box.ts'
import type { BrowserTokens } from './browser-tokens.ts'
import { builtInOf } from './client-adapter.ts'
import { matchesSecret } from './client-secrets.ts'
import { isAppRequest, type ProviderContext, respondUnavailable, respondWithRefusal } from './responses.ts'
import type { TokenThrottle } from './token-throttle.ts'

/**
 * The part of a sign-in that sessions and codes keep. Only ID tokens would reveal `acr`, and none are issued.
 */
interface SignInState {
  readonly acr?: string | undefined
}

/** The state of a sign-in of this user that begins now. */
export const createSignInState = ({ sessionNumber }: { sessionNumber: number }): { acr: string } => ({
  acr: String(sessionNumber),
})

/** Whether a sign-in of this user has been ended. */
export const isSignInOver = (signIn: SignInState, user: { sessionNumber: number }): boolean =>
  signIn.acr !== createSignInState(user).acr

/**
 * Makes clients compare the hash of a presented secret with those that `clientSecret` holds, separated by
 * dots. A request with the right secret is counted against the app's rate limit.
 */
export function compareSecretsByHash({ Client }: Provider, throttle: TokenThrottle): void {
  Client.prototype.compareClientSecret = async function (presentedSecret) {
    const hashes = (this.clientSecret ?? '').split('.').map(hash => Buffer.from(hash, 'base64url'))
    const isCorrect = matchesSecret(presentedSecret, hashes)
    if (isCorrect) await throttle.countAdmitted(this.clientId)
    return isCorrect
  }
}

/**
 * Derives each refresh token from the previous one, so that a token that is presented several times within
 * its grace period, to any process, always yields the same next token. The derivation uses a key that only
 * the service has.
 */
export function deriveNextRefreshTokens(
  { RefreshToken: { prototype } }: Provider,
  secretBox: SecretBox,
): void {
  if (!makesTokenIds(prototype)) throw new Error('oidc-provider makes the ids of tokens in another way.')
  const key = secretBox.keyFor('refresh tokens')
  const generateRandomId = prototype.generateTokenId
  prototype.generateTokenId = function () {
    const previous = Provider.ctx?.oidc?.entities.RotatedRefreshToken?.jti
    return previous === undefined
      ? generateRandomId.call(this)
      : createHmac('sha256', key).update(previous).digest('base64url')
  }
}

/** Whether a model makes the ids of its records by a method, which its types do not have. */
const makesTokenIds = (model: object): model is { generateTokenId(): string } =>
  'generateTokenId' in model && typeof model.generateTokenId === 'function'

/** The correction of an error that section 5.6 of the specification or RFC 6749 requires to be different. */
interface Correction {
  /** the error that the library returns */
  readonly original: string
  applies(oidc: NonNullable<ProviderContext['oidc']>, ctx: ProviderContext): boolean
  readonly corrected: { status: number; error: string; error_description: string }
}

/** The corrections, of which the first that applies is made. */
const corrections: readonly Correction[] = [
  {
    // The app is known, but may not use this grant type. Spec 5.6.
    original: 'invalid_request',
    applies: ({ client, params }) =>
      typeof params?.grant_type === 'string' && client?.grantTypeAllowed(params.grant_type) === false,
    corrected: {
      status: 400,
      error: 'unauthorized_client',
      error_description: 'the app is not allowed this grant type',
    },
  },
  {
    // A request without client authentication gets the same error as one with the wrong secret. Spec 5.6; RFC
    // 6749 (5.2).
    original: 'invalid_request',
    applies: ({ body }, ctx) => !body?.client_id && !ctx.get('authorization'),
    corrected: { status: 401, error: 'invalid_client', error_description: 'client authentication failed' },
  },
]

const errorOf = (ctx: ProviderContext) => (ctx.body as { error?: string } | undefined)?.error

function correctError(ctx: ProviderContext): void {
  const { oidc } = ctx
  const error = errorOf(ctx)
  const correction = corrections.find(
    ({ original, applies }) => original === error && oidc && applies(oidc, ctx),
  )
  if (correction === undefined) return
  const { status, ...body } = correction.corrected
  ctx.status = status
  ctx.body = body
}

/** Moves the refresh token of a built-in app from the body, which scripts read, into its cookie. */
function hideRefreshToken(ctx: ProviderContext, browserTokens: BrowserTokens): void {
  const app = builtInOf(ctx.oidc?.client)
  const { refresh_token: token, ...rest } = (ctx.body ?? {}) as { refresh_token?: string }
  if (app === undefined || token === undefined) return
  ctx.body = rest
  const { expiration } = ctx.oidc?.entities.RefreshToken ?? {}
  ctx.append('set-cookie', browserTokens.cookie(app, token, expiration ?? 0))
}

/**
 * Corrects responses of the library, counts requests of apps that could not authenticate, sets the rate limit
 * headers, and responds to outages and to too many requests.
 */
export function correctResponses(
  provider: Provider,
  {
    throttle,
    browserTokens,
    log,
  }: { throttle: TokenThrottle; browserTokens: BrowserTokens; log: FastifyBaseLogger },
): void {
  provider.silent = true
  provider.use(async (ctx: ProviderContext, next) => {
    try {
      await next()
    } catch (error) {
      // The library responds to other errors itself; this one is thrown when it cannot store the session.
      const unavailability = unavailabilityOf(error)
      if (unavailability === undefined) throw error
      respondUnavailable(ctx, unavailability)
    }
    if (!isAppRequest(ctx)) return
    correctError(ctx)
    hideRefreshToken(ctx, browserTokens)
    const clientId = ctx.oidc?.client?.clientId
    if (errorOf(ctx) !== 'invalid_client') {
      if (clientId !== undefined) throttle.setHeaders({ header: (...pair) => ctx.set(...pair) }, clientId)
      return
    }
    log.warn({ clientId, address: ctx.ip }, 'client authentication failed')
    try {
      throttle.countRefused(clientId, ctx.ip)
    } catch (refusal) {
      respondWithRefusal(ctx, refusal as Refusal)
    }
  })
  provider.on('server_error', (ctx, error) => {
    const unavailability = unavailabilityOf(error)
    if (unavailability !== undefined) respondUnavailable(ctx, unavailability)
    else if (error instanceof Refusal) respondWithRefusal(ctx, error)
    else log.error({ err: error }, 'unexpected error of the OAuth server')
  })
}
