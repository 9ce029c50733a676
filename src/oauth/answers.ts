// Answers that replace those of the OAuth library: in the form of RFC 6749 for apps, as pages for browsers.

import type { Context } from 'oidc-provider'
import type { Refusal } from '../platform/http/refusal.ts'
import { pageHeaders } from './html-page.ts'
import { tooManyPage, unavailablePage } from './sign-in-pages.ts'
import { notAvailable } from './token-endpoint.ts'

/** Whether the answer goes to an app, and not to a browser. */
export const isForApp = (ctx: Context): boolean => ['token', 'revocation'].includes(ctx.oidc?.route ?? '')

/** Answers with a page. */
export function answerPage(ctx: Context, page: string): void {
  for (const [name, value] of Object.entries(pageHeaders())) ctx.set(name, value)
  ctx.body = page
}

/** Answers 503 because the database is away. */
export function answerUnavailable(ctx: Context, { retryAfterSeconds }: Refusal): void {
  ctx.status = 503
  ctx.set('retry-after', String(retryAfterSeconds))
  // The library may have set a redirect before it failed.
  ctx.remove('location')
  if (isForApp(ctx)) {
    ctx.body = { error: 'temporarily_unavailable', error_description: notAvailable }
  } else answerPage(ctx, unavailablePage())
}

/** Answers that there were too many requests, in the form of the API's errors or as a page. */
export function answerRefusal(ctx: Context, { status, body, retryAfterSeconds }: Refusal): void {
  ctx.status = status
  if (retryAfterSeconds !== undefined) ctx.set('retry-after', String(retryAfterSeconds))
  ctx.remove('location')
  if (isForApp(ctx)) ctx.body = body
  else answerPage(ctx, tooManyPage(retryAfterSeconds ?? 60))
}
