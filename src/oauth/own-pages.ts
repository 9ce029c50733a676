// The pages on which people see what they allowed apps to do, withdraw it, and sign out. Spec 5.3.

import type { Consent } from './consents.ts'
import { type Html, html, page } from './html-page.ts'
import { scopeList } from './sign-in-pages.ts'

/** Whoever is signed in to the browser. */
export interface SignedIn {
  readonly fullName: string
  readonly email: string
  readonly organisationName: string
  /** proves that a form comes from our page */
  readonly formToken: string
}

const whoIs = ({ fullName, email, organisationName }: SignedIn): Html =>
  html`${fullName} (${email}) of <strong>${organisationName}</strong>`

const hidden = ({ formToken }: SignedIn): Html =>
  html`<input type="hidden" name="form_token" value="${formToken}">`

/** The page that asks whether to sign out. */
export const signOutPage = (person: SignedIn): string =>
  page(
    'Sign out',
    html`<h1>Sign out?</h1>
<p class="quiet">You are signed in to this browser as ${whoIs(person)}.</p>
<p>Apps that you allow keep acting for you after you sign out. <a href="/connect/apps">See them, and withdraw what you allowed.</a></p>
<form method="post">
${hidden(person)}
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

/** The page where nobody is signed in. */
export const nobodyPage = (): string =>
  page(
    'Nobody is signed in',
    html`<h1>Nobody is signed in</h1>
<p>To see or withdraw what you allowed, sign in through one of your apps in this browser, and then open this page again.</p>`,
  )

/** The page with the apps that a person allows; `withdrawn` is the one whose consent has just ended. */
export function appsPage(person: SignedIn, consents: readonly Consent[], withdrawn?: string): string {
  const one = ({ customAppId, appName, scopes }: Consent) => html`<h2 id="app-${customAppId}">${appName}</h2>
${scopeList(scopes, `app-${customAppId}`)}
<form method="post">
${hidden(person)}
<input type="hidden" name="app" value="${customAppId}">
<button name="decision" value="withdraw">Withdraw consent for ${appName}</button>
</form>`
  return page(
    'Apps that you allow',
    html`<h1>Apps that you allow</h1>
<p class="quiet">They act for ${whoIs(person)}.</p>
${withdrawn !== undefined && html`<p class="notice" role="status">${withdrawn} can no longer act for you.</p>`}
${consents.length === 0 ? html`<p>No app is allowed to act for you.</p>` : consents.map(one)}
<p class="quiet person"><a href="/connect/sign-out">Sign out of this browser</a></p>`,
  )
}
