// Hands requests that Fastify has received over to the OAuth server. Spec 5.

import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Provider, ProviderRequest } from 'oidc-provider'

/** What the OAuth server gets in place of the request's own. */
export interface RequestChanges {
  /** path and query */
  url?: string
  /** the body, which has been read already */
  form?: Buffer
}

export const formType = 'application/x-www-form-urlencoded'

/** The largest form that is read, in bytes. */
export const maxFormBytes = 16_384

/**
 * A request in the form that the OAuth server reads. It looks as if it came to the issuer's own address,
 * whatever proxies there are. The Origin header is left out, because whoever has the secret may call from any
 * page.
 */
export function requestFor(
  issuer: string,
  { raw, ip }: FastifyRequest,
  { url, form }: RequestChanges = {},
): ProviderRequest {
  const {
    'transfer-encoding': _chunked,
    'content-length': _length,
    'content-type': _type,
    origin: _origin,
    'x-forwarded-host': _host,
    ...headers
  } = raw.headers
  const { protocol, host } = new URL(issuer)
  const formHeaders =
    form === undefined ? {} : { 'content-type': formType, 'content-length': String(form.length) }
  return Object.assign(Readable.from(form === undefined ? [] : [form], { objectMode: false }), {
    method: raw.method ?? 'GET',
    url: url ?? raw.url ?? '/',
    headers: {
      ...headers,
      // Errors of the token endpoint must not be pages; those of the authorisation endpoint always are.
      accept: form === undefined ? 'text/html' : 'application/json',
      host,
      'x-forwarded-proto': protocol.slice(0, -1),
      'x-forwarded-for': ip,
      ...formHeaders,
    },
    socket: raw.socket,
    httpVersionMajor: raw.httpVersionMajor,
    httpVersionMinor: raw.httpVersionMinor,
  })
}

/**
 * Returns a function that lets the current provider answer a request, with the headers set on the reply so
 * far.
 */
export function openHandOver(issuer: string, currentProvider: () => Provider) {
  let cached: { provider: Provider; callback: ReturnType<Provider['callback']> } | undefined
  return async (request: FastifyRequest, reply: FastifyReply, changes: RequestChanges): Promise<void> => {
    const provider = currentProvider()
    if (cached?.provider !== provider) cached = { provider, callback: provider.callback() }
    reply.hijack()
    for (const [name, value] of Object.entries(reply.getHeaders()))
      if (value !== undefined) reply.raw.setHeader(name, value)
    await cached.callback(requestFor(issuer, request, changes), reply.raw)
  }
}
