// The portal in a real browser: signing in, waiting for screens, and counting clicks.

import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { after } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import type { Browser, BrowserContext, Locator, Page, Response } from 'playwright-core'
import { launchChromium } from './chromium.ts'
import { openBrowser, password } from './given-people.ts'
import { atEnd, atEndOfProcess } from './test-database.ts'

/** A person in a browser of their own. */
export interface Visitor {
  /** where the portal is served */
  readonly url: string
  readonly page: Page
  readonly context: BrowserContext
  /** how often they have clicked since the last `forgetClicks` */
  readonly clicks: number
  /** the requests to the API since the last `forgetClicks`, as `GET /v1/me` */
  readonly requests: readonly string[]
  /** violations of the policy, errors in the console, and exceptions of scripts */
  readonly faults: readonly string[]
  forgetClicks(): void
  /** Opens an address and waits until its screen is ready, empty or has failed. */
  open(path: string): Promise<void>
  /**
   * Goes to an address as a link does, without loading the page again, and waits until its screen is shown.
   * The first one is opened.
   */
  goTo(path: string): Promise<void>
  /** Waits until the screen is in one of these states. */
  whenShown(...states: string[]): Promise<void>
}

// Longer than the slowest machine needs for one step of a person.
const patienceMs = 90_000

let browser: Promise<Browser> | undefined

/** The browser of all test files of this process, which ends with the process. */
function sharedBrowser(): Promise<Browser> {
  if (browser === undefined) {
    browser = launchChromium()
    atEndOfProcess(async () => (await browser)?.close())
  }
  return browser
}

// Profiles that nobody uses, by the service. A profile that has been used keeps the scripts of the portal.
const idle = new Map<string, BrowserContext[]>()

/** Waits until something is closed, but not for ever: a page that fails may hang, and goes with the browser. */
const isDone = (closing: Promise<unknown>): Promise<boolean> =>
  Promise.race([closing.then(() => true), pause(patienceMs, false, { ref: false })])

/**
 * Takes a profile in which nobody is signed in. When the test ends, its pages close, so that none of an earlier
 * test goes on following what later ones do.
 */
async function takeProfile(
  url: string,
  until: (leave: () => Promise<void>) => void,
): Promise<BrowserContext> {
  const profiles = idle.get(url) ?? []
  if (!idle.has(url)) {
    idle.set(url, profiles)
    // They close before the service does.
    atEnd(async () => {
      idle.delete(url)
      await isDone(Promise.all(profiles.map(one => one.close())))
    })
  }
  const taken = profiles.pop()
  const profile =
    taken ??
    (await (
      await sharedBrowser()
    ).newContext({
      baseURL: url,
      reducedMotion: 'reduce',
      locale: 'en-NZ',
      timezoneId: 'Pacific/Auckland',
    }))
  until(async () => {
    const leaving = Promise.all([profile.clearCookies(), ...profile.pages().map(page => page.close())])
    if (await isDone(leaving)) profiles.push(profile)
  })
  return profile
}

/**
 * Opens a browser profile of its own at this service, with nobody signed in. The visitor leaves when the test
 * ends, or with `until: atEnd` when the test file does.
 */
export async function newVisitor(
  url: string,
  {
    width = 1440,
    height = 900,
    colorScheme = 'light',
    until = after,
  }: {
    width?: number
    height?: number
    colorScheme?: 'light' | 'dark'
    until?: (leave: () => Promise<void>) => void
  } = {},
): Promise<Visitor> {
  const context = await takeProfile(url, until)
  const page = await context.newPage()
  page.setDefaultTimeout(patienceMs)
  await page.setViewportSize({ width, height })
  await page.emulateMedia({ colorScheme })
  const seen = { clicks: 0, requests: [] as string[] }
  const faults: string[] = []
  page.on('pageerror', error => faults.push(String(error)))
  page.on('console', message => {
    // A 400 before anybody is signed in is an answer, not a fault.
    const isAnswer = message.text().startsWith('Failed to load resource')
    if (message.type() === 'error' && !isAnswer) faults.push(message.text())
  })
  page.on('request', request => {
    const { pathname } = new URL(request.url())
    if (pathname.startsWith('/v1/')) seen.requests.push(`${request.method()} ${pathname}`)
  })
  await page.exposeFunction('countClick', () => {
    seen.clicks++
  })
  // A label passes its click on to its field, and keys make clicks without a place.
  // What an earlier visitor of the profile left is gone when this one opens their first page.
  await page.addInitScript({
    content: `addEventListener('click', e => { if (e.isTrusted && e.detail > 0) countClick() }, true)
      if (origin !== 'null' && sessionStorage.getItem('visits') === null) {
        localStorage.clear()
        sessionStorage.setItem('visits', 'since now')
      }`,
  })
  const whenShown = async (...states: string[]) => {
    const main = states.map(state => `main[data-state="${state}"]`).join(', ')
    await page.locator(main).waitFor()
  }
  const open = async (path: string) => {
    await page.goto(path)
    await whenShown('ready', 'empty', 'error')
  }
  return {
    url,
    page,
    context,
    faults,
    get clicks() {
      return seen.clicks
    },
    get requests() {
      return seen.requests
    },
    forgetClicks() {
      seen.clicks = 0
      seen.requests = []
    },
    open,
    async goTo(path) {
      if (page.url() === 'about:blank') return open(path)
      await page.evaluate(
        `document.querySelector('main').dataset.left = ''
        history.pushState({}, '', ${JSON.stringify(path)})
        dispatchEvent(new PopStateEvent('popstate'))`,
      )
      await page.locator('main:not([data-left], [data-state=loading])').waitFor()
    },
    whenShown,
  }
}

/** Signs a person in at the portal, as they would, and waits for the start screen. */
export async function signInByHand(visitor: Visitor, email: string): Promise<void> {
  const { page } = visitor
  await page.goto('/')
  await page.getByLabel('Email address').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('navigation', { name: 'Main' }).waitFor()
  await visitor.whenShown('ready', 'empty', 'error')
}

/**
 * Signs a person in with the same requests, of which nothing is drawn, because nearly every test begins with
 * it. The visitor then opens a screen.
 */
export async function signInAs({ url, context }: Visitor, email: string, secret = password): Promise<void> {
  const browser = openBrowser(url)
  const portal = await fetch(`${url}/connect/portal`)
  const { clientId, authorizeUrl } = (await portal.json()) as { clientId: string; authorizeUrl: string }
  const verifier = randomBytes(32).toString('base64url')
  const { pathname, searchParams } = new URL(authorizeUrl)
  searchParams.set('code_challenge', createHash('sha256').update(verifier).digest('base64url'))
  searchParams.set('code_challenge_method', 'S256')
  const signIn = await browser.open(`${pathname}?${searchParams}`)
  const back = await browser.submit(signIn, 'sign-in', { email, password: secret })
  const form = {
    grant_type: 'authorization_code',
    client_id: clientId,
    code: new URL(back.url).searchParams.get('code') ?? '',
    redirect_uri: `${url}/signed-in`,
    code_verifier: verifier,
  }
  const granted = await context.request.post('/connect/token', { form, headers: { origin: url } })
  assert.equal(granted.status(), 200, await granted.text())
  const cookies = [...browser.cookies].map(([name, { value, path }]) => ({
    ...{ name: name.split(' ')[0] as string, value, path },
    domain: new URL(url).hostname,
    httpOnly: true,
  }))
  await context.addCookies(cookies)
}

/** The row of a grid that this link names. */
export const rowOf = (page: Page, name: string) =>
  page.getByRole('row').filter({ has: page.getByRole('link', { name, exact: true }) })

const isOfAct = (answer: Response): boolean => {
  const request = answer.request()
  const isRehearsal = 'waybill-rehearse' in request.headers()
  return request.method() !== 'GET' && new URL(answer.url()).pathname.startsWith('/v1/') && !isRehearsal
}

/** Does something that is an act of the API, such as pressing a button, and waits until the service has done it. */
export async function whenDone(page: Page, act: () => Promise<void>): Promise<void> {
  const [answer] = await Promise.all([page.waitForResponse(isOfAct), act()])
  assert.ok(answer.status() < 400, `${answer.url()} answered ${answer.status()}: ${await answer.text()}`)
}

/** Saves the open form of a page or region, and waits until the service has done it and the form has closed. */
export async function save(form: Page | Locator): Promise<void> {
  const button = form.getByRole('button', { name: 'Save', exact: true })
  await whenDone('page' in form ? form.page() : form, () => button.click())
  await button.waitFor({ state: 'detached' })
}

/** Confirms the open dialog of an act once the service has said what it will do, and waits until it is done. */
export async function confirm(page: Page, act: string): Promise<void> {
  const dialog = page.getByRole('dialog', { name: act, exact: true })
  await page.locator('[role=dialog][data-state="ready"]').waitFor()
  await whenDone(page, () => dialog.getByRole('button', { name: act, exact: true }).click())
  await dialog.waitFor({ state: 'detached' })
}

/** Opens an act by its button and confirms it in its dialog, whose words are those of the button by default. */
export async function actAndConfirm(page: Page, button: string, act = button): Promise<void> {
  await page.getByRole('button', { name: button, exact: true }).first().click()
  await confirm(page, act)
}

/** Waits until what is read, such as the texts of a list, is as expected. */
export async function whenEqual<T>(read: () => Promise<T>, expected: T, message?: string): Promise<void> {
  const end = performance.now() + patienceMs
  let found = await read()
  while (!isDeepStrictEqual(found, expected) && performance.now() < end) {
    await pause(50)
    found = await read()
  }
  assert.deepEqual(found, expected, message)
}

/** Presses a button and does the work of the workers until the text is shown. */
export async function pressUntil(
  page: Page,
  work: () => Promise<void>,
  button: string,
  text: string,
): Promise<void> {
  await page.getByRole('button', { name: button }).click()
  const shown = page.getByText(text).first().waitFor()
  let isShown = false
  void shown.then(
    () => (isShown = true),
    () => {},
  )
  while (!isShown) {
    await work()
    await Promise.race([shown, page.waitForResponse(/\/v1\//).catch(() => {})])
  }
}

/** Fails if the visitor's page broke its policy or reported an error. */
export const assertNoFaults = ({ faults }: Visitor) => assert.deepEqual(faults, [])
