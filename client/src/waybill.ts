// The client: typed access to every endpoint of the API, with automatic tokens, retries and paging.

import createClient, {
  type Client,
  createFinalURL,
  createQuerySerializer,
  defaultPathSerializer,
} from 'openapi-fetch'
import { type FeedEvent, type FollowOptions, followFeed } from './follow.ts'
import type { components, paths } from './generated/api.ts'
import { createIgnoredFieldsReporter } from './ignored-fields.ts'
import { type ListArguments, type Page, type PagedPath, type Row, readRows } from './pages.ts'
import { type Send, unlessAborted, withRetries, withTimeout } from './retry.ts'
import { createTokenSource, type TokenSource } from './token.ts'
import { errorOf, readRefusal } from './waybill-error.ts'

export type { FeedEvent, FollowOptions } from './follow.ts'
export type { paths } from './generated/api.ts'
export * from './generated/enumerations.ts'
export type { ListParams, PagedPath, Row } from './pages.ts'
export {
  type RawBody,
  verifySignature,
  verifyStandardSignature,
  type WebhookHeader,
  type WebhookHeaders,
} from './signature.ts'
export { type ErrorDetail, orThrow, WaybillError } from './waybill-error.ts'

/** The shapes of the API by name, such as `Schemas['ConsignmentImportRequest']`. */
export type Schemas = components['schemas']

/** Where the service is, who calls it, and how. */
export type WaybillOptions = ServiceOptions & (AppCaller | PersonCaller | TokenCaller)

/** Where the service is and how it is called. */
export interface ServiceOptions {
  /** the address of the service, without `/v1` */
  baseUrl: string
  /** the address of its identity provider, if it differs */
  authUrl?: string
  /**
   * how long a request and its response may take before it fails with a `TimeoutError`, in milliseconds,
   * 30,000 by default; waits after 429 and 503 are not counted
   */
  timeoutMs?: number
  /** sends the requests; `globalThis.fetch` by default */
  fetch?: (request: Request) => Promise<Response>
  /**
   * receives warnings, such as of fields that the service does not know, each once; `console.warn` by default
   */
  warn?: (message: string) => void
}

/** An app that acts for its organisation: client credentials. */
export interface AppCaller {
  clientId: string
  clientSecret: string
  /** the scopes of the tokens; absent: all scopes of the app */
  scopes?: readonly string[]
  token?: never
  refreshToken?: never
}

/** A person who signed in to an app: authorisation code. */
export interface PersonCaller {
  clientId: string
  clientSecret: string
  /** the scopes of the tokens; absent: all that the person allowed */
  scopes?: readonly string[]
  /** the refresh token that the sign-in returned, or the last one passed to `onRefresh` */
  refreshToken: string
  /**
   * Stores the refresh token that replaces the previous one. It is awaited before the new access token is
   * used.
   */
  onRefresh: (refreshToken: string) => unknown
  token?: never
}

/** A caller whose access tokens come from elsewhere. */
export interface TokenCaller {
  /** Returns the access token; called before every request, and once more after a `401`. */
  token: () => string | Promise<string>
  clientId?: never
  refreshToken?: never
}

/**
 * Calls the API. `GET`, `POST`, `PUT` and `DELETE` take a path of the API document and resolve with `{ data,
 * error, response }`, whatever the status; they reject only if there was no response or no token.
 */
export interface Waybill extends Pick<Client<paths>, 'GET' | 'POST' | 'PUT' | 'DELETE'> {
  /**
   * Yields every row of a list, page by page: `for await (const partner of waybill.pages('/v1/partners', {
   * query: { Status: 2 } }))`. Throws a `WaybillError` if a page is refused.
   */
  pages<Path extends PagedPath>(
    path: Path,
    ...params: ListArguments<Path>
  ): AsyncGenerator<Row<Path>, void, undefined>
  /**
   * Yields every event that the token may read, once and in order: existing events after `after`, then new
   * ones, until the signal fires. Continues automatically when the service was unavailable. Throws a
   * `WaybillError` if the feed is refused, for instance because events after `after` have been deleted.
   */
  follow(options?: FollowOptions): AsyncGenerator<FeedEvent, void, undefined>
  /** `fetch` with the access token and retries, for responses without a type. The path begins with `/`. */
  fetch(path: string, init?: RequestInit): Promise<Response>
}

const serializers = { querySerializer: createQuerySerializer(), pathSerializer: defaultPathSerializer }

/**
 * Creates a client. Nothing is sent until the first call, which gets an access token. The token is reused,
 * renewed shortly before it expires, and replaced once if the service refuses it (401). After 429 and 503,
 * requests are retried as `withRetries` describes. Fields that the service does not know are reported once.
 */
export function createWaybill({
  baseUrl,
  authUrl = baseUrl,
  timeoutMs = 30_000,
  fetch,
  warn = message => console.warn(message),
  ...caller
}: WaybillOptions): Waybill {
  const address = withoutSlash(baseUrl)
  const send = withTimeout(timeoutMs, fetch ?? (request => globalThis.fetch(request)))
  const sendWithRetries = withRetries(send)
  const tokens: TokenSource =
    caller.token !== undefined
      ? { get: async () => caller.token(), discard: () => {} }
      : // Requesting a token twice does no harm.
        createTokenSource(
          { ...caller, authUrl: withoutSlash(authUrl) },
          withRetries(send, () => true),
        )
  const sendAuthorised = withAccessToken(tokens, sendWithRetries, createIgnoredFieldsReporter(warn))

  /** Reads the page of a list with that index, or the first page if it is undefined. */
  async function readPage(
    path: string,
    params: { query?: object; path?: object } = {},
    index: number | undefined,
  ): Promise<Page> {
    const query = { ...params.query, PageIndex: index }
    const url = createFinalURL(path, {
      ...serializers,
      baseUrl: address,
      params: { path: { ...params.path }, query },
    })
    const response = await sendAuthorised(new Request(url))
    if (!response.ok) throw errorOf(response.status, await readRefusal(response))
    return (await response.json()) as Page
  }

  const fetchPath = (path: string, init?: RequestInit) =>
    sendAuthorised(new Request(`${address}${path}`, init))
  const client = createClient<paths>({ baseUrl: address, fetch: sendAuthorised })
  return {
    GET: client.GET,
    POST: client.POST,
    PUT: client.PUT,
    DELETE: client.DELETE,
    fetch: fetchPath,
    follow: options => followFeed((path, signal) => fetchPath(path, { signal }), options ?? {}, timeoutMs),
    pages: (path, ...[params]) => readRows(index => readPage(path, params, index)),
  }
}

/**
 * Sends requests with the access token, which is replaced once if the service refuses it. `reportIgnored`
 * sees every request with its response.
 */
function withAccessToken(
  tokens: TokenSource,
  send: Send,
  reportIgnored: (request: Request, response: Response) => void,
): Send {
  async function sendWith(token: string, request: Request): Promise<Response> {
    const authorised = request.clone()
    authorised.headers.set('authorization', `Bearer ${token}`)
    const response = await send(authorised)
    reportIgnored(request, response)
    return response
  }
  return async request => {
    const token = await unlessAborted(tokens.get(), request.signal)
    const response = await sendWith(token, request)
    if (response.status !== 401) return response
    tokens.discard(token)
    const newToken = await unlessAborted(tokens.get(), request.signal)
    if (newToken === token) return response
    await response.body?.cancel()
    return sendWith(newToken, request)
  }
}

const withoutSlash = (address: string) => address.replace(/\/+$/, '')
