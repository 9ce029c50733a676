// POST /connect/token and POST /connect/revoke, which forward the form to the OAuth server, and the documents
// with its keys and metadata. Spec 5.2, 5.6; RFC 7009.

import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Provider } from 'oidc-provider'
import type { BuiltInApp } from '../access/actor.ts'
import { scopes } from '../access/scopes.ts'
import { Refusal } from '../platform/http/refusal.ts'
import { unavailabilityOf } from '../platform/http/unavailability.ts'
import type { BrowserTokens } from './browser-tokens.ts'
import { createForwarder, formType, maxFormBytes } from './forward-request.ts'
import type { RegisteredApps } from './registered-apps.ts'
import type { SigningKeys } from './signing-keys.ts'

export interface TokenEndpointParts {
  /** the address of the OAuth server */
  issuer: string
  keys: SigningKeys
  /** the OAuth server with the current keys */
  provider(): Provider
  apps: RegisteredApps
  browserTokens: BrowserTokens
  /** Ends the session of the requesting browser at the OAuth server, if it has one. */
  endSession(request: FastifyRequest, reply: FastifyReply): Promise<void>
}

/**
 * Adds the token and revocation endpoints, the public keys and the server's metadata (RFC 8414) to a Fastify
 * scope, which must parse bodies as bytes.
 */
export function addTokenEndpoint(scope: FastifyInstance, parts: TokenEndpointParts): void {
  const forward = createForwarder(parts.issuer, parts.provider)
  async function forwardForm(request: FastifyRequest, reply: FastifyReply) {
    const form = readFormBytes(request)
    if (form === undefined)
      return oauthError(reply, 400, 'invalid_request', `the body must be of the type ${formType}`)
    const fields = new URLSearchParams(form.toString())
    const app = (await parts.apps.find(fields.get('client_id') ?? ''))?.builtIn ?? undefined
    if (app === undefined) return forward(request, reply, { form })
    const isRevocation = request.routeOptions.url === '/connect/revoke'
    const refusal = isRevocation
      ? takeTokenToRevoke(parts, request, app, fields)
      : takeRefreshToken(parts, request, app, fields)
    if (refusal !== undefined) return oauthError(reply, ...refusal)
    if (isRevocation) {
      reply.header('set-cookie', parts.browserTokens.cookie(app, '', 0))
      await parts.endSession(request, reply)
      if (!fields.has('token')) return reply.code(200).send()
    }
    return forward(request, reply, { form: Buffer.from(fields.toString()) })
  }
  scope.post('/connect/token', forwardForm)
  scope.post('/connect/revoke', forwardForm)
  addDocuments(scope, parts)
}

type OAuthRefusal = [status: number, error: string, description: string]

const notOwnPage: OAuthRefusal = [403, 'access_denied', "only the app's own pages may send this"]

/** Puts the refresh token of the cookie into the form. Returns why the request is refused. */
function takeRefreshToken(
  { browserTokens }: TokenEndpointParts,
  request: FastifyRequest,
  app: BuiltInApp,
  fields: URLSearchParams,
): OAuthRefusal | undefined {
  if (!browserTokens.isOwnPage(request)) return notOwnPage
  if (fields.has('refresh_token'))
    return [400, 'invalid_request', 'the refresh token is taken from the cookie']
  if (fields.get('grant_type') !== 'refresh_token') return undefined
  const token = browserTokens.read(request, app)
  if (token === undefined) return [400, 'invalid_grant', 'nobody is signed in']
  fields.set('refresh_token', token)
  return undefined
}

/**
 * Puts the refresh token of the cookie into the form, if there is one. Returns why the request is refused.
 */
function takeTokenToRevoke(
  { browserTokens }: TokenEndpointParts,
  request: FastifyRequest,
  app: BuiltInApp,
  fields: URLSearchParams,
): OAuthRefusal | undefined {
  if (!browserTokens.isOwnPage(request)) return notOwnPage
  fields.delete('token')
  const token = browserTokens.read(request, app)
  if (token !== undefined) fields.set('token', token)
  return undefined
}

/** The bytes of the form; undefined if the body has another type. */
function readFormBytes(request: FastifyRequest): Buffer | undefined {
  const type = request.headers['content-type']?.split(';')[0]?.trim().toLowerCase()
  return type === formType ? ((request.body as Buffer | undefined) ?? Buffer.alloc(0)) : undefined
}

const authMethods = ['client_secret_post', 'client_secret_basic', 'none']

function addDocuments(scope: FastifyInstance, { issuer, keys }: TokenEndpointParts): void {
  const cacheControl = 'public, max-age=300'
  scope.get('/connect/jwks', async (_request, reply) =>
    reply
      .header('cache-control', cacheControl)
      .type('application/jwk-set+json')
      .send({ keys: keys.current().publicKeys }),
  )
  scope.get('/.well-known/oauth-authorization-server', async (_request, reply) =>
    reply.header('cache-control', cacheControl).send({
      issuer,
      authorization_endpoint: `${issuer}/connect/authorize`,
      token_endpoint: `${issuer}/connect/token`,
      token_endpoint_auth_methods_supported: authMethods,
      revocation_endpoint: `${issuer}/connect/revoke`,
      revocation_endpoint_auth_methods_supported: authMethods,
      jwks_uri: `${issuer}/connect/jwks`,
      scopes_supported: scopes,
      grant_types_supported: ['authorization_code', 'client_credentials', 'refresh_token'],
      response_types_supported: ['code'],
      response_modes_supported: ['query'],
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
    }),
  )
}

/** The description of every 503. */
export const unavailableDescription = 'the service is not available at this moment'

const oauthError = (reply: FastifyReply, status: number, error: string, description: string) =>
  reply.code(status).send({ error, error_description: description })

/** Responds to an error that occurred before the OAuth server got the request, in the form of its errors. */
export function respondWithOAuthError(
  error: FastifyError | Refusal,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const unavailability = unavailabilityOf(error)
  if (unavailability !== undefined) {
    return oauthError(
      reply.header('retry-after', unavailability.retryAfterSeconds),
      503,
      'temporarily_unavailable',
      unavailableDescription,
    )
  }
  if (error instanceof Refusal) {
    if (error.retryAfterSeconds !== undefined) reply.header('retry-after', error.retryAfterSeconds)
    return reply.code(error.status).send(error.body)
  }
  if (error.statusCode === 413)
    return oauthError(reply, 413, 'invalid_request', `the body must have at most ${maxFormBytes} bytes`)
  if (error.statusCode !== undefined && error.statusCode < 500)
    return oauthError(reply, 400, 'invalid_request', 'the request could not be read')
  request.log.error({ err: error }, 'unexpected error of the token endpoint')
  return oauthError(reply, 500, 'server_error', `the request id is ${request.id}`)
}
