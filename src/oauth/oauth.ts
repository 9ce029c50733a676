// Everything about tokens in one piece: who may have one, and whose one is. Spec 5.

import type { FastifyBaseLogger, FastifyError, FastifyInstance, FastifyRequest } from 'fastify'
import type { Provider } from 'oidc-provider'
import type { Database } from '../platform/database/db.ts'
import type { SecretBox } from '../platform/secret-box.ts'
import { type Authenticate, openAccessTokens } from './access-token.ts'
import { maxFormBytes } from './hand-over.ts'
import { addOwnSignIns } from './own-sign-ins.ts'
import { openProvider } from './provider.ts'
import { openRegisteredApps } from './registered-apps.ts'
import { addSignIn } from './sign-in.ts'
import { type KeySet, openSigningKeys } from './signing-keys.ts'
import { addTokenEndpoint, answerOAuthError } from './token-endpoint.ts'
import { openTokenThrottle } from './token-throttle.ts'

export interface OAuthOptions {
  database: Database
  secretBox: SecretBox
  /** the address of the OAuth server: the issuer of tokens */
  authUrl: string
  /** whether the limit of section 8 applies to token requests */
  rateLimits: boolean
  log: FastifyBaseLogger
}

export interface OAuth {
  /** Turns an Authorization header into the caller, or throws 401. */
  readonly authenticate: Authenticate
  /** The OAuth server with the keys of the moment. */
  provider(): Provider
  /** Adds everything below /connect to the server, which must not listen yet. */
  mount(app: FastifyInstance): Promise<void>
  close(): void
}

/**
 * Reads the keys and the disabled apps and keeps them fresh. Throws when the database is away or was
 * encrypted with another key.
 */
export async function openOAuth({
  database,
  secretBox,
  authUrl,
  rateLimits,
  log,
}: OAuthOptions): Promise<OAuth> {
  const keys = await openSigningKeys(database, secretBox, log)
  const apps = await openRegisteredApps(database, secretBox, log)
  const throttle = openTokenThrottle(rateLimits)
  let made: { with: KeySet; provider: Provider } | undefined
  const provider = () => {
    const set = keys.current()
    if (made?.with !== set)
      made = {
        with: set,
        provider: openProvider({ issuer: authUrl, keys: set, apps, throttle, database, secretBox, log }),
      }
    return made.provider
  }

  return {
    authenticate: openAccessTokens({ issuer: authUrl, keys, apps }),
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
          answerOAuthError(error, request, reply),
        )
        addTokenEndpoint(scope, { issuer: authUrl, keys, provider })
        const parts = { issuer: authUrl, apps, database, secretBox, provider }
        addSignIn(scope, parts)
        addOwnSignIns(scope, parts)
      })
    },
    close() {
      keys.close()
      apps.close()
    },
  }
}
