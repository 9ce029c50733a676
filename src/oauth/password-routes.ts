// The page on which a person sets a password by the link that they got: /connect/password. Spec 5.3.

import type { FastifyInstance, FastifyReply } from 'fastify'
import { html, ownPageHeaders, page } from './html-page.ts'
import { findLinkedUser, type LinkedUser, passwordPath, setPasswordByLink } from './password-link.ts'
import { maxTypedLength } from './passwords.ts'
import { readForm, respondWithErrorPage, type SignInParts } from './sign-in-routes.ts'

/** Adds the page to a Fastify scope, which must parse bodies as bytes. */
export function addPasswordRoutes(
  scope: FastifyInstance,
  { database, baseUrl }: Pick<SignInParts, 'database'> & { baseUrl: string },
): void {
  const pages = { errorHandler: respondWithErrorPage }
  scope.get(passwordPath, pages, async (request, reply) => {
    const { token } = request.query as { token?: string | string[] }
    const user = typeof token === 'string' ? await findLinkedUser(database.db, token) : undefined
    if (user === undefined) return send(reply, 404, overPage())
    return send(reply, 200, passwordPage(user, token as string))
  })
  scope.post(passwordPath, pages, async (request, reply) => {
    const form = new URLSearchParams(readForm(request))
    const token = form.get('token') ?? ''
    const password = form.get('password') ?? ''
    const user = await findLinkedUser(database.db, token)
    if (user === undefined) return send(reply, 404, overPage())
    const attempt = { token, password, requestId: request.id, ip: request.ip }
    const problem = await setPasswordByLink(database, attempt)
    if (problem === null) return send(reply, 404, overPage())
    if (problem !== undefined) return send(reply, 400, passwordPage(user, token, `The ${problem}`))
    return send(reply, 200, savedPage(user, baseUrl))
  })
}

const send = (reply: FastifyReply, status: number, text: string) =>
  // The address has the link in it, which no other page may learn.
  reply
    .code(status)
    .headers({ ...ownPageHeaders(), 'referrer-policy': 'no-referrer' })
    .send(text)

const passwordPage = (user: LinkedUser, token: string, fault?: string) => {
  const { fullName, email, organisationName } = user
  const described = `password-help${fault === undefined ? '' : ' password-fault'}`
  const field = html`type="password" autocomplete="new-password" maxlength="${String(maxTypedLength)}"
required autofocus aria-describedby="${described}"`
  return page(
    `${fault === undefined ? '' : 'Error: '}Choose a password`,
    html`<h1>Choose a password</h1>
<p class="quiet">for ${fullName} (${email}) of <strong>${organisationName}</strong></p>
<form method="post" action="${passwordPath}">
<input type="hidden" name="token" value="${token}">
<input type="hidden" name="username" autocomplete="username" value="${email}">
<label for="password">New password</label>
<p class="quiet" id="password-help">At least 12 characters, without your email address.</p>
${fault !== undefined && html`<p class="fault" role="alert" id="password-fault">${fault}</p>`}
<input id="password" name="password" ${field}${fault !== undefined && html` aria-invalid="true"`}>
<button class="main">Save password</button>
</form>`,
  )
}

const savedPage = ({ email }: LinkedUser, baseUrl: string) =>
  page(
    'Your password is saved',
    html`<h1>Your password is saved</h1>
<p>Sign in with ${email} and your new password. Browsers in which you were signed in are signed out.</p>
<p><a href="${baseUrl}/">Sign in</a></p>`,
  )

const overPage = () =>
  page(
    'This link is over',
    html`<h1>This link is over</h1>
<p>It was used, is older than three days, or a newer one was made. Ask an administrator of your
organisation for a new link.</p>`,
  )
