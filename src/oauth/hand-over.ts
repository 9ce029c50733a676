// Hands requests that Fastify has received over to the OAuth server. Spec 5.

import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Provider, ProviderRequest } from 'oidc-provider'

/** What the OAuth server gets instead of what the request says. */
export interface Changes {
  /** path and query */
  url?: string
  /** the body, read already */
  form?: Buffer
}

export const formType = 'application/x-www-form-urlencoded'

/** The largest form that is read, in bytes. */
export const maxFormBytes = 16_384

/**
 * A request as the OAuth server may read it. It believes that it came to its own address, whatever proxies
 * stand between. Where the caller's page is from does not matter: who has the secret may ask from anywhere.
 */
export function requestFor(
  issuer: string,
  { raw, ip }: FastifyRequest,
  { url, form }: Changes = {},
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
  const about = form === undefined ? {} : { 'content-type': formType, 'content-length': String(form.length) }
  return Object.assign(Readable.from(form === undefined ? [] : [form], { objectMode: false }), {
    method: raw.method ?? 'GET',
    url: url ?? raw.url ?? '/',
    headers: {
      ...headers,
      // Errors on the way to a token must not become pages; those of the authorisation endpoint always are.
      accept: form === undefined ? 'text/html' : 'application/json',
      host,
      'x-forwarded-proto': protocol.slice(0, -1),
      'x-forwarded-for': ip,
      ...about,
    },
    socket: raw.socket,
    httpVersionMajor: raw.httpVersionMajor,
    httpVersionMinor: raw.httpVersionMinor,
  })
}

/** Lets the provider of the moment answer a request, with the headers that the reply has so far. */
export function openHandOver(issuer: string, provider: () => Provider) {
  let made: { of: Provider; callback: ReturnType<Provider['callback']> } | undefined
  return async (request: FastifyRequest, reply: FastifyReply, changes: Changes): Promise<void> => {
    const of = provider()
    if (made?.of !== of) made = { of, callback: of.callback() }
    reply.hijack()
    for (const [name, value] of Object.entries(reply.getHeaders()))
      if (value !== undefined) reply.raw.setHeader(name, value)
    await made.callback(requestFor(issuer, request, changes), reply.raw)
  }
}
