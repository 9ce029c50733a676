// The OAuth server: oidc-provider, set up so that it behaves exactly as section 5 of the specification says.

import type { FastifyBaseLogger } from 'fastify'
import { type Adapter, type Client, type Context, errors, Provider, type Token } from 'oidc-provider'
import type { Database } from '../platform/database/db.ts'
import { Refusal } from '../platform/http/refusal.ts'
import { holds, scopes } from '../platform/http/scopes.ts'
import { unavailabilityOf } from '../platform/http/unavailability.ts'
import type { SecretBox } from '../platform/secret-box.ts'
import { accessTokenSeconds, audience, type TokenClaims } from './access-token.ts'
import { openAdapter } from './adapter.ts'
import { effective, personOf } from './allowed-scopes.ts'
import { isSecretOf } from './client-secrets.ts'
import { isOver } from './end-sessions.ts'
import { deriveSuccessors, grantOf, offlineAccess, prompts } from './grants.ts'
import type { RegisteredApp, RegisteredApps } from './registered-apps.ts'
import { pageHeaders, refusalPage, unavailablePage } from './sign-in-pages.ts'
import { type KeySet, signingAlgorithm } from './signing-keys.ts'
import { notAvailable } from './token-endpoint.ts'
import type { TokenThrottle } from './token-throttle.ts'

export interface ProviderParts {
  /** the address of the OAuth server, as tokens name it */
  issuer: string
  keys: KeySet
  apps: RegisteredApps
  throttle: TokenThrottle
  database: Database
  secretBox: SecretBox
  log: FastifyBaseLogger
}

const hour = 3_600
const day = 24 * hour

/** Where a person signs in and allows an app; the id of the interaction follows. */
export const signInPath = '/connect/sign-in'

/**
 * Makes the OAuth server. It signs with the first of the keys; another set of keys takes another provider.
 */
export function openProvider({
  issuer,
  keys,
  apps,
  throttle,
  database,
  secretBox,
  log,
}: ProviderParts): Provider {
  const kid = keys.privateKeys[0]?.kid as string
  const off = { enabled: false }
  const cookie = { httpOnly: true, sameSite: 'lax' } as const
  const provider: Provider = new Provider(issuer, {
    adapter: model => (model === 'Client' ? clientsOnly(apps) : openAdapter(database, secretBox, model)),
    jwks: { keys: keys.privateKeys },
    cookies: {
      names: { session: 'waybill_session', interaction: 'waybill_interaction', resume: 'waybill_resume' },
      keys: [secretBox.keyFor('cookies').toString('base64url')],
      long: cookie,
      short: cookie,
    },
    interactions: { url: (_ctx, { uid }) => `${signInPath}/${uid}`, policy: prompts() },
    scopes: [...scopes, offlineAccess],
    clientDefaults: { id_token_signed_response_alg: signingAlgorithm },
    routes: {
      token: '/connect/token',
      authorization: '/connect/authorize',
      revocation: '/connect/revoke',
      jwks: '/connect/jwks',
    },
    responseTypes: ['code'],
    clientAuthMethods: ['client_secret_post', 'client_secret_basic'],
    pkce: { required: () => false },
    allowOmittingSingleRegisteredRedirectUri: false,
    features: {
      devInteractions: off,
      userinfo: off,
      rpInitiatedLogout: off,
      pushedAuthorizationRequests: off,
      dPoP: off,
      clientCredentials: { enabled: true },
      // RFC 7009: somebody else's token is not revoked, and looks like one that does not exist.
      revocation: {
        enabled: true,
        allowedPolicy: (_ctx, client, token) => token.clientId === client.clientId,
      },
      // JWT access tokens come with resources: the API is the only one, and the one when none is named.
      resourceIndicators: {
        enabled: true,
        defaultResource: () => audience,
        useGrantedResource: () => true,
        async getResourceServerInfo(ctx, resource, client) {
          if (resource !== audience) throw new errors.InvalidTarget('the only resource is the API')
          await settleScopes(ctx, await appOf(apps, client))
          return {
            scope: scopes.join(' '),
            audience,
            accessTokenTTL: accessTokenSeconds,
            accessTokenFormat: 'jwt',
            jwt: { sign: { alg: signingAlgorithm, kid } },
          }
        },
      },
    },
    ttl: {
      AuthorizationCode: 60,
      AccessToken: accessTokenSeconds,
      ClientCredentials: accessTokenSeconds,
      RefreshToken: 90 * day,
      // To the library a grant caps its refresh tokens and is never extended; how long it really lasts is the
      // adapter's matter.
      Grant: 100 * 365 * day,
      Interaction: hour,
      // A shift. The cookie itself ends with the browser.
      Session: 12 * hour,
    },
    rotateRefreshToken: true,
    issueRefreshToken: (_ctx, client) => client.grantTypeAllowed('refresh_token'),
    expiresWithSession: () => false,
    formats: {
      customizers: {
        async jwt(_ctx, token, { payload }) {
          Object.assign(payload, await claimsOf(database, apps, token))
          payload.scope = token.scope
        },
      },
    },
    async findAccount(ctx, accountId, token) {
      const person = await personOf(database.db, await appOf(apps, ctx.oidc?.client), accountId)
      // A session or a code, which end with the sign-in; a refresh token does not.
      const signIn = token ?? ctx.oidc?.session
      if (person === undefined || signIn === undefined) return undefined
      if (token?.kind !== 'RefreshToken' && isOver(signIn, person)) return undefined
      return { accountId, claims: () => ({ sub: accountId }) }
    },
    loadExistingGrant: ctx => grantOf(provider, database, apps, ctx),
    renderError(ctx, out, error) {
      if (ctx.status === 503) return
      answerPage(
        ctx,
        refusalPage(error instanceof errors.SessionNotFound ? { error: 'session_not_found' } : out),
      )
    },
  })
  // What the headers of a proxy say has been set before a request comes here: our own scheme and host, and
  // the address of the caller.
  provider.proxy = true
  provider.Client.prototype.compareClientSecret = function (given) {
    const isRight = isSecretOf(given, Buffer.from(this.clientSecret, 'base64url'))
    if (isRight) throttle.countAdmitted(this.clientId)
    return isRight
  }
  deriveSuccessors(provider, secretBox)
  correctErrors(provider, throttle, log)
  return provider
}

/** The errors of section 5.6, of section 8 and of an outage, where the library answers otherwise. */
function correctErrors(provider: Provider, throttle: TokenThrottle, log: FastifyBaseLogger): void {
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
    if (!forApps(ctx)) return
    const { client, params, body } = ctx.oidc ?? {}
    const grantType = params?.grant_type
    if (errorOf(ctx) === 'invalid_request') {
      if (client && grantType && !client.grantTypeAllowed(grantType)) {
        ctx.body = {
          error: 'unauthorized_client',
          error_description: 'the app is not allowed this grant type',
        }
      } else if (!body?.client_id && !ctx.get('authorization')) {
        // RFC 6749 (5.2): no client authentication is a wrong one.
        ctx.status = 401
        ctx.body = { error: 'invalid_client', error_description: 'client authentication failed' }
      }
    }
    if (errorOf(ctx) === 'invalid_client') {
      try {
        throttle.countRefused(client?.clientId, ctx.ip)
      } catch (refusal) {
        answerRefusal(ctx, refusal as Refusal)
      }
    }
  })
  provider.on('server_error', (ctx, error) => {
    const unavailability = unavailabilityOf(error)
    if (unavailability !== undefined) answerUnavailable(ctx, unavailability)
    else if (error instanceof Refusal) answerRefusal(ctx, error)
    else log.error({ err: error }, 'unexpected error of the OAuth server')
  })
}

/** Whether the answer goes to an app, and not to a browser. */
const forApps = (ctx: Context): boolean => ['token', 'revocation'].includes(ctx.oidc?.route ?? '')

const errorOf = (ctx: Context) => (ctx.body as { error?: string } | undefined)?.error

function answerRefusal(ctx: Context, { status, body, retryAfterSeconds }: Refusal): void {
  ctx.status = status
  if (retryAfterSeconds !== undefined) ctx.set('retry-after', String(retryAfterSeconds))
  ctx.body = body
}

function answerUnavailable(ctx: Context, { retryAfterSeconds }: Refusal): void {
  ctx.status = 503
  ctx.set('retry-after', String(retryAfterSeconds))
  // It may have been on its way already.
  ctx.remove('location')
  if (forApps(ctx)) {
    ctx.body = { error: 'temporarily_unavailable', error_description: notAvailable }
  } else answerPage(ctx, unavailablePage())
}

function answerPage(ctx: Context, page: string): void {
  for (const [name, value] of Object.entries(pageHeaders())) ctx.set(name, value)
  ctx.body = page
}

async function appOf(
  apps: RegisteredApps,
  client: Pick<Client, 'clientId'> | undefined,
): Promise<RegisteredApp> {
  const app = client === undefined ? undefined : await apps.find(client.clientId)
  // It was disabled while the request was under way.
  if (app === undefined) throw new errors.InvalidClient('client is not available')
  return app
}

/**
 * Refuses scopes that do not exist or that the app was not given, and gives all of the app's where none is
 * asked for.
 */
async function settleScopes({ oidc }: Context, app: RegisteredApp): Promise<void> {
  if (oidc === undefined) return
  const given = new Set(app.scopes)
  const known: readonly string[] = scopes
  const asked = [...oidc.requestParamScopes].filter(scope => scope !== offlineAccess)
  const refused = asked.filter(scope => !known.includes(scope) || !holds(given, scope))
  if (refused.length > 0) throw new errors.InvalidScope('scope not available to the app', refused.join(' '))
  if (asked.length > 0) return
  if (oidc.params.grant_type === 'client_credentials') oidc.params.scope = app.scopes.join(' ')
  else if (oidc.params.grant_type === undefined) throw new errors.InvalidScope('scope is required')
}

/**
 * What the API needs to know of the caller. Client credentials are the organisation's: they act for the user
 * who created the app, whatever the role and whether disabled since. A person's token is narrowed to what
 * app, role and leave allow at this moment.
 */
async function claimsOf(database: Database, apps: RegisteredApps, token: Token): Promise<TokenClaims> {
  const app = await appOf(apps, token)
  if (token.accountId === undefined) {
    return {
      organisation_id: app.organisationId,
      connection_id: app.connectionId,
      user_id: app.userId,
      partner_id: app.partnerId,
    }
  }
  const person = await personOf(database.db, app, token.accountId)
  if (person === undefined || person.connectionId === null)
    throw new errors.InvalidGrant('the user has not allowed the app')
  token.scope = effective(app, person, token.scope?.split(' ') ?? []).join(' ')
  return {
    organisation_id: app.organisationId,
    connection_id: person.connectionId,
    user_id: person.userId,
    partner_id: person.partnerId,
  }
}

/** The library's view of the custom apps. It finds them here and never stores any. */
function clientsOnly(apps: RegisteredApps): Adapter {
  const never = () => Promise.reject(new Error('Custom apps are not stored by the OAuth server.'))
  return {
    find: async clientId => {
      const app = await apps.find(clientId)
      return app === undefined ? undefined : metadataOf(app)
    },
    upsert: never,
    findByUid: never,
    consume: never,
    destroy: never,
    revokeByGrantId: never,
  }
}

/**
 * A custom app as client metadata. In the place of the secret stands its hash, which `compareClientSecret`
 * expects there.
 */
function metadataOf(app: RegisteredApp): object {
  const given = new Set(app.scopes)
  const isForPeople = app.grantType === 1
  return {
    client_id: app.clientId,
    client_secret: app.secretHash.toString('base64url'),
    token_endpoint_auth_method: 'client_secret_post',
    grant_types: isForPeople ? ['authorization_code', 'refresh_token'] : ['client_credentials'],
    response_types: isForPeople ? ['code'] : [],
    redirect_uris: app.redirectUris,
    scope: [...scopes.filter(scope => holds(given, scope)), offlineAccess].join(' '),
  }
}
