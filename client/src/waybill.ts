// The client: every endpoint of the API by its path and typed, with tokens, retries and pages taken care of.

import createClient, { type Client, createFinalURL, createQuerySerializer, defaultPathSerializer } from 'openapi-fetch'
import type { components, paths } from './generated/api.ts'
import { type ListArguments, type Page, type PagedPath, type Row, walk } from './pages.ts'
import { patiently } from './retry.ts'
import { openTokenSource } from './token.ts'
import { errorOf, readRefusal } from './waybill-error.ts'

export type { paths } from './generated/api.ts'
export type { ListParams, PagedPath, Row } from './pages.ts'
export { type RawBody, verifySignature, verifyStandardSignature, type WebhookHeader, type WebhookHeaders } from './signature.ts'
export { orThrow, WaybillError } from './waybill-error.ts'

/** The shapes of the API by name, such as `Schemas['ConsignmentImportRequest']`. */
export type Schemas = components['schemas']

/** Where the service is and who calls it. */
export interface WaybillOptions {
  /** the address of the service, without `/v1` */
  baseUrl: string
  /** the address of its identity provider, where that is another one */
  authUrl?: string
  clientId: string
  clientSecret: string
  /** what the tokens may do; absent: all scopes of the app */
  scopes?: readonly string[]
  /** what sends requests, `globalThis.fetch` by default */
  fetch?: (request: Request) => Promise<Response>
}

/**
 * Calls the API. `GET`, `POST`, `PUT` and `DELETE` take a path of the API document and resolve with `{ data, error, response }`, whatever
 * the status; they reject only where there was no answer or no token.
 */
export interface Waybill extends Pick<Client<paths>, 'GET' | 'POST' | 'PUT' | 'DELETE'> {
  /**
   * Every row of a list, page by page: `for await (const partner of waybill.pages('/v1/partners', { query: { Status: 2 } }))`. Throws a
   * `WaybillError` where a page is refused.
   */
  pages<Path extends PagedPath>(path: Path, ...params: ListArguments<Path>): AsyncGenerator<Row<Path>, void, undefined>
  /** `fetch` with the access token and the retries, for what has no type. The path begins with `/`. */
  fetch(path: string, init?: RequestInit): Promise<Response>
}

const serializers = { querySerializer: createQuerySerializer(), pathSerializer: defaultPathSerializer }

/**
 * Opens a client. Nothing is sent until the first call, which gets an access token; it is kept, renewed shortly before it ends, and once when
 * the service refuses it (401). After 429 and 503 requests are sent again as `patiently` says.
 */
export function createWaybill({ baseUrl, authUrl = baseUrl, clientId, clientSecret, scopes, ...options }: WaybillOptions): Waybill {
  const address = baseUrl.replace(/\/+$/, '')
  const send = options.fetch ?? (request => globalThis.fetch(request))
  const credentials = { authUrl: authUrl.replace(/\/+$/, ''), clientId, clientSecret, scopes }
  // To ask for a token twice does no harm.
  const tokens = openTokenSource(
    credentials,
    patiently(send, () => true),
  )
  const sendPatiently = patiently(send)

  async function sendWith(token: string, request: Request): Promise<Response> {
    const authorised = request.clone()
    authorised.headers.set('authorization', `Bearer ${token}`)
    return sendPatiently(authorised)
  }
  async function sendAuthorised(request: Request): Promise<Response> {
    const token = await tokens.get()
    const response = await sendWith(token, request)
    if (response.status !== 401) return response
    await response.body?.cancel()
    tokens.forget(token)
    return sendWith(await tokens.get(), request)
  }

  /** Reads the page of that index of a list, the first one where it is undefined. */
  async function readPage(path: string, params: { query?: object; path?: object } = {}, index: number | undefined): Promise<Page> {
    const query = { ...params.query, PageIndex: index }
    const url = createFinalURL(path, { ...serializers, baseUrl: address, params: { path: { ...params.path }, query } })
    const response = await sendAuthorised(new Request(url))
    if (!response.ok) throw errorOf(response.status, await readRefusal(response))
    return (await response.json()) as Page
  }

  const client = createClient<paths>({ baseUrl: address, fetch: sendAuthorised })
  return {
    GET: client.GET,
    POST: client.POST,
    PUT: client.PUT,
    DELETE: client.DELETE,
    fetch: (path, init) => sendAuthorised(new Request(`${address}${path}`, init)),
    pages: (path, ...[params]) => walk(index => readPage(path, params, index)),
  }
}
