// The pages on which people sign out of a browser, see the apps that they allow, and withdraw their consent:
// /connect/sign-out and /connect/apps. Spec 5.3.

import { createHmac, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Session } from 'oidc-provider'
import { sql } from '../platform/database/db.ts'
import { isUuid } from '../platform/http/validation.ts'
import { listConsents, withdrawConsent } from './consents.ts'
import { toProviderRequest } from './forward-request.ts'
import { ownPageHeaders } from './html-page.ts'
import { isSignInOver } from './library-patches.ts'
import { cookieNames } from './provider.ts'
import { readForm, respondWithErrorPage, type SignInParts } from './sign-in-routes.ts'
import { appsPage, nobodySignedInPage, type PageUser, signedOutPage, signOutPage } from './signed-in-html.ts'
import type { UserKey } from './user.ts'

/** Adds the pages to a Fastify scope, which must parse bodies as bytes. */
export function addSignedInRoutes(scope: FastifyInstance, parts: SignInParts): void {
  const { database } = parts
  const pages = { errorHandler: respondWithErrorPage }
  scope.get('/connect/sign-out', pages, async (request, reply) => {
    const user = await findSignedInUser(parts, request, reply)
    return send(reply, user === undefined ? nobodySignedInPage() : signOutPage(user))
  })
  scope.post('/connect/sign-out', pages, async (request, reply) => {
    const user = await findSignedInUser(parts, request, reply)
    // A form without the session cookie may come from another site, which must not sign anybody out.
    if (user === undefined) return send(reply, nobodySignedInPage())
    if (!isOwnForm(user, request)) return reply.redirect('/connect/sign-out', 303)
    await user.session.destroy()
    clearCookies(reply, parts.issuer)
    return send(reply, signedOutPage())
  })
  scope.get('/connect/apps', pages, async (request, reply) => {
    const user = await findSignedInUser(parts, request, reply)
    if (user === undefined) return send(reply, nobodySignedInPage())
    return send(reply, appsPage(user, await listConsents(database.db, user)))
  })
  scope.post('/connect/apps', pages, async (request, reply) => {
    const user = await findSignedInUser(parts, request, reply)
    if (user === undefined) return send(reply, nobodySignedInPage())
    const app = new URLSearchParams(readForm(request)).get('app') ?? ''
    if (!isOwnForm(user, request) || !isUuid(app)) return reply.redirect('/connect/apps', 303)
    const withdrawn = await database.atomically(tx => withdrawConsent(tx, user, app))
    return send(reply, appsPage(user, await listConsents(database.db, user), withdrawn))
  })
}

/** The user who is signed in to the requesting browser, and their session. */
interface SignedInUser extends PageUser, UserKey {
  readonly session: Session
}

/** The person of the browser's session; undefined if nobody is signed in, or the sign-in has ended. */
async function findSignedInUser(
  { provider: currentProvider, database, issuer, secretBox }: SignInParts,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<SignedInUser | undefined> {
  const provider = currentProvider()
  const session = await provider.Session.get(
    provider.createContext(toProviderRequest(issuer, request), reply.raw),
  )
  if (session.accountId === undefined) return undefined
  const user = await database.db.maybe<
    Omit<SignedInUser, 'session' | 'formToken'> & { sessionNumber: number }
  >(sql`
    select u.organisation_id, u.id as user_id, u.full_name, u.email, u.session_number,
      o.name as organisation_name
    from app_user u join organisation o on o.id = u.organisation_id
    where u.id = ${session.accountId} and u.disabled_utc is null`)
  if (user === undefined || isSignInOver(session, user)) return undefined
  const formToken = createHmac('sha256', secretBox.keyFor('own pages'))
    .update(session.uid)
    .digest('base64url')
  return { ...user, session, formToken }
}

/** Ends the session of the requesting browser, if it has one, and removes its cookies. */
export async function endBrowserSession(
  parts: SignInParts,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const user = await findSignedInUser(parts, request, reply)
  if (user === undefined) return
  await user.session.destroy()
  clearCookies(reply, parts.issuer)
}

/** Whether a form comes from our page in the same browser, and not from another site. */
function isOwnForm({ formToken }: SignedInUser, request: FastifyRequest): boolean {
  const presented = Buffer.from(new URLSearchParams(readForm(request)).get('form_token') ?? '')
  const expected = Buffer.from(formToken)
  return presented.length === expected.length && timingSafeEqual(presented, expected)
}

function clearCookies(reply: FastifyReply, issuer: string): void {
  const secure = issuer.startsWith('https:') ? '; Secure' : ''
  for (const name of [cookieNames.session, `${cookieNames.session}.sig`]) {
    reply.header(
      'set-cookie',
      `${name}=; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT; HttpOnly; SameSite=Lax${secure}`,
    )
  }
}

const send = (reply: FastifyReply, page: string) => reply.headers(ownPageHeaders()).send(page)
