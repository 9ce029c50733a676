// Responses that replace those of the OAuth library: errors as RFC 6749 defines them for apps, pages for
// browsers.

import type { KoaContextWithOIDC } from 'oidc-provider'
import type { Refusal } from '../platform/http/refusal.ts'
import { pageHeaders } from './html-page.ts'
import { tooManySignInsPage, unavailablePage } from './sign-in-html.ts'
import { unavailableDescription } from './token-endpoint.ts'

/** A request to the library and its response. `oidc` is missing where none of its routes was called. */
export type ProviderContext = Pick<
  KoaContextWithOIDC,
  'status' | 'body' | 'ip' | 'get' | 'set' | 'append' | 'remove'
> & {
  readonly oidc?: KoaContextWithOIDC['oidc']
}

/** Whether the request comes from an app rather than a browser. */
export const isAppRequest = (ctx: ProviderContext): boolean =>
  ['token', 'revocation'].includes(ctx.oidc?.route ?? '')

export function respondWithPage(ctx: ProviderContext, page: string): void {
  for (const [name, value] of Object.entries(pageHeaders())) ctx.set(name, value)
  ctx.body = page
}

/** Responds 503 because the database cannot be reached. */
export function respondUnavailable(ctx: ProviderContext, { retryAfterSeconds }: Refusal): void {
  ctx.status = 503
  ctx.set('retry-after', String(retryAfterSeconds))
  // The library may have set a redirect before it failed.
  ctx.remove('location')
  if (isAppRequest(ctx)) {
    ctx.body = { error: 'temporarily_unavailable', error_description: unavailableDescription }
  } else respondWithPage(ctx, unavailablePage())
}

/** Responds that there were too many requests, as an error of the API or as a page. */
export function respondWithRefusal(ctx: ProviderContext, { status, body, retryAfterSeconds }: Refusal): void {
  ctx.status = status
  if (retryAfterSeconds !== undefined) ctx.set('retry-after', String(retryAfterSeconds))
  ctx.remove('location')
  if (isAppRequest(ctx)) ctx.body = body
  else respondWithPage(ctx, tooManySignInsPage(retryAfterSeconds ?? 60))
}
