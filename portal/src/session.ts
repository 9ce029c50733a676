// Who is signed in. The access token lives in this file and nowhere else; the refresh token is in a cookie
// that scripts cannot read. The other tabs of the browser follow a sign-out.

import { WaybillError } from '../../client/src/waybill.ts'
import { type PortalApp, readPortalApp, requestToken, revokeTokens, takeTokensFrom } from './api.ts'
import { words } from './words.ts'

/** What the person sees instead of, or over, the screens. */
export type Session =
  | { state: 'starting' | 'signed-in' | 'signed-out' | 'expired' }
  | { state: 'organisation'; fault: string | undefined }
  | { state: 'problem'; text: string }

let session: Session = { state: 'starting' }
const listeners = new Set<() => void>()

/** The store of the session, for useSyncExternalStore. */
export const sessionStore = {
  current: (): Session => session,
  subscribe(listener: () => void): () => void {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
}

function become(next: Session): void {
  session = next
  for (const listener of listeners) listener()
}

const keys = {
  organisation: 'waybill-organisation',
  attempt: 'waybill-sign-in',
  signedOut: 'waybill-signed-out',
} as const
const signedInPath = '/signed-in'
// A token is replaced this long before it ends, so that no request meets its end.
const marginMs = 60_000

let app: PortalApp | undefined
let token: { text: string; until: number } | undefined
let pending: Promise<string> | undefined
const tabs = new BroadcastChannel('waybill-session')

takeTokensFrom({
  get() {
    if (token !== undefined && performance.now() < token.until) return Promise.resolve(token.text)
    pending ??= renew().finally(() => {
      pending = undefined
    })
    return pending
  },
  refused() {
    token = undefined
  },
})

/** Gets an access token for the cookie. One tab at a time, because each use replaces the refresh token. */
async function renew(): Promise<string> {
  try {
    return await navigator.locks.request('waybill-token', () => take({ grant_type: 'refresh_token' }))
  } catch (error) {
    if (error instanceof WaybillError && error.status === 400 && session.state === 'signed-in')
      become({ state: 'expired' })
    throw error
  }
}

async function take(form: Record<string, string>): Promise<string> {
  const asked = performance.now()
  const granted = await requestToken({ ...form, client_id: app?.clientId ?? '' })
  token = { text: granted.token, until: asked + granted.seconds * 1000 - marginMs }
  return token.text
}

/**
 * Finds out who is signed in: completes a sign-in that has just come back, uses the cookie of an earlier one,
 * or leads to the sign-in page. Returns the address to go on at, or undefined if the page stays where it is.
 */
export async function start(): Promise<string | undefined> {
  const url = new URL(location.href)
  const asked = url.searchParams.get('organisation')
  if (asked !== null) remember(localStorage, keys.organisation, asked)
  try {
    app = await readPortalApp(localStorage.getItem(keys.organisation) ?? undefined)
  } catch (error) {
    return void showProblem(error)
  }
  if (isElsewhere(app, url)) return undefined
  remember(localStorage, keys.organisation, app.organisationId)
  try {
    // Whoever turns back on the sign-in page is not led there again.
    if (url.pathname === signedInPath && url.searchParams.has('error'))
      return void become({ state: 'signed-out' })
    const next = url.pathname === signedInPath ? await complete(url) : undefined
    if (next === undefined) await renew()
    become({ state: 'signed-in' })
    return next
  } catch (error) {
    if (!(error instanceof WaybillError) || error.status !== 400) return void showProblem(error)
    if (sessionStorage.getItem(keys.signedOut) !== null) become({ state: 'signed-out' })
    else await signIn()
    return undefined
  }
}

function showProblem(error: unknown): void {
  const status = error instanceof WaybillError ? error.status : 0
  if (status === 404) {
    const fault = localStorage.getItem(keys.organisation) === null ? undefined : words.noOrganisation
    localStorage.removeItem(keys.organisation)
    become({ state: 'organisation', fault })
  } else if (status === 403) become({ state: 'problem', text: words.portalDisabled })
  else if (status === 0) become({ state: 'problem', text: words.noAnswer })
  else become({ state: 'problem', text: (error as WaybillError).errorMessages.join(' ') })
}

/** Goes to the address that people use, if this is another one: the cookie would not come along. */
function isElsewhere({ baseUrl }: PortalApp, url: URL): boolean {
  const base = new URL(baseUrl)
  if (import.meta.env.DEV || base.origin === url.origin) return false
  if (isLoopback(base.hostname) && !isLoopback(url.hostname))
    become({ state: 'problem', text: words.setBaseUrl })
  else location.replace(`${base.origin}${url.pathname}${url.search}`)
  return true
}

const isLoopback = (host: string) => host === 'localhost' || host === '[::1]' || /^127\./.test(host)

const remember = (storage: Storage, key: string, value: string) => storage.setItem(key, value)

/** What a sign-in that has begun needs when it comes back. */
interface Attempt {
  verifier: string
  state: string
  returnTo: string
}

/** Leads to the sign-in page; the person comes back to where they are now. */
export async function signIn(): Promise<void> {
  if (app === undefined) return location.reload()
  // On the development server, people sign in at the service itself; the cookie then serves here too.
  if (import.meta.env.DEV) return location.assign(app.baseUrl)
  sessionStorage.removeItem(keys.signedOut)
  const verifier = randomText()
  const isBack = location.pathname === signedInPath
  const returnTo = isBack ? '/' : `${location.pathname}${location.search}`
  const attempt: Attempt = { verifier, state: randomText(), returnTo }
  remember(sessionStorage, keys.attempt, JSON.stringify(attempt))
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))
  const url = new URL(app.authorizeUrl)
  url.searchParams.set('code_challenge', base64Url(new Uint8Array(digest)))
  url.searchParams.set('code_challenge_method', 'S256')
  url.searchParams.set('state', attempt.state)
  location.assign(url)
}

/** Exchanges the code of a sign-in that has come back. Returns where the person was. */
async function complete(url: URL): Promise<string | undefined> {
  const stored = sessionStorage.getItem(keys.attempt)
  sessionStorage.removeItem(keys.attempt)
  const { verifier, state, returnTo } = JSON.parse(stored ?? '{}') as Partial<Attempt>
  const code = url.searchParams.get('code')
  if (verifier === undefined || code === null || url.searchParams.get('state') !== state) return undefined
  await take({
    grant_type: 'authorization_code',
    code,
    redirect_uri: `${location.origin}${signedInPath}`,
    code_verifier: verifier,
  })
  tabs.postMessage('signed-in')
  return returnTo?.startsWith('/') === true && !returnTo.startsWith('//') ? returnTo : '/'
}

const randomText = () => base64Url(crypto.getRandomValues(new Uint8Array(32)))

const base64Url = (bytes: Uint8Array) =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

/** Signs out of this browser, in all its tabs. */
export async function signOut(): Promise<void> {
  if (app !== undefined) await revokeTokens(app.clientId)
  tabs.postMessage('signed-out')
  leave()
}

/** Signs out, and leads to the sign-in page at once, where somebody else of the demo can be tried. */
export async function tryAsSomebodyElse(): Promise<void> {
  if (app !== undefined) await revokeTokens(app.clientId)
  tabs.postMessage('signed-out')
  token = undefined
  history.replaceState(null, '', '/')
  await signIn()
}

tabs.onmessage = ({ data }) => {
  if (data === 'signed-out') leave()
  // The work goes on where it was.
  if (data === 'signed-in' && session.state === 'expired')
    renew().then(
      () => become({ state: 'signed-in' }),
      () => {},
    )
}

/** Loads the page anew, so that nothing of the person's data stays in memory. */
function leave(): void {
  token = undefined
  remember(sessionStorage, keys.signedOut, 'yes')
  location.assign('/')
}

/** Continues with another organisation: its id, or its prefix. */
export function chooseOrganisation(organisation: string): void {
  remember(localStorage, keys.organisation, organisation)
  location.assign('/')
}
