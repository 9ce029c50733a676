// The pages on which people sign in and allow an app: plain HTML that needs no script. Spec 5.3.

import type { Scope } from '../access/scopes.ts'
import { scopesInWords } from '../access/scopes-in-words.ts'
import type { DemoSignIn } from './demo-sign-in.ts'
import { type Html, html, page } from './html-page.ts'
import { maxTypedLength } from './passwords.ts'

/** The names that every sign-in page shows, and the token of its form. */
export interface PageContext {
  readonly appName: string
  readonly organisationName: string
  /** a hidden form field that proves that the form comes from our page (CSRF protection) */
  readonly formToken: string
  /** whom the page offers to try the demo as; empty anywhere else */
  readonly demoSignIns: readonly DemoSignIn[]
}

/** A fault of a submitted sign-in form. */
export interface FormFault {
  /** the field concerned; absent when it is the whole form */
  readonly field?: 'email' | 'password'
  readonly message: string
}

/** The page on which a person signs in. */
export function signInPage(context: PageContext, email: string, faults: readonly FormFault[]): string {
  const faultOf = (field: 'email' | 'password') => faults.find(fault => fault.field === field)?.message
  // After a mistyped password the focus is on the password field.
  const focused = email === '' || faultOf('email') !== undefined ? 'email' : 'password'
  const field = (name: 'email' | 'password', label: string, attributes: Html) => {
    const fault = faultOf(name)
    return html`<label for="${name}">${label}</label>
${fault !== undefined && html`<p class="fault" id="${name}-fault">${fault}</p>`}
<input id="${name}" name="${name}" ${attributes} required${focused === name && html` autofocus`}${fault !== undefined && html` aria-invalid="true" aria-describedby="${name}-fault"`}>`
  }
  return page(
    `${faults.length > 0 ? 'Error: ' : ''}Sign in`,
    html`<h1>Sign in</h1>
<p class="quiet">to <strong>${context.organisationName}</strong>, to go on to <strong>${context.appName}</strong></p>
${faults.length > 0 && summary('You are not signed in', faults)}
<form method="post">
<input type="hidden" name="form_token" value="${context.formToken}">
${field(
  'email',
  'Email address',
  html`type="email" autocomplete="username" autocapitalize="none" spellcheck="false" maxlength="254" value="${email}"`,
)}
${field('password', 'Password', html`type="password" autocomplete="current-password" maxlength="${String(maxTypedLength)}"`)}
<button class="main" name="decision" value="sign-in">Sign in</button>
<button class="plain" name="decision" value="cancel" formnovalidate>Cancel and return to ${context.appName}</button>
</form>
${context.demoSignIns.length > 0 && tryTheDemo(context)}`,
  )
}

/** The people of the demo, each a button. */
const tryTheDemo = ({ formToken, demoSignIns }: PageContext): Html =>
  html`<section class="demo" aria-labelledby="demo">
<h2 id="demo">Try the demo as</h2>
<form method="post">
<input type="hidden" name="form_token" value="${formToken}">
${demoSignIns.map(({ key, text }) => html`<button name="demo" value="${key}">Continue as ${text}</button>`)}
</form>
</section>`

const summary = (title: string, faults: readonly FormFault[]): Html =>
  html`<div class="alert" role="alert" aria-labelledby="faults">
<h2 id="faults">${title}</h2>
<ul>${faults.map(({ field, message }) => (field === undefined ? html`<li>${message}</li>` : html`<li><a href="#${field}">${message}</a></li>`))}</ul>
</div>`

/** The content of the page that asks for consent. */
export interface ConsentRequest extends PageContext {
  readonly fullName: string
  readonly email: string
  readonly redirectUri: string
  /** the requested scopes that the person can allow */
  readonly scopes: readonly Scope[]
  /** whether the app requests more than the person's role includes */
  readonly isLimitedByRole: boolean
}

/** A list that says in words what the scopes allow, labelled by the heading with this id. */
export const scopeList = (scopes: readonly Scope[], headingId: string): Html =>
  html`<ul class="scopes" aria-labelledby="${headingId}">${scopes.map(scope => html`<li>${scopesInWords[scope]}</li>`)}</ul>`

/** The page on which a person allows an app or refuses to. */
export function consentPage(request: ConsentRequest): string {
  const { appName, organisationName } = request
  const hasNoScopes = request.scopes.length === 0
  const limits = hasNoScopes
    ? 'Your role does not include anything that the app asks for.'
    : 'The app asks for more than your role includes.'
  return page(
    `Allow ${appName}?`,
    html`<h1>${hasNoScopes ? html`${appName} cannot act for you` : html`Allow ${appName}?`}</h1>
<p class="quiet">${appName} asks to act for you at <strong>${organisationName}</strong>.</p>
${
  !hasNoScopes &&
  html`<h2 id="scopes">It will be able to</h2>
${scopeList(request.scopes, 'scopes')}`
}
<p class="quiet person">${(hasNoScopes || request.isLimitedByRole) && html`${limits} `}You will return to ${new URL(request.redirectUri).host}.</p>
<form method="post">
<input type="hidden" name="form_token" value="${request.formToken}">
${!hasNoScopes && html`<button class="main" name="decision" value="allow">Allow</button>`}
<button name="decision" value="deny">${hasNoScopes ? `Return to ${appName}` : 'Do not allow'}</button>
<p class="quiet person">You are signed in as ${request.fullName} (${request.email}).</p>
<button class="plain" name="decision" value="switch">Sign in as somebody else</button>
</form>
<p class="quiet person">You can withdraw this later: <a href="/connect/apps">apps that you allow</a>.</p>`,
  )
}

/** Explains errors of the authorisation endpoint to the person who sees them. */
const explanations: Record<string, string> = {
  invalid_client: 'The app is not known here, or it has been disabled.',
  invalid_redirect_uri:
    'The app asked to send you back to an address that is not registered for it, so you were not sent there.',
  session_not_found:
    'This sign-in has expired, was already finished, or your browser does not keep cookies. Go back to the ' +
    'app and start again.',
}

/** The page for a request that has to end and cannot be returned to the app. */
export function refusalPage({
  error,
  error_description: detail,
}: {
  error: string
  error_description?: string | undefined
}): string {
  const isOver = error === 'session_not_found'
  return page(
    isOver ? 'This sign-in is over' : 'This does not work',
    html`<h1>${isOver ? 'This sign-in is over' : 'This does not work'}</h1>
<p>${
      explanations[error] ??
      'The app sent you here with a request that cannot be answered. Nothing was allowed.'
    }</p>
${!isOver && html`<p class="quiet">For the makers of the app: <code>${error}</code>${detail !== undefined && html`, ${detail}`}.</p>`}`,
  )
}

/** The page shown while the database cannot be reached or too many people sign in at once. */
export const unavailablePage = (): string =>
  page(
    'Please try again',
    html`<h1>Please try again in a moment</h1>
<p>Waybill cannot answer right now. Wait a few seconds and reload this page; nothing was lost.</p>`,
  )

/** The page shown if too many sign-ins were begun and not finished from the network. */
export function tooManySignInsPage(waitSeconds: number): string {
  const minutes = Math.ceil(waitSeconds / 60)
  return page(
    'Please try again later',
    html`<h1>Please try again later</h1>
<p>Too many sign-ins were begun from your network and not finished. Go back to the app and start again in ${minutes === 1 ? 'a minute' : `${minutes} minutes`}.</p>`,
  )
}
