// Forwards requests that Fastify has received to the OAuth server. Spec 5.

import { IncomingMessage } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Provider } from 'oidc-provider'

/** Parts of the request that are replaced before the OAuth server receives it. */
export interface RequestChanges {
  /** path and query */
  url?: string
  /** the body, which has been read already */
  form?: Buffer
}

export const formType = 'application/x-www-form-urlencoded'

/** The largest form that is accepted, in bytes. */
export const maxFormBytes = 16_384

/**
 * A request whose body, if any, has been read already. It reads nothing from the socket, and ending it leaves
 * the socket open, because the real request goes on.
 */
class ForwardedRequest extends IncomingMessage {
  override _read(): void {}

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    done(error)
  }
}

/**
 * Converts a request to the form that the OAuth server reads. Whatever proxies it passed, it looks as if it
 * was sent to the issuer's own address. The Origin header is left out, because a caller with the secret may
 * send requests from any page.
 */
export function toProviderRequest(
  issuer: string,
  { raw, ip }: FastifyRequest,
  { url, form }: RequestChanges = {},
): IncomingMessage {
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
  const request = Object.assign(new ForwardedRequest(raw.socket), {
    method: raw.method ?? 'GET',
    url: url ?? raw.url ?? '/',
    headers: {
      ...headers,
      // Errors of the token endpoint must not be pages; those of the authorisation endpoint always must be.
      accept: form === undefined ? 'text/html' : 'application/json',
      host,
      'x-forwarded-proto': protocol.slice(0, -1),
      'x-forwarded-for': ip,
      ...formHeaders,
    },
    httpVersionMajor: raw.httpVersionMajor,
    httpVersionMinor: raw.httpVersionMinor,
    complete: true,
  })
  if (form !== undefined) request.push(form)
  request.push(null)
  return request
}

/**
 * Returns a function that lets the current provider respond to a request, with the headers that have been set
 * on the reply.
 */
export function createForwarder(issuer: string, currentProvider: () => Provider) {
  let cached: { provider: Provider; callback: ReturnType<Provider['callback']> } | undefined
  return async (request: FastifyRequest, reply: FastifyReply, changes: RequestChanges): Promise<void> => {
    const provider = currentProvider()
    if (cached?.provider !== provider) cached = { provider, callback: provider.callback() }
    reply.hijack()
    for (const [name, value] of Object.entries(reply.getHeaders()))
      if (value !== undefined) reply.raw.setHeader(name, value)
    await cached.callback(toProviderRequest(issuer, request, changes), reply.raw)
  }
}
