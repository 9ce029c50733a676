// Every place where oidc-provider is bent to what Waybill needs. A new version of the library is to be held
// against this file: each bend leans on something that the library does not promise.
//
// 1. `acr` carries the number of a sign-in, from the password to the code.
// 2. `Client.prototype.compareClientSecret` compares hashes, because no secret is kept.
// 3. `RefreshToken.prototype.generateTokenId` derives a token from the one before.
// 4. Answers of the token endpoint are put right after the library has made them.

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
 * Where the OAuth server remembers which sign-in it is: in the `acr` of sessions and codes, which is told to
 * nobody where there are no ID tokens.
 */
interface SignIn {
  readonly acr?: string | undefined
}

/** What a sign-in of this person that begins now remembers. */
export const beginningOf = ({ sessionNumber }: { sessionNumber: number }): { acr: string } => ({
  acr: String(sessionNumber),
})

/** Whether a sign-in of this person is over. */
export const isOver = (signIn: SignIn, person: { sessionNumber: number }): boolean =>
  signIn.acr !== beginningOf(person).acr

/**
 * Compares the hash of a given secret with the one that stands in the secret's place, and counts the request
 * of whoever knows it.
 */
export function compareSecretsByHash({ Client }: Provider, throttle: TokenThrottle): void {
  Client.prototype.compareClientSecret = function (given) {
    const isRight = isSecretOf(given, Buffer.from(this.clientSecret, 'base64url'))
    if (isRight) throttle.countAdmitted(this.clientId)
    return isRight
  }
}

/**
 * Makes the refresh token that follows another from that other, so that however often and in however many
 * processes one is presented within its grace, what comes of it is one and the same token. Without the key
 * nobody can tell the one from the other.
 */
export function deriveSuccessors({ RefreshToken: { prototype } }: Provider, secretBox: SecretBox): void {
  const key = secretBox.keyFor('refresh tokens')
  const random = prototype.generateTokenId
  prototype.generateTokenId = function () {
    const before = Provider.ctx?.oidc?.entities.RotatedRefreshToken?.jti
    return before === undefined
      ? random.call(this)
      : createHmac('sha256', key).update(before).digest('base64url')
  }
}

/** An answer of the library that section 5.6 of the specification or RFC 6749 wants otherwise. */
interface Correction {
  /** the error that the library answers */
  readonly library: string
  isMeant(oidc: NonNullable<Context['oidc']>, ctx: Context): boolean
  readonly wanted: { status: number; error: string; error_description: string }
}

/** What the library answers, and what it has to be. The first that fits counts. */
const corrections: readonly Correction[] = [
  {
    // The app is known, and was not given this grant. Spec 5.6.
    library: 'invalid_request',
    isMeant: ({ client, params: { grant_type: grantType } }) =>
      client !== undefined && grantType !== undefined && !client.grantTypeAllowed(grantType),
    wanted: {
      status: 400,
      error: 'unauthorized_client',
      error_description: 'the app is not allowed this grant type',
    },
  },
  {
    // No client authentication at all is a wrong one. Spec 5.6; RFC 6749 (5.2).
    library: 'invalid_request',
    isMeant: ({ body }, ctx) => !body?.client_id && !ctx.get('authorization'),
    wanted: { status: 401, error: 'invalid_client', error_description: 'client authentication failed' },
  },
]

const errorOf = (ctx: Context) => (ctx.body as { error?: string } | undefined)?.error

function correct(ctx: Context): void {
  const { oidc } = ctx
  const error = errorOf(ctx)
  const found = corrections.find(({ library, isMeant }) => library === error && oidc && isMeant(oidc, ctx))
  if (found === undefined) return
  const { status, ...body } = found.wanted
  ctx.status = status
  ctx.body = body
}

/** Puts right what the library answers, counts refused apps, and answers an outage and too many requests. */
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
    if (errorOf(ctx) !== 'invalid_client') return
    try {
      throttle.countRefused(ctx.oidc?.client?.clientId, ctx.ip)
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
