// The OAuth server: oidc-provider, configured to behave as section 5 of the specification requires.

import type { FastifyBaseLogger } from 'fastify'
import {
  type AccessToken,
  type Client,
  type ClientCredentials,
  type Configuration,
  errors,
  type KoaContextWithOIDC,
  Provider,
  type RefreshToken,
} from 'oidc-provider'
import type { BuiltInApp } from '../access/actor.ts'
import { includesScope, scopes } from '../access/scopes.ts'
import type { Database } from '../platform/database/db.ts'
import { rateLimitExceeded } from '../platform/http/refusal.ts'
import type { SecretBox } from '../platform/secret-box.ts'
import { accessTokenSeconds, audience, type TokenClaims } from './access-token.ts'
import { createAdapter } from './adapter.ts'
import type { BrowserTokens } from './browser-tokens.ts'
import { builtInOf, builtInProperty, createClientAdapter } from './client-adapter.ts'
import { createPrompts, findOrCreateGrant, offlineAccess } from './grants.ts'
import {
  compareSecretsByHash,
  correctResponses,
  deriveNextRefreshTokens,
  isSignInOver,
} from './library-patches.ts'
import type { RegisteredApp, RegisteredApps } from './registered-apps.ts'
import { respondWithPage } from './responses.ts'
import { effectiveScopes } from './scopes-of-token.ts'
import { refusalPage } from './sign-in-html.ts'
import { takeAttempt, unfinishedSignInsCounter } from './sign-in-throttle.ts'
import { type KeySet, signingAlgorithm } from './signing-keys.ts'
import type { TokenThrottle } from './token-throttle.ts'
import { findUser } from './user.ts'

/** The dependencies of the OAuth server. */
export interface ProviderParts {
  /** the address of the OAuth server, as tokens name it */
  issuer: string
  keys: KeySet
  apps: RegisteredApps
  throttle: TokenThrottle
  browserTokens: BrowserTokens
  /** the address of the pages of the built-in apps */
  baseUrl: string
  database: Database
  secretBox: SecretBox
  log: FastifyBaseLogger
}

const hour = 3_600
const day = 24 * hour

/** The path of the pages on which a person signs in and allows an app; the id of the interaction follows. */
export const signInPath = '/connect/sign-in'

/** Makes the OAuth server for one set of keys. It signs with the first key. */
export function createProvider(parts: ProviderParts): Provider {
  const { issuer, keys, apps, throttle, database, secretBox, browserTokens, baseUrl, log } = parts
  const provider: Provider = new Provider(issuer, {
    ...commonSettings,
    adapter: model =>
      model === 'Client' ? createClientAdapter(apps, baseUrl) : createAdapter(database, secretBox, model),
    jwks: { keys: keys.privateKeys },
    cookies: {
      names: cookieNames,
      keys: [secretBox.keyFor('cookies').toString('base64url')],
      long: cookieOptions,
      short: cookieOptions,
    },
    interactions: {
      url: (_ctx, { uid }) => `${signInPath}/${uid}`,
      policy: createPrompts(ctx => countStartedSignIn(database, ctx)),
    },
    features: providerFeatures(parts),
    formats: {
      customizers: {
        async jwt(_ctx, token, { payload }) {
          Object.assign(payload, await readClaims(parts, token))
          payload.scope = token.scope
        },
      },
    },
    async findAccount(ctx, accountId, token) {
      const user = await findUser(database.db, await findApp(apps, ctx.oidc.client?.clientId), accountId)
      // Sessions and codes end with the sign-in; refresh tokens do not.
      const signIn = token ?? ctx.oidc.session
      if (user === undefined || signIn === undefined) return undefined
      const acr = 'acr' in signIn ? signIn.acr : undefined
      if (signIn.kind !== 'RefreshToken' && isSignInOver({ acr }, user)) return undefined
      return { accountId, claims: () => ({ sub: accountId }) }
    },
    loadExistingGrant: ctx => findOrCreateGrant(provider, database, apps, ctx),
  })
  // forward-request.ts sets the headers of a proxy: the issuer's scheme and host, and the caller's address.
  provider.proxy = true
  compareSecretsByHash(provider, throttle)
  deriveNextRefreshTokens(provider, secretBox)
  correctResponses(provider, { throttle, browserTokens, log })
  return provider
}

/** Names of the cookies that the server sets in browsers. */
export const cookieNames = {
  session: 'waybill_session',
  interaction: 'waybill_interaction',
  resume: 'waybill_resume',
} as const

const cookieOptions = { httpOnly: true, sameSite: 'lax' } as const
const disabled = { enabled: false }

/** The settings that do not depend on the keys. */
const commonSettings = {
  scopes: [...scopes, offlineAccess],
  clientDefaults: { id_token_signed_response_alg: signingAlgorithm },
  routes: {
    token: '/connect/token',
    authorization: '/connect/authorize',
    revocation: '/connect/revoke',
    jwks: '/connect/jwks',
  },
  responseTypes: ['code'],
  clientAuthMethods: ['client_secret_post', 'client_secret_basic', 'none'],
  extraClientMetadata: { properties: [builtInProperty] },
  // An app without a secret proves with PKCE that the code is its own.
  pkce: { required: (_ctx, client) => builtInOf(client) !== undefined },
  allowOmittingSingleRegisteredRedirectUri: false,
  ttl: {
    AuthorizationCode: 60,
    AccessToken: accessTokenSeconds,
    ClientCredentials: accessTokenSeconds,
    RefreshToken: refreshTokenSeconds,
    // In the library a grant limits the lifetime of its refresh tokens and is never extended. adapter.ts
    // decides how long it really lasts.
    Grant: 100 * 365 * day,
    Interaction: hour,
    // The length of a long shift. The cookie itself ends with the browser.
    Session: 12 * hour,
  },
  rotateRefreshToken: true,
  issueRefreshToken: (_ctx, client) => client.grantTypeAllowed('refresh_token'),
  expiresWithSession: () => false,
  renderError(ctx, out, error) {
    // correctResponses has already responded.
    if (ctx.status === 429 || ctx.status === 503) return
    respondWithPage(
      ctx,
      refusalPage(error instanceof errors.SessionNotFound ? { error: 'session_not_found' } : out),
    )
  },
} satisfies Partial<Configuration>

function providerFeatures({ keys, apps }: ProviderParts): Configuration['features'] {
  const kid = keys.privateKeys[0]?.kid as string
  return {
    devInteractions: disabled,
    userinfo: disabled,
    rpInitiatedLogout: disabled,
    pushedAuthorizationRequests: disabled,
    dPoP: disabled,
    clientCredentials: { enabled: true },
    // RFC 7009: a token of another app is not revoked, and the response is that for a token that does not
    // exist.
    revocation: {
      enabled: true,
      allowedPolicy: (_ctx, client, token) => token.clientId === client.clientId,
    },
    // The library issues JWT access tokens only for resources. The API is the only and default resource.
    resourceIndicators: {
      enabled: true,
      defaultResource: () => audience,
      useGrantedResource: () => true,
      async getResourceServerInfo(ctx, resource, client) {
        if (resource !== audience) throw new errors.InvalidTarget('the only resource is the API')
        await checkRequestedScopes(ctx, await findApp(apps, client.clientId))
        return {
          scope: scopes.join(' '),
          audience,
          accessTokenTTL: accessTokenSeconds,
          accessTokenFormat: 'jwt',
          jwt: { sign: { alg: signingAlgorithm, kid } },
        }
      },
    },
  }
}

/** How long a person who does not use a built-in app stays signed in to it. */
const idleSeconds: Record<BuiltInApp, number> = { portal: 12 * hour, floor: 14 * day }

/**
 * How long a refresh token is valid: 90 days from its issue. In a built-in app it is 90 days from the
 * sign-in, and less if nobody uses the app.
 */
function refreshTokenSeconds(ctx: KoaContextWithOIDC, token: RefreshToken, client: Client): number {
  const app = builtInOf(client)
  if (app === undefined) return 90 * day
  const signedInAt = ctx.oidc.entities.RotatedRefreshToken?.iiat ?? token.iiat ?? epochSeconds()
  return Math.max(1, Math.min(idleSeconds[app], signedInAt + 90 * day - epochSeconds()))
}

const epochSeconds = () => Math.floor(Date.now() / 1000)

/** Counts a sign-in that begins, because each one is stored. Throws 429 if there are too many. */
async function countStartedSignIn(database: Database, ctx: KoaContextWithOIDC): Promise<void> {
  const waitSeconds = await takeAttempt(database, [unfinishedSignInsCounter(ctx.ip)])
  if (waitSeconds > 0) throw rateLimitExceeded(waitSeconds)
}

async function findApp(apps: RegisteredApps, clientId: string | undefined): Promise<RegisteredApp> {
  const app = clientId === undefined ? undefined : await apps.find(clientId)
  // The app was disabled during the request.
  if (app === undefined) throw new errors.InvalidClient('client is not available')
  return app
}

/**
 * Refuses scopes that do not exist or that the app does not hold. If client credentials request no scopes,
 * they get all of the app's.
 */
async function checkRequestedScopes({ oidc }: KoaContextWithOIDC, app: RegisteredApp): Promise<void> {
  const { params, requestParamScopes } = oidc
  if (params === undefined) return
  const appScopes = new Set(app.scopes)
  const existingScopes: readonly string[] = scopes
  const requestedScopes = [...requestParamScopes].filter(scope => scope !== offlineAccess)
  const refusedScopes = requestedScopes.filter(
    scope => !existingScopes.includes(scope) || !includesScope(appScopes, scope),
  )
  if (refusedScopes.length > 0)
    throw new errors.InvalidScope('scope not available to the app', refusedScopes.join(' '))
  if (requestedScopes.length > 0) return
  if (params.grant_type === 'client_credentials') params.scope = app.scopes.join(' ')
  else if (params.grant_type === undefined)
    throw new errors.CustomOIDCProviderError('invalid_scope', 'scope is required')
}

/**
 * The claims that identify the caller to the API. Client credentials belong to the organisation: they act for
 * the user who created the app, whatever that user's role and even if that user has been disabled since. The
 * scopes of a user's token are reduced to what app, role and consent allow at this moment.
 */
async function readClaims(
  { database, apps, throttle }: ProviderParts,
  token: AccessToken | ClientCredentials,
): Promise<TokenClaims> {
  const app = await findApp(apps, token.clientId)
  if (token.kind === 'ClientCredentials') {
    return {
      organisation_id: app.organisationId,
      connection_id: app.connectionId,
      user_id: app.userId,
      partner_id: app.partnerId,
      partner_kind: app.partnerKind,
      user_access: app.userAccess,
      app_access: app.appAccess,
    }
  }
  const user = await findUser(database.db, app, token.accountId)
  if (user === undefined || user.connectionId === null || user.allowedScopes.length === 0)
    throw new errors.InvalidGrant('the user has not allowed the app')
  if (app.builtIn !== null) await throttle.countAdmitted(`${app.clientId} ${user.userId}`)
  token.scope = effectiveScopes(app, user, token.scope?.split(' ') ?? []).join(' ')
  return {
    organisation_id: app.organisationId,
    connection_id: user.connectionId,
    user_id: user.userId,
    partner_id: user.partnerId,
    partner_kind: user.partnerKind,
    user_access: user.userAccess,
    app_access: app.appAccess,
    consent: user.consentNumber,
    ...(app.builtIn === null ? {} : { app: app.builtIn }),
  }
}
