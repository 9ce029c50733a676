// Types for the part of oidc-provider that is used here; the package has none.

declare module 'oidc-provider' {
  import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
  import type { Socket } from 'node:net'
  import type { Readable } from 'node:stream'
  import type { JWK } from 'jose'

  type Awaitable<T> = T | Promise<T>

  /** Stores the records of one model. Payloads are plain JSON. */
  export interface Adapter {
    upsert(id: string, payload: object, expiresIn?: number): Promise<void>
    /**
     * The payload, with `consumed` (seconds since 1970) once it was consumed; undefined when unknown or
     * expired.
     */
    find(id: string): Promise<object | undefined>
    findByUid(uid: string): Promise<object | undefined>
    consume(id: string): Promise<void>
    destroy(id: string): Promise<void>
    revokeByGrantId(grantId: string): Promise<void>
  }

  export interface Client {
    readonly clientId: string
    readonly redirectUris: readonly string[]
    readonly clientSecret: string
    grantTypeAllowed(grantType: string): boolean
    compareClientSecret(given: string): Awaitable<boolean>
  }

  /** A request that is being handled. */
  export interface Context {
    status: number
    type: string
    body: unknown
    /** the address that the request came from */
    readonly ip: string
    get(header: string): string
    set(header: string, value: string): void
    remove(header: string): void
    readonly oidc?: {
      readonly route: string
      readonly client?: Client
      readonly params: Record<string, string | undefined>
      /** the form as received, with an array for a field that occurs twice */
      readonly body?: Record<string, string | string[] | undefined>
      readonly requestParamScopes: Set<string>
      /** the session of the browser, for the authorisation endpoint */
      readonly session?: { readonly acr?: string }
      readonly account?: Account
      readonly grant?: Grant
      /** the result of the interaction that has just ended */
      readonly result?: InteractionResult
      readonly entities: { readonly RotatedRefreshToken?: Model }
    }
  }

  /** A token that is being issued. `accountId` is the user's id, and absent for client credentials. */
  export interface Token {
    readonly kind: string
    readonly clientId: string
    readonly accountId?: string
    readonly acr?: string
    scope?: string
  }

  /** What a person has done on our pages: signed in, allowed the app, or refused. */
  export type InteractionResult =
    | { login?: { accountId: string; remember: boolean; acr: string }; consent?: { grantId: string } }
    | { error: string; error_description: string }

  /** An authorisation request that waits for the person to sign in or to allow the app. */
  export interface Interaction {
    readonly uid: string
    readonly exp: number
    readonly prompt: { readonly name: string; readonly details: { readonly startedFrom?: string } }
    readonly params: {
      readonly client_id: string
      readonly scope: string
      readonly redirect_uri: string
      readonly login_hint?: string
    }
    /** the browser's session, once a person has signed in */
    session?: { accountId: string; uid: string; acr?: string } | undefined
    readonly adapter: Adapter
    save(ttl: number): Promise<string>
    destroy(): Promise<void>
  }

  /** A record that the server stores. `jti` is its id, once it is saved. */
  export interface Model {
    readonly jti?: string
    save(): Promise<string>
  }

  export interface Grant extends Model {
    addOIDCScope(scope: string): void
    addResourceScope(resource: string, scope: string): void
  }

  /** The session of a browser. */
  export interface Session {
    readonly uid: string
    readonly accountId?: string
    readonly acr?: string
    destroy(): Promise<void>
  }

  export interface Account {
    accountId: string
    claims(): Awaitable<Record<string, unknown>>
  }

  export interface ResourceServer {
    scope: string
    audience: string
    accessTokenTTL: number
    accessTokenFormat: 'jwt'
    jwt: { sign: { alg: string; kid: string } }
  }

  interface CookieOptions {
    httpOnly: boolean
    sameSite: 'lax'
  }

  export interface Configuration {
    adapter: (model: string) => Adapter
    jwks: { keys: readonly JWK[] }
    cookies: {
      names: Record<'session' | 'interaction' | 'resume', string>
      keys: string[]
      long: CookieOptions
      short: CookieOptions
    }
    interactions: { url(ctx: Context, interaction: Interaction): string; policy: interactionPolicy.Prompt[] }
    loadExistingGrant(ctx: Context): Promise<Grant | undefined>
    renderError(ctx: Context, out: OAuthErrorBody, error: Error): Awaitable<void>
    formats: {
      customizers: {
        jwt(ctx: Context, token: Token, jwt: { payload: Record<string, unknown> }): Awaitable<void>
      }
    }
    scopes: string[]
    clientDefaults: Record<string, unknown>
    routes: Record<string, string>
    responseTypes: string[]
    clientAuthMethods: string[]
    pkce: { required: () => boolean }
    allowOmittingSingleRegisteredRedirectUri: boolean
    features: {
      devInteractions: { enabled: boolean }
      userinfo: { enabled: boolean }
      rpInitiatedLogout: { enabled: boolean }
      pushedAuthorizationRequests: { enabled: boolean }
      dPoP: { enabled: boolean }
      clientCredentials: { enabled: boolean }
      revocation: {
        enabled: boolean
        allowedPolicy(ctx: Context, client: Client, token: Token): Awaitable<boolean>
      }
      resourceIndicators: {
        enabled: boolean
        defaultResource: () => string
        useGrantedResource: () => boolean
        getResourceServerInfo(ctx: Context, resource: string, client: Client): Awaitable<ResourceServer>
      }
    }
    ttl: Record<string, number>
    rotateRefreshToken: boolean
    issueRefreshToken(ctx: Context, client: Client): Awaitable<boolean>
    expiresWithSession: () => boolean
    /**
     * Finds the account of a code or refresh token, `token`, or without one that of the browser's session.
     */
    findAccount(ctx: Context, accountId: string, token?: Token): Awaitable<Account | undefined>
  }

  /** An error as the client receives it. */
  export interface OAuthErrorBody {
    error: string
    error_description?: string
  }

  /** The parts of a request that the callback reads. */
  export type ProviderRequest = Readable & {
    method: string
    url: string
    headers: IncomingHttpHeaders
    socket: Socket
    httpVersionMajor: number
    httpVersionMinor: number
  }

  export class Provider {
    constructor(issuer: string, configuration: Configuration)
    /** the request that is being handled */
    static readonly ctx: Context | undefined
    silent: boolean
    /** whether X-Forwarded-Proto is trusted */
    proxy: boolean
    readonly Client: { readonly prototype: Client; find(clientId: string): Promise<Client | undefined> }
    readonly Grant: {
      new (fields: { accountId: string; clientId: string }): Grant
      find(id: string): Promise<Grant | undefined>
    }
    readonly Session: {
      /** The session of the requesting browser; a new one, not stored, if there is none. */
      get(ctx: Context): Promise<Session>
      findByUid(uid: string): Promise<Session | undefined>
    }
    createContext(request: ProviderRequest, response: ServerResponse): Context
    readonly RefreshToken: { readonly prototype: { generateTokenId(): string } }
    /** The interaction that the cookies of a request name. Throws SessionNotFound. */
    interactionDetails(request: ProviderRequest, response: ServerResponse): Promise<Interaction>
    /** Stores the result of an interaction and returns the address at which the request continues. */
    interactionResult(
      request: ProviderRequest,
      response: ServerResponse,
      result: InteractionResult,
      options: { mergeWithLastSubmission: boolean },
    ): Promise<string>
    readonly AuthorizationCode: new (fields: {
      accountId: string
      acr: string
      client: Client
      grantId: string
      redirectUri: string
      resource: string
      scope: string
    }) => Model
    callback(): (request: ProviderRequest, response: ServerResponse) => Promise<void>
    use(middleware: (ctx: Context, next: () => Promise<void>) => Promise<void>): void
    on(event: 'server_error', listener: (ctx: Context, error: Error) => void): void
  }

  export namespace interactionPolicy {
    class Check {
      /** `details` returns what the interaction keeps in `prompt.details` if the check made it necessary. */
      constructor(
        reason: string,
        description: string,
        check: (ctx: Context) => Awaitable<boolean>,
        details?: (ctx: Context) => Interaction['prompt']['details'],
      )
    }
    class Prompt {
      constructor(what: { name: string; requestable: boolean }, ...checks: Check[])
    }
  }

  class OAuthError extends Error {
    constructor(description: string, detail?: string)
  }
  export const errors: {
    AccessDenied: typeof OAuthError
    InvalidClient: typeof OAuthError
    InvalidGrant: typeof OAuthError
    InvalidScope: typeof OAuthError
    InvalidTarget: typeof OAuthError
    SessionNotFound: typeof OAuthError
  }
}
