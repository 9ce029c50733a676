// Users who sign in, and a browser without scripts that handles cookies correctly, for the tests of the
// sign-in pages.

import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'
import type { CustomAppCredentials } from '../../src/custom-apps/create-app.ts'
import { hashPassword } from '../../src/oauth/passwords.ts'
import type { Database } from '../../src/platform/database/db.ts'
import { createUser, hashNewPassword, type NewUser } from '../../src/users/create-user.ts'
import { givenApp } from './given-oauth.ts'

export const password = 'correct horse battery'
export const redirectUri = 'https://shop.example.com/back?from=waybill'

let hashOfPassword: Promise<string> | undefined

/** Hashing costs time on purpose, so the password that nearly everybody has is hashed once. */
function hashOf(user: NewUser, own: string): Promise<string> {
  if (own !== password) return hashNewPassword(user, own)
  hashOfPassword ??= hashPassword(own, user.organisationId)
  return hashOfPassword
}

/** Creates a user with a password; by default all users have the same one. */
export async function givenUser(
  database: Database,
  {
    password: own = password,
    ...user
  }: { organisationId: string; password?: string | null } & Partial<NewUser>,
): Promise<{ userId: string; email: string }> {
  const whole = {
    email: `${crypto.randomUUID()}@example.com`,
    fullName: 'Ada Lovelace',
    role: 'administrator' as const,
    ...user,
  }
  const passwordHash = own === null ? undefined : await hashOf(whole, own)
  return {
    userId: await database.atomically(tx => createUser(tx, { passwordHash, ...whole })),
    email: whole.email,
  }
}

/** Creates an app that signs users in, with its own organisation by default. */
export const givenPeopleApp = (database: Database, change: Parameters<typeof givenApp>[1] = {}) =>
  givenApp(database, {
    name: 'Kauri Shop',
    grantType: 1,
    scopes: ['consignment', 'partner', 'organisation'],
    redirectUris: [redirectUri],
    ...change,
  })

// Below those that systems give to connections and to whoever asks for any port, so that nobody takes one before it
// is used.
const ports = { from: 16_384, count: 16_000 }

/** An address on which nothing listens. */
export async function freeAddress(): Promise<string> {
  for (;;) {
    const port = ports.from + randomInt(ports.count)
    const probe = createServer()
    const isFree = await new Promise<boolean>(resolve => {
      probe.once('error', () => resolve(false))
      probe.listen(port, '127.0.0.1', () => resolve(true))
    })
    if (!isFree) continue
    await new Promise(resolve => probe.close(resolve))
    return `http://127.0.0.1:${port}`
  }
}

/** The query of an authorisation request. */
export const authorizeQuery = (
  app: { clientId: string },
  change: Record<string, string | undefined> = {},
): string => {
  const parameters = {
    response_type: 'code',
    client_id: app.clientId,
    redirect_uri: redirectUri,
    scope: 'consignment partner.read',
    state: 's+/ä',
    ...change,
  }
  return new URLSearchParams(
    Object.entries(parameters).filter((entry): entry is [string, string] => entry[1] !== undefined),
  ).toString()
}

/** The page that a browser shows. */
export interface Page {
  status: number
  /** its address */
  url: string
  html: string
  headers: Headers
}

/** A browser that follows redirects within the service, and stops at one that leads away from it. */
export interface Browser {
  readonly cookies: Map<string, { value: string; path: string }>
  open(path: string): Promise<Page>
  /** Submits the form of the page with these fields, using the button of this decision. */
  submit(page: Page, decision: string, fields?: Record<string, string>): Promise<Page>
}

export function openBrowser(origin: string, headers: Record<string, string> = {}): Browser {
  const cookies: Browser['cookies'] = new Map()

  function keep(response: Response): void {
    for (const line of response.headers.getSetCookie()) {
      const [pair = '', ...attributes] = line.split(';').map(part => part.trim())
      const [name = '', value = ''] = pair.split('=')
      const attribute = (wanted: string) =>
        attributes
          .find(attribute => attribute.toLowerCase().startsWith(`${wanted}=`))
          ?.slice(wanted.length + 1)
      const path = attribute('path') ?? '/'
      assert.match(line, /HttpOnly/i)
      assert.match(line, /SameSite=Lax/i)
      const expires = attribute('expires')
      if (expires !== undefined && Date.parse(expires) < Date.now()) cookies.delete(`${name} ${path}`)
      else cookies.set(`${name} ${path}`, { value, path })
    }
  }

  async function go(url: URL, init: RequestInit): Promise<Page> {
    const sent = [...cookies].filter(
      ([, { path }]) => url.pathname === path || url.pathname.startsWith(path === '/' ? '/' : `${path}/`),
    )
    const cookie = sent.map(([key, { value }]) => `${key.split(' ')[0]}=${value}`).join('; ')
    const response = await fetch(url, {
      ...init,
      redirect: 'manual',
      headers: { accept: 'text/html', ...headers, ...init.headers, cookie },
    })
    keep(response)
    const location = response.headers.get('location')
    if (location === null)
      return {
        status: response.status,
        url: url.href,
        html: await response.text(),
        headers: response.headers,
      }
    assert.equal(response.status, 303)
    const next = new URL(location, url)
    if (next.origin !== origin) return { status: 303, url: next.href, html: '', headers: response.headers }
    return go(next, {})
  }

  return {
    cookies,
    open: path => go(new URL(path, origin), {}),
    submit(page, decision, fields = {}) {
      const hidden = [...page.html.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)">/g)].map(
        ([, name, value]) => [name, value],
      )
      assert.ok(
        page.html.includes(`name="decision" value="${decision}"`),
        `There is no button ${decision}: ${page.html}`,
      )
      const form = new URLSearchParams({ ...Object.fromEntries(hidden), decision, ...fields })
      return go(new URL(page.url), { method: 'POST', body: form })
    },
  }
}

/** Signs in and allows the requested access. Returns the query that the app gets. */
export async function authorise(
  browser: Browser,
  app: Pick<CustomAppCredentials, 'clientId'>,
  email: string,
  change: Record<string, string | undefined> = {},
): Promise<Record<string, string>> {
  let page = await browser.open(`/connect/authorize?${authorizeQuery(app, change)}`)
  if (page.html.includes('value="sign-in"')) page = await browser.submit(page, 'sign-in', { email, password })
  if (page.html.includes('value="allow"')) page = await browser.submit(page, 'allow')
  assert.equal(page.status, 303, page.html)
  return Object.fromEntries(new URL(page.url).searchParams)
}
