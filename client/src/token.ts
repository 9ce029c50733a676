// Access tokens, asked for once, shared, and renewed shortly before they end. Specification 5.2 to 5.5.

import type { Send } from './retry.ts'
import { errorOf, readRefusal } from './waybill-error.ts'

/** Whom tokens are asked for, and where: an app, or, with a refresh token, a person who signed in to it. */
export interface Credentials {
  /** where `/connect/token` is */
  authUrl: string
  clientId: string
  clientSecret: string
  /** what the tokens may do; absent: all that is allowed */
  scopes?: readonly string[]
  refreshToken?: string
  /** is given every refresh token that takes the place of the one before, and awaited */
  onRefresh?: (refreshToken: string) => unknown
}

/** A place to get the access token from. */
export interface TokenSource {
  /**
   * The token in use, or a new one; callers at the same time share one request. Throws a `WaybillError` with
   * the OAuth error.
   */
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

/** Opens a source of tokens. Nothing is asked for until the first `get`. */
export function openTokenSource(
  { authUrl, clientId, clientSecret, scopes, onRefresh, ...start }: Credentials,
  send: Send,
): TokenSource {
  let { refreshToken } = start
  let held: Held | undefined
  let asking: Promise<Held> | undefined

  async function ask(): Promise<Held> {
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
    const asked = Date.now()
    const response = await send(new Request(`${authUrl}/connect/token`, { method: 'POST', body }))
    if (!response.ok) throw errorOf(response.status, await readRefusal(response))
    const told = (await response.json()) as {
      access_token: string
      expires_in: number
      refresh_token?: string
    }
    if (told.refresh_token !== undefined) {
      refreshToken = told.refresh_token
      await onRefresh?.(refreshToken)
    }
    const lifetime = told.expires_in * 1000
    return { token: told.access_token, until: asked + Math.max(lifetime - earlier, lifetime / 2) }
  }

  return {
    async get() {
      if (held !== undefined && Date.now() < held.until) return held.token
      asking ??= ask().finally(() => {
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
