// Puts together the OAuth server and the authentication of its tokens. Spec 5.

import type { FastifyBaseLogger, FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Provider } from 'oidc-provider'
import type { Database } from '../platform/database/db.ts'
import type { RateLimits } from '../platform/limits/limits.ts'
import type { SecretBox } from '../platform/secret-box.ts'
import { type Authenticate, createAuthentication } from './access-token.ts'
import { openBrowserTokens } from './browser-tokens.ts'
import { addPortalApp } from './built-in-apps.ts'
import { maxFormBytes } from './forward-request.ts'
import { addPasswordRoutes } from './password-routes.ts'
import { createProvider } from './provider.ts'
import { openRegisteredApps } from './registered-apps.ts'
import { addSignInRoutes } from './sign-in-routes.ts'
import { addSignedInRoutes, endBrowserSession } from './signed-in-routes.ts'
import { type KeySet, openSigningKeys } from './signing-keys.ts'
import { addTokenEndpoint, respondWithOAuthError } from './token-endpoint.ts'
import { createTokenThrottle } from './token-throttle.ts'

/** The settings and dependencies of the OAuth server. */
export interface OAuthOptions {
  database: Database
  secretBox: SecretBox
  /** the address of the OAuth server: the issuer of tokens */
  authUrl: string
  /** the address of the portal; the same by default */
  baseUrl?: string
  /** counts token requests; default: they have no limit */
  limits?: RateLimits | undefined
  log: FastifyBaseLogger
  /** whether `./waybill demo` runs the service */
  isDemo?: boolean
}

/** The OAuth server and the authentication of its tokens. */
export interface OAuth {
  /** Turns an Authorization header into the caller, or throws 401. */
  readonly authenticate: Authenticate
  /** The OAuth server with the current keys. */
  provider(): Provider
  /** Adds the routes of the OAuth server to `app`, which must not be listening yet. */
  mount(app: FastifyInstance): Promise<void>
  close(): void
}

/**
 * Reads the signing keys and the disabled apps, and reads them again at intervals. Throws if the database
 * cannot be reached or was encrypted with another key.
 */
export async function openOAuth({
  database,
  secretBox,
  authUrl,
  baseUrl = authUrl,
  limits,
  log,
  isDemo = false,
}: OAuthOptions): Promise<OAuth> {
  const keys = await openSigningKeys(database, secretBox, log)
  const apps = await openRegisteredApps(database, secretBox, log)
  const throttle = createTokenThrottle(limits)
  const browserTokens = openBrowserTokens(baseUrl)
  let cached: { keys: KeySet; provider: Provider } | undefined
  const provider = () => {
    const current = keys.current()
    if (cached?.keys !== current)
      cached = {
        keys: current,
        provider: createProvider({
          ...{ issuer: authUrl, baseUrl, keys: current, apps, throttle },
          ...{ browserTokens, database, secretBox, log },
        }),
      }
    return cached.provider
  }

  return {
    authenticate: createAuthentication({ issuer: authUrl, keys, apps }),
    provider,
    async mount(app) {
      await app.register(async scope => {
        scope.removeAllContentTypeParsers()
        scope.addContentTypeParser(
          '*',
          { parseAs: 'buffer', bodyLimit: maxFormBytes },
          async (_request: FastifyRequest, body: Buffer) => body,
        )
        scope.setErrorHandler((error: FastifyError, request, reply) =>
          respondWithOAuthError(error, request, reply),
        )
        const parts = { issuer: authUrl, apps, database, secretBox, provider, isDemo }
        const endSession = (request: FastifyRequest, reply: FastifyReply) =>
          endBrowserSession(parts, request, reply)
        addTokenEndpoint(scope, { issuer: authUrl, keys, provider, apps, browserTokens, endSession })
        addPortalApp(scope, { ...parts, baseUrl, hasLimits: limits !== undefined })
        addSignInRoutes(scope, parts)
        addSignedInRoutes(scope, parts)
        addPasswordRoutes(scope, { database, baseUrl })
      })
    },
    close() {
      keys.close()
      apps.close()
    },
  }
}
