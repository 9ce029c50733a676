// The pages on which people see and withdraw their consents, and sign out. Spec 5.3.

import type { Consent } from './consents.ts'
import { type Html, html, page } from './html-page.ts'
import { scopeList } from './sign-in-html.ts'

/** The person who is signed in to the browser. */
export interface PageUser {
  readonly fullName: string
  readonly email: string
  readonly organisationName: string
  /** a hidden form field that proves that the form comes from our page (CSRF protection) */
  readonly formToken: string
}

const describeUser = ({ fullName, email, organisationName }: PageUser): Html =>
  html`${fullName} (${email}) of <strong>${organisationName}</strong>`

const tokenField = ({ formToken }: PageUser): Html =>
  html`<input type="hidden" name="form_token" value="${formToken}">`

/** The page that asks whether to sign out. */
export const signOutPage = (user: PageUser): string =>
  page(
    'Sign out',
    html`<h1>Sign out?</h1>
<p class="quiet">You are signed in to this browser as ${describeUser(user)}.</p>
<p>Apps that you allow keep acting for you after you sign out. <a href="/connect/apps">See them, and withdraw what you allowed.</a></p>
<form method="post">
${tokenField(user)}
<button class="main" name="decision" value="sign-out">Sign out</button>
</form>`,
  )

/** The page after signing out. */
export const signedOutPage = (): string =>
  page(
    'You are signed out',
    html`<h1>You are signed out</h1>
<p>Nobody is signed in to this browser any more. Apps that you allow keep acting for you until you withdraw that.</p>`,
  )

/** The page for a browser in which nobody is signed in. */
export const nobodySignedInPage = (): string =>
  page(
    'Nobody is signed in',
    html`<h1>Nobody is signed in</h1>
<p>To see or withdraw what you allowed, sign in through one of your apps in this browser, and then open this page again.</p>`,
  )

/** The page that lists the apps a person allows; `withdrawn` names the app whose consent has just ended. */
export function appsPage(user: PageUser, consents: readonly Consent[], withdrawn?: string): string {
  const appSection = ({
    customAppId,
    appName,
    scopes,
  }: Consent) => html`<h2 id="app-${customAppId}">${appName}</h2>
${scopeList(scopes, `app-${customAppId}`)}
<form method="post">
${tokenField(user)}
<input type="hidden" name="app" value="${customAppId}">
<button name="decision" value="withdraw">Withdraw consent for ${appName}</button>
</form>`
  return page(
    'Apps that you allow',
    html`<h1>Apps that you allow</h1>
<p class="quiet">They act for ${describeUser(user)}.</p>
${withdrawn !== undefined && html`<p class="notice" role="status">${withdrawn} can no longer act for you.</p>`}
${consents.length === 0 ? html`<p>No app is allowed to act for you.</p>` : consents.map(appSection)}
<p class="quiet person"><a href="/connect/sign-out">Sign out of this browser</a></p>`,
  )
}
