// The only file that sends requests. Screens read with `useQuery(read(path, params))` and act with `send`;
// both know the paths, parameters and bodies of the API document.

import { queryOptions } from '@tanstack/react-query'
import type { paths } from '../../client/src/generated/api.ts'
import { createWaybill, WaybillError } from '../../client/src/waybill.ts'

/** Where access tokens come from: session.ts. */
export interface Tokens {
  get(): Promise<string>
  /** Reports that the service refused the present token. */
  refused(): void
}

let tokens: Tokens = { get: () => Promise.reject(new Error('Nobody is signed in.')), refused: () => {} }

/** Makes this the source of access tokens. */
export function takeTokensFrom(source: Tokens): void {
  tokens = source
}

/** The client of the API. It repeats requests after 429 and 503, and once with a new token after 401. */
export const api = createWaybill({
  baseUrl: location.origin,
  token: () => tokens.get(),
  async fetch(request) {
    const response = await fetch(request)
    if (response.status === 401) tokens.refused()
    noticeWaiting(response)
    return response
  },
})

type Method = 'get' | 'post' | 'put' | 'delete'
type Operation<Path extends keyof paths, M extends Method> = NonNullable<paths[Path][M]>

/** The paths of the API that have this method. */
export type PathWith<M extends Method> = {
  [Path in keyof paths]: paths[Path][M] extends object ? Path : never
}[keyof paths]

/** The parameters of an operation: ids in its path, and its query. */
type Params<Op> = Op extends { parameters: infer P }
  ? { [Name in keyof P as Name extends 'path' | 'query' ? Name : never]: P[Name] }
  : never

/** The body that an operation takes. */
export type BodyOf<Op> = Op extends { requestBody?: never }
  ? never
  : Op extends { requestBody?: { content: { 'application/json': infer B } } }
    ? B
    : never

type JsonOf<R> = R extends { content: { 'application/json': infer B } } ? B : undefined

/** What an operation responds with when it has done its work. */
export type ResultOf<Op> = Op extends { responses: infer R }
  ? JsonOf<R[Extract<keyof R, 200 | 201 | 202>]>
  : never

/** What a GET of this path returns. */
export type Got<Path extends PathWith<'get'>> = ResultOf<Operation<Path, 'get'>>

/** A row of the list that a GET of this path returns. */
export type RowOf<Path extends PathWith<'get'>> = {
  [Field in keyof Got<Path>]: Got<Path>[Field] extends readonly (infer R)[] ? R : never
}[keyof Got<Path>]

// The entity tags of what was read, for If-Match.
const entityTags = new WeakMap<object, string>()

/** The entity tag of a record that `read` returned. */
export const entityTagOf = (record: unknown): string | undefined =>
  typeof record === 'object' && record !== null ? entityTags.get(record) : undefined

/** Keeps the record that is there if the service returned the same version of it again. */
export const keepSameVersion = (before: unknown, now: unknown): unknown => {
  const tag = entityTagOf(now)
  return tag !== undefined && tag === entityTagOf(before) ? before : now
}

/** A query for a GET of the API: `useQuery(read('/v1/consignments/{id}', { path: { id } }))`. */
export function read<Path extends PathWith<'get'>>(path: Path, params?: Params<Operation<Path, 'get'>>) {
  return queryOptions({
    queryKey: [path, params ?? {}] as const,
    queryFn: ({ signal }) => get<Got<Path>>(path, params, signal),
  })
}

/** Reads a path once. Throws a WaybillError if the service refuses. */
export async function get<T>(path: string, params: RequestParams = {}, signal?: AbortSignal): Promise<T> {
  const response = await api.fetch(urlOf(path, params), signal === undefined ? {} : { signal })
  if (!response.ok) throw await WaybillError.of(response)
  const body = (await response.json()) as T
  const tag = response.headers.get('etag')
  if (tag !== null && typeof body === 'object' && body !== null) entityTags.set(body, tag)
  return body
}

export interface RequestParams {
  path?: object | undefined
  query?: object | undefined
}

/**
 * The address of a path with these parameters. A list becomes a repeated parameter; undefined is left out.
 */
export function urlOf(path: string, { path: ids = {}, query = {} }: RequestParams = {}): string {
  const named = Object.entries(ids) as [string, unknown][]
  const full = named.reduce(
    (url, [name, value]) => url.replace(`{${name}}`, encodeURIComponent(String(value))),
    path,
  )
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query))
    for (const one of [value].flat()) if (one !== undefined && one !== null) search.append(name, String(one))
  return search.size === 0 ? full : `${full}?${search}`
}

/** An act on the API. */
export type Act<Path extends keyof paths, M extends 'post' | 'put' | 'delete'> = Params<
  Operation<Path, M>
> & {
  body?: BodyOf<Operation<Path, M>>
  /** the entity tag of the record as the person saw it: the act is refused (412) if it has changed since */
  ifMatch?: string | undefined
  /** only tells what would happen, and changes nothing */
  isRehearsal?: boolean
}

/** What the service said to an act. */
export interface Answer<T> {
  status: number
  /** whether anything was changed; false after 304 */
  hasChanged: boolean
  data: T
}

/** Sends an act. Throws a WaybillError, with the faults of the fields, if the service refuses it. */
export async function send<M extends 'post' | 'put' | 'delete', Path extends PathWith<M>>(
  method: M,
  path: Path,
  act: Act<Path, M>,
): Promise<Answer<ResultOf<Operation<Path, M>>>> {
  const { body, ifMatch, isRehearsal = false, ...params } = act as Act<Path, M> & RequestParams
  const headers = new Headers()
  if (body !== undefined) headers.set('content-type', 'application/json')
  if (ifMatch !== undefined) headers.set('if-match', ifMatch)
  if (isRehearsal) headers.set('waybill-rehearse', 'true')
  const response = await api.fetch(urlOf(path, params), {
    method: method.toUpperCase(),
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  if (!response.ok && response.status !== 304) throw await WaybillError.of(response)
  const text = await response.text()
  return {
    status: response.status,
    hasChanged: response.status !== 304,
    data: (text === '' ? undefined : JSON.parse(text)) as ResultOf<Operation<Path, M>>,
  }
}

/** A file of the service, with the name that the service gives it. With a body, it is asked for by POST. */
export async function readFile(
  path: string,
  { body, accept }: { body?: object; accept?: string } = {},
): Promise<{ blob: Blob; name: string | undefined }> {
  const response = await api.fetch(path, {
    ...(body === undefined ? {} : posted(body)),
    ...(accept === undefined ? {} : { headers: { ...jsonType, accept } }),
  })
  if (!response.ok) throw await WaybillError.of(response)
  const disposition = response.headers.get('content-disposition') ?? ''
  const encoded = /filename\*=UTF-8''([^;]+)/i.exec(disposition)?.[1]
  const name =
    encoded === undefined ? /filename="?([^";]+)/.exec(disposition)?.[1] : decodeURIComponent(encoded)
  return { blob: await response.blob(), name }
}

const jsonType = { 'content-type': 'application/json' }
const posted = (body: object) => ({ method: 'POST', headers: jsonType, body: JSON.stringify(body) })

/**
 * Posts, and returns what `take` makes of the texts of the answer as they arrive. Once it returns something,
 * the rest is not received.
 */
export async function readTexts<T>(
  path: string,
  body: object,
  take: (text: string) => T | undefined,
  signal: AbortSignal,
): Promise<T | undefined> {
  const response = await api.fetch(path, { ...posted(body), signal })
  if (!response.ok || response.body === null) throw await WaybillError.of(response)
  for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
    const taken = take(text)
    if (taken !== undefined) return taken
  }
  return undefined
}

/** What the portal of an organisation is called, and where people sign in to it. */
export interface PortalApp {
  organisationId: string
  organisationName: string
  clientId: string
  authorizeUrl: string
  baseUrl: string
}

/** Asks for the portal of an organisation, by its id or prefix; of the only one if undefined. */
export async function readPortalApp(organisation: string | undefined): Promise<PortalApp> {
  const response = await fetch(urlOf('/connect/portal', { query: { Organisation: organisation } }))
  if (!response.ok) throw await WaybillError.of(response)
  return response.json()
}

/** Posts a form to the token endpoint. The refresh token is in a cookie, which scripts cannot read. */
export async function requestToken(
  form: Record<string, string>,
): Promise<{ token: string; seconds: number }> {
  const response = await fetch('/connect/token', { method: 'POST', body: new URLSearchParams(form) })
  if (!response.ok) throw await WaybillError.of(response)
  const granted = (await response.json()) as { access_token: string; expires_in: number }
  return { token: granted.access_token, seconds: granted.expires_in }
}

/** Ends the sign-in of this browser. */
export async function revokeTokens(clientId: string): Promise<void> {
  const form = new URLSearchParams({ client_id: clientId })
  const response = await fetch('/connect/revoke', { method: 'POST', body: form })
  if (!response.ok) throw await WaybillError.of(response)
}

/**
 * Until when the service asks to wait (429 and 503), as the time of performance.now(); 0 when it does not.
 */
export const waiting = { until: 0, listeners: new Set<() => void>() }

function noticeWaiting({ status, headers }: Response): void {
  const isWaiting = status === 429 || status === 503
  if (!isWaiting && waiting.until === 0) return
  const seconds = Number(headers.get('retry-after') ?? 1)
  waiting.until = isWaiting ? performance.now() + seconds * 1000 : 0
  for (const listener of waiting.listeners) listener()
}
