// POST /connect/token and POST /connect/revoke, which forward the form to the OAuth server, and the documents
// with its keys and metadata. Spec 5.2, 5.6; RFC 7009.

import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Provider } from 'oidc-provider'
import { scopes } from '../access/scopes.ts'
import { unavailabilityOf } from '../platform/http/unavailability.ts'
import { createForwarder, formType, maxFormBytes } from './forward-request.ts'
import type { SigningKeys } from './signing-keys.ts'

/** The dependencies of the endpoints. */
export interface TokenEndpointParts {
  /** the address of the OAuth server */
  issuer: string
  keys: SigningKeys
  /** the OAuth server with the current keys */
  provider(): Provider
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
    return forward(request, reply, { form })
  }
  scope.post('/connect/token', forwardForm)
  scope.post('/connect/revoke', forwardForm)
  addDocuments(scope, parts)
}

/** The bytes of the form; undefined if the body has another type. */
function readFormBytes(request: FastifyRequest): Buffer | undefined {
  const type = request.headers['content-type']?.split(';')[0]?.trim().toLowerCase()
  return type === formType ? ((request.body as Buffer | undefined) ?? Buffer.alloc(0)) : undefined
}

const authMethods = ['client_secret_post', 'client_secret_basic']

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
  error: FastifyError,
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
  if (error.statusCode === 413)
    return oauthError(reply, 413, 'invalid_request', `the body must have at most ${maxFormBytes} bytes`)
  if (error.statusCode !== undefined && error.statusCode < 500)
    return oauthError(reply, 400, 'invalid_request', 'the request could not be read')
  request.log.error({ err: error }, 'unexpected error of the token endpoint')
  return oauthError(reply, 500, 'server_error', `the request id is ${request.id}`)
}
