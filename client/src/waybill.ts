// The client: every endpoint of the API by its path and typed, with tokens, retries and pages taken care of.

import createClient, {
  type Client,
  createFinalURL,
  createQuerySerializer,
  defaultPathSerializer,
} from 'openapi-fetch'
import { type FeedEvent, type FollowOptions, walkFeed } from './follow.ts'
import type { components, paths } from './generated/api.ts'
import { type ListArguments, type Page, type PagedPath, type Row, walk } from './pages.ts'
import { patiently, unlessAborted, within } from './retry.ts'
import { openTokenSource, type TokenSource } from './token.ts'
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
export { orThrow, WaybillError } from './waybill-error.ts'

/** The shapes of the API by name, such as `Schemas['ConsignmentImportRequest']`. */
export type Schemas = components['schemas']

/** Where the service is, who calls it, and how. */
export type WaybillOptions = WaybillPlace & (AppCaller | PersonCaller | TokenCaller)

/** Where the service is and how it is called. */
export interface WaybillPlace {
  /** the address of the service, without `/v1` */
  baseUrl: string
  /** the address of its identity provider, where that is another one */
  authUrl?: string
  /**
   * how long a request and its answer may take before it fails with a `TimeoutError`, 30,000 by default;
   * waiting after 429 and 503 is not counted
   */
  timeoutMs?: number
  /** what sends requests, `globalThis.fetch` by default */
  fetch?: (request: Request) => Promise<Response>
}

/** An app that acts for its organisation: client credentials. */
export interface AppCaller {
  clientId: string
  clientSecret: string
  /** what the tokens may do; absent: all scopes of the app */
  scopes?: readonly string[]
  token?: never
  refreshToken?: never
}

/** A person who signed in to an app: authorisation code. */
export interface PersonCaller {
  clientId: string
  clientSecret: string
  /** what the tokens may do; absent: all that the person allowed */
  scopes?: readonly string[]
  /** the refresh token that the sign-in gave, or the last that `onRefresh` was given */
  refreshToken: string
  /**
   * Stores the refresh token that takes the place of the one before. It is awaited before the new access
   * token is used.
   */
  onRefresh: (refreshToken: string) => unknown
  token?: never
}

/** Somebody whose access tokens the program gets elsewhere. */
export interface TokenCaller {
  /** Gives the access token; asked before every request, and once more after a `401`. */
  token: () => string | Promise<string>
  clientId?: never
  refreshToken?: never
}

/**
 * Calls the API. `GET`, `POST`, `PUT` and `DELETE` take a path of the API document and resolve with `{ data,
 * error, response }`, whatever the status; they reject only where there was no answer or no token.
 */
export interface Waybill extends Pick<Client<paths>, 'GET' | 'POST' | 'PUT' | 'DELETE'> {
  /**
   * Every row of a list, page by page: `for await (const partner of waybill.pages('/v1/partners', { query: {
   * Status: 2 } }))`. Throws a `WaybillError` where a page is refused.
   */
  pages<Path extends PagedPath>(
    path: Path,
    ...params: ListArguments<Path>
  ): AsyncGenerator<Row<Path>, void, undefined>
  /**
   * Every event of the organisation that the token is for, once and in order: those behind `after` that are
   * there, and those that come, until the signal fires. Goes on by itself after the service was away. Throws
   * a `WaybillError` where the feed is refused, for instance because what stands behind `after` is no longer
   * kept.
   */
  follow(options?: FollowOptions): AsyncGenerator<FeedEvent, void, undefined>
  /** `fetch` with the access token and the retries, for what has no type. The path begins with `/`. */
  fetch(path: string, init?: RequestInit): Promise<Response>
}

const serializers = { querySerializer: createQuerySerializer(), pathSerializer: defaultPathSerializer }

/**
 * Opens a client. Nothing is sent until the first call, which gets an access token; it is kept, renewed
 * shortly before it ends, and once when the service refuses it (401). After 429 and 503 requests are sent
 * again as `patiently` says.
 */
export function createWaybill({
  baseUrl,
  authUrl = baseUrl,
  timeoutMs = 30_000,
  fetch,
  ...caller
}: WaybillOptions): Waybill {
  const address = withoutSlash(baseUrl)
  const send = within(timeoutMs, fetch ?? (request => globalThis.fetch(request)))
  const sendPatiently = patiently(send)
  const tokens: TokenSource =
    caller.token !== undefined
      ? { get: async () => caller.token(), forget: () => {} }
      : // To ask for a token twice does no harm.
        openTokenSource(
          { ...caller, authUrl: withoutSlash(authUrl) },
          patiently(send, () => true),
        )

  async function sendWith(token: string, request: Request): Promise<Response> {
    const authorised = request.clone()
    authorised.headers.set('authorization', `Bearer ${token}`)
    return sendPatiently(authorised)
  }
  async function sendAuthorised(request: Request): Promise<Response> {
    const token = await unlessAborted(tokens.get(), request.signal)
    const response = await sendWith(token, request)
    if (response.status !== 401) return response
    tokens.forget(token)
    const another = await unlessAborted(tokens.get(), request.signal)
    if (another === token) return response
    await response.body?.cancel()
    return sendWith(another, request)
  }

  /** Reads the page of that index of a list, the first one where it is undefined. */
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
    follow: options => walkFeed((path, signal) => fetchPath(path, { signal }), options ?? {}, timeoutMs),
    pages: (path, ...[params]) => walk(index => readPage(path, params, index)),
  }
}

const withoutSlash = (address: string) => address.replace(/\/+$/, '')
