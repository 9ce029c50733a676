// Access tokens: requested once, shared, and renewed shortly before they expire. Specification 5.2 to 5.5.

import type { Send } from './retry.ts'
import { errorOf, readRefusal } from './waybill-error.ts'

/** Who requests tokens, and where: an app or, with a refresh token, a person who signed in to it. */
export interface Credentials {
  /** the address that `/connect/token` belongs to */
  authUrl: string
  clientId: string
  clientSecret: string
  /** the scopes of the tokens; absent: all that are allowed */
  scopes?: readonly string[]
  refreshToken?: string
  /** called with every refresh token that replaces the previous one, and awaited */
  onRefresh?: (refreshToken: string) => unknown
}

/** Provides the access token. */
export interface TokenSource {
  /**
   * Returns the current token, or requests a new one; concurrent callers share one request. Throws a
   * `WaybillError` with the OAuth error.
   */
  get(): Promise<string>
  /** Reports that this token was refused: if it is the current one, the next `get` requests another. */
  discard(token: string): void
}

interface CachedToken {
  token: string
  /** when it is to be replaced, in milliseconds since 1970 */
  renewAt: number
}

/** How long before its expiry a token is replaced, in milliseconds. */
const renewalMarginMs = 60_000

/** Creates a source of tokens. No token is requested until the first `get`. */
export function createTokenSource(
  { authUrl, clientId, clientSecret, scopes, onRefresh, ...start }: Credentials,
  send: Send,
): TokenSource {
  let { refreshToken } = start
  let cached: CachedToken | undefined
  let pending: Promise<CachedToken> | undefined

  async function requestToken(): Promise<CachedToken> {
    const body = new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: clientId,
      client_secret: clientSecret,
    })
    if (refreshToken !== undefined) {
      body.set('grant_type', 'refresh_token')
      body.set('refresh_token', refreshToken)
    }
    if (scopes !== undefined) body.set('scope', scopes.join(' '))
    const requestedAt = Date.now()
    const response = await send(new Request(`${authUrl}/connect/token`, { method: 'POST', body }))
    if (!response.ok) throw errorOf(response.status, await readRefusal(response))
    const grant = (await response.json()) as {
      access_token: string
      expires_in: number
      refresh_token?: string
    }
    if (grant.refresh_token !== undefined) {
      refreshToken = grant.refresh_token
      await onRefresh?.(refreshToken)
    }
    const lifetime = grant.expires_in * 1000
    return {
      token: grant.access_token,
      renewAt: requestedAt + Math.max(lifetime - renewalMarginMs, lifetime / 2),
    }
  }

  return {
    async get() {
      if (cached !== undefined && Date.now() < cached.renewAt) return cached.token
      pending ??= requestToken().finally(() => {
        pending = undefined
      })
      cached = await pending
      return cached.token
    },
    discard(token) {
      if (cached?.token === token) cached = undefined
    },
  }
}
