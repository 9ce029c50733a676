// Every place where oidc-provider is made to do what it does not offer. Check this file with every new
// version of the library: each of these relies on something that the library does not promise.
//
// 1. `acr` carries the session number of a sign-in, from the password to the code.
// 2. `Client.prototype.compareClientSecret` compares hashes, because secrets are not stored and an app may
//    have two.
// 3. `RefreshToken.prototype.generateTokenId` derives a token from the one before.
// 4. Answers of the token endpoint are corrected after the library has made them.

import { createHmac } from 'node:crypto'
import type { FastifyBaseLogger } from 'fastify'
import { type Context, Provider } from 'oidc-provider'
import { Refusal } from '../platform/http/refusal.ts'
import { unavailabilityOf } from '../platform/http/unavailability.ts'
import type { SecretBox } from '../platform/secret-box.ts'
import { answerRefusal, answerUnavailable, isForApp } from './answers.ts'
import { isSecretOf } from './client-secrets.ts'
import type { TokenThrottle } from './token-throttle.ts'

/**
 * What a session or a code keeps of its sign-in. Only ID tokens, which there are none of, would show `acr` to
 * anybody.
 */
interface SignInState {
  readonly acr?: string | undefined
}

/** What a sign-in of this person that begins now keeps. */
export const signInStateOf = ({ sessionNumber }: { sessionNumber: number }): { acr: string } => ({
  acr: String(sessionNumber),
})

/** Whether a sign-in of this person has been ended. */
export const isSignInOver = (signIn: SignInState, person: { sessionNumber: number }): boolean =>
  signIn.acr !== signInStateOf(person).acr

/**
 * Makes clients compare the hash of a secret with those kept in the secret's place, separated by dots, and
 * counts the request when it is right.
 */
export function compareSecretsByHash({ Client }: Provider, throttle: TokenThrottle): void {
  Client.prototype.compareClientSecret = async function (given) {
    const hashes = this.clientSecret.split('.').map(hash => Buffer.from(hash, 'base64url'))
    const isRight = isSecretOf(given, hashes)
    if (isRight) await throttle.countAdmitted(this.clientId)
    return isRight
  }
}

/**
 * Derives each refresh token from the one before, so that one that is presented several times within its
 * grace, in whichever processes, always yields the same next token. Deriving takes a key that only the
 * service has. /
 */
export function deriveNextRefreshTokens(
  { RefreshToken: { prototype } }: Provider,
  secretBox: SecretBox,
): void {
  const key = secretBox.keyFor('refresh tokens')
  const random = prototype.generateTokenId
  prototype.generateTokenId = function () {
    const before = Provider.ctx?.oidc?.entities.RotatedRefreshToken?.jti
    return before === undefined
      ? random.call(this)
      : createHmac('sha256', key).update(before).digest('base64url')
  }
}

/** An answer of the library that section 5.6 of the specification or RFC 6749 requires to be different. */
interface Correction {
  /** the error that the library answers */
  readonly library: string
  applies(oidc: NonNullable<Context['oidc']>, ctx: Context): boolean
  readonly wanted: { status: number; error: string; error_description: string }
}

/** The corrections; the first that applies is made. */
const corrections: readonly Correction[] = [
  {
    // The app is known, and was not given this grant. Spec 5.6.
    library: 'invalid_request',
    applies: ({ client, params: { grant_type: grantType } }) =>
      client !== undefined && grantType !== undefined && !client.grantTypeAllowed(grantType),
    wanted: {
      status: 400,
      error: 'unauthorized_client',
      error_description: 'the app is not allowed this grant type',
    },
  },
  {
    // A request without client authentication is answered like one with a wrong one. Spec 5.6; RFC 6749
    // (5.2).
    library: 'invalid_request',
    applies: ({ body }, ctx) => !body?.client_id && !ctx.get('authorization'),
    wanted: { status: 401, error: 'invalid_client', error_description: 'client authentication failed' },
  },
]

const errorOf = (ctx: Context) => (ctx.body as { error?: string } | undefined)?.error

function correct(ctx: Context): void {
  const { oidc } = ctx
  const error = errorOf(ctx)
  const found = corrections.find(({ library, applies }) => library === error && oidc && applies(oidc, ctx))
  if (found === undefined) return
  const { status, ...body } = found.wanted
  ctx.status = status
  ctx.body = body
}

/**
 * Corrects answers of the library, counts refused apps, says what an app may still ask, and answers outages
 * and too many requests.
 */
export function correctAnswers(provider: Provider, throttle: TokenThrottle, log: FastifyBaseLogger): void {
  provider.silent = true
  provider.use(async (ctx, next) => {
    try {
      await next()
    } catch (error) {
      // Not even the session could be stored.
      const unavailability = unavailabilityOf(error)
      if (unavailability === undefined) throw error
      answerUnavailable(ctx, unavailability)
    }
    if (!isForApp(ctx)) return
    correct(ctx)
    const clientId = ctx.oidc?.client?.clientId
    if (errorOf(ctx) !== 'invalid_client') {
      if (clientId !== undefined) throttle.setHeaders({ header: (...pair) => ctx.set(...pair) }, clientId)
      return
    }
    log.warn({ clientId, address: ctx.ip }, 'an app could not prove who it is')
    try {
      throttle.countRefused(clientId, ctx.ip)
    } catch (refusal) {
      answerRefusal(ctx, refusal as Refusal)
    }
  })
  provider.on('server_error', (ctx, error) => {
    const unavailability = unavailabilityOf(error)
    if (unavailability !== undefined) answerUnavailable(ctx, unavailability)
    else if (error instanceof Refusal) answerRefusal(ctx, error)
    else log.error({ err: error }, 'unexpected error of the OAuth server')
  })
}
