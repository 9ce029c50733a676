// Access tokens by client credentials: asked for once, shared, and renewed shortly before they end. Specification 5.2 and 5.4.

import type { Send } from './retry.ts'
import { errorOf, readRefusal } from './waybill-error.ts'

/** Whom tokens are asked for, and where. */
export interface Credentials {
  /** where `/connect/token` is */
  authUrl: string
  clientId: string
  clientSecret: string
  /** what the tokens may do; absent: all scopes of the app */
  scopes: readonly string[] | undefined
}

/** A place to get the access token from. */
export interface TokenSource {
  /** The token in use, or a new one; callers at the same time share one request. Throws a `WaybillError` with the OAuth error. */
  get(): Promise<string>
  /** Says that this token was refused: if it is the one in use, the next `get` asks for another. */
  forget(token: string): void
}

interface Held {
  token: string
  /** from then on another is asked for; milliseconds since 1970 */
  until: number
}

const earlier = 60_000
const longestRequest = 30_000

/** Opens a source of tokens. Nothing is asked for until the first `get`. */
export function openTokenSource(credentials: Credentials, send: Send): TokenSource {
  let held: Held | undefined
  let asking: Promise<Held> | undefined
  return {
    async get() {
      if (held !== undefined && Date.now() < held.until) return held.token
      asking ??= ask(credentials, send).finally(() => {
        asking = undefined
      })
      held = await asking
      return held.token
    },
    forget(token) {
      if (held?.token === token) held = undefined
    },
  }
}

async function ask({ authUrl, clientId, clientSecret, scopes }: Credentials, send: Send): Promise<Held> {
  const body = new URLSearchParams({ grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret })
  if (scopes !== undefined) body.set('scope', scopes.join(' '))
  const asked = Date.now()
  const request = new Request(`${authUrl}/connect/token`, { method: 'POST', body, signal: AbortSignal.timeout(longestRequest) })
  const response = await send(request)
  if (!response.ok) throw errorOf(response.status, await readRefusal(response))
  const { access_token, expires_in } = (await response.json()) as { access_token: string; expires_in: number }
  const lifetime = expires_in * 1000
  return { token: access_token, until: asked + Math.max(lifetime - earlier, lifetime / 2) }
}
