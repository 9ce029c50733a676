// The API reference in a real browser: readers can call the API from it, in light and dark mode, and no
// request goes to another host.

import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { Locator, Page } from 'playwright-core'
import { hasChromium, launchChromium } from '../../support/chromium.ts'
import { clientCredentials, givenApp, openProcess } from '../../support/given-oauth.ts'
import { freeAddress, givenPeopleApp, givenUser, password } from '../../support/given-people.ts'
import { openTestDatabase } from '../../support/harness.ts'
import { atEnd } from '../../support/test-database.ts'

const skip = hasChromium ? false : 'set CHROMIUM_PATH to the Chromium of this machine'
const { database } = await openTestDatabase()
const url = await freeAddress()
await openProcess(database, { authUrl: url })
const app = await givenApp(database)
const browser = hasChromium ? await launchChromium() : undefined
// The browser is closed before the service, which waits for the connections that it holds open.
atEnd(() => browser?.close())

/** The origins that the pages sent requests to. */
const requestedOrigins = new Set<string>()

/** Opens the reference in a new window, and waits until it shows the document. */
async function openReference(colorScheme: 'light' | 'dark'): Promise<Page> {
  assert.ok(browser)
  const page = await (
    await browser.newContext({ viewport: { width: 1400, height: 1000 }, colorScheme })
  ).newPage()
  page.setDefaultTimeout(120_000)
  page.on('request', request => {
    if (!/^(data|blob):/.test(request.url())) requestedOrigins.add(new URL(request.url()).origin)
  })
  await page.goto(`${url}/docs`)
  await authentication(page).waitFor()
  return page
}

const opened = new Map<string, Promise<Page>>()

/** Returns the reference in light or dark mode. Tests share a window, because opening one takes seconds. */
function referenceIn(colorScheme: 'light' | 'dark'): Promise<Page> {
  const page = opened.get(colorScheme) ?? openReference(colorScheme)
  opened.set(colorScheme, page)
  return page
}

/** The authentication section of the page. */
const authentication = (page: Page): Locator => page.getByRole('region', { name: 'Authentication' }).first()

/** The field next to a label. */
const field = (page: Page, label: string): Locator =>
  authentication(page)
    .locator('td', { has: page.getByText(label, { exact: true }) })
    .locator('[contenteditable=true], input')

/** Presses the button that requests a token, and waits for it. */
async function authorize(page: Page): Promise<void> {
  const token = page.waitForResponse(`${url}/connect/token`)
  await authentication(page).getByRole('button', { name: 'Authorize' }).click()
  assert.equal((await token).status(), 200)
  await field(page, 'Access Token').waitFor()
}

/** Goes to the operation to call; the page renders only what is in view, and folds the chapters. */
async function goToIdentity(page: Page): Promise<void> {
  const link = page.getByRole('link', { name: /^Read the user, organisation and partner of the token/ })
  if (!(await link.isVisible())) await page.getByRole('button', { name: 'Open Group - Identity' }).click()
  await link.click()
}

/** Calls GET /v1/identity from the page, and returns the response. */
async function callIdentity(page: Page): Promise<{ status: number; body: Record<string, unknown> }> {
  await goToIdentity(page)
  await page.getByRole('button', { name: /test request.*identity/i }).click()
  const responded = page.waitForResponse(`${url}/v1/identity`)
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Send get request/ })
    .click()
  const response = await responded
  return { status: response.status(), body: (await response.json()) as Record<string, unknown> }
}

/** A fault that the accessibility checker found. */
interface Fault {
  ruleId: string
  message: string
  snippet: string
}

for (const colorScheme of ['light', 'dark'] as const) {
  test(`in ${colorScheme} the page has names, roles, labels and readable text`, { skip }, async () => {
    const checker = fileURLToPath(import.meta.resolve('accessibility-checker-engine/ace.js'))
    const page = await referenceIn(colorScheme)
    await goToIdentity(page)
    await page.getByRole('button', { name: /test request.*identity/i }).waitFor()
    assert.equal(await page.evaluate('document.body.classList.contains("dark-mode")'), colorScheme === 'dark')
    await page.evaluate(await readFile(checker, 'utf8'))
    const faults = (await page.evaluate(`(async () => {
      const { results } = await new ace.Checker().check(document, ['WCAG_2_1'])
      return results
        .filter(({ value }) => value[0] === 'VIOLATION' && value[1] === 'FAIL')
        .map(({ ruleId, message, snippet }) => ({ ruleId, message, snippet }))
    })()`)) as Fault[]
    assert.deepEqual(
      faults.map(({ ruleId, message, snippet }) => `${ruleId}: ${message} ${snippet}`),
      [],
    )
  })
}

test('an app can call the API from the reference page with its id and secret', { skip }, async () => {
  const page = await referenceIn('light')
  await authentication(page).getByRole('button', { name: 'clientCredentials' }).click()
  await field(page, 'Client ID').fill(app.clientId)
  await field(page, 'Client Secret').fill(app.clientSecret)
  await authorize(page)
  const { status, body } = await callIdentity(page)
  assert.deepEqual([status, body.organisationId], [200, app.organisationId])
})

test('a reader with an access token can call the API from the reference page', { skip }, async () => {
  const { body: token } = await clientCredentials(url, app)
  const page = await referenceIn('dark')
  await authentication(page)
    .getByRole('button', { name: /Selected Auth Type/ })
    .click()
  await page.getByRole('option', { name: /accessToken/ }).click()
  await page.getByRole('option', { name: /oauth2/ }).click()
  await page.keyboard.press('Escape')
  await field(page, 'Bearer Token').fill(token.access_token)
  const { status, body } = await callIdentity(page)
  assert.deepEqual([status, body.organisationId], [200, app.organisationId])
})

test('a user can sign in from the reference page and call the API', { skip }, async () => {
  const { organisationId } = app
  const { email, userId } = await givenUser(database, { organisationId })
  const redirectUris = [`${url}/docs`]
  const { clientId, clientSecret } = await givenPeopleApp(database, { organisationId, redirectUris })
  const page = await openReference('light')
  await field(page, 'Client ID').fill(clientId)
  await field(page, 'Client Secret').fill(clientSecret)
  await authentication(page).getByRole('button', { name: 'Scopes', exact: true }).click()
  await authentication(page).getByRole('checkbox', { name: 'Select consignment scope' }).check()
  const popup = page.waitForEvent('popup')
  const token = page.waitForResponse(`${url}/connect/token`)
  await authentication(page).getByRole('button', { name: 'Authorize' }).click()
  const signIn = await popup
  signIn.setDefaultTimeout(120_000)
  await signIn.fill('#email', email)
  await signIn.fill('#password', password)
  await signIn.click('[value="sign-in"]')
  await signIn.click('[value="allow"]')
  assert.equal((await token).status(), 200)
  await field(page, 'Access Token').waitFor()
  const { status, body } = await callIdentity(page)
  assert.deepEqual([status, body.userId], [200, userId])
})

test('no request has left the service', { skip }, () => assert.deepEqual([...requestedOrigins], [url]))
