// The API reference in a real browser: whoever reads it can call the API from it.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Page } from 'playwright-core'
import { hasChromium, launchChromium } from '../../support/chromium.ts'
import { clientCredentials, givenApp, openProcess } from '../../support/given-oauth.ts'
import { freeAddress, givenPeopleApp, givenUser, password } from '../../support/given-people.ts'
import { openTestDatabase } from '../../support/harness.ts'

const skip = hasChromium ? false : 'set CHROMIUM_PATH to the Chromium of this machine'
const { database } = await openTestDatabase()
const url = await freeAddress()
await openProcess(database, { authUrl: url })
const app = await givenApp(database)
const browser = hasChromium ? await launchChromium() : undefined
after(() => browser?.close())

/** The reference with the dialog that asks who calls. */
async function openDialog(): Promise<Page> {
  assert.ok(browser)
  const page = await (await browser.newContext()).newPage()
  await page.goto(`${url}/docs`)
  await page.click('.btn.authorize')
  return page
}

/** Presses the dialog's button below a field. */
const authorize = (page: Page, field: string) =>
  page
    .locator('.auth-container', { has: page.locator(field) })
    .locator('button.authorize')
    .click()

/** What GET /v1/identity answers, called by the page. */
async function tryIdentity(page: Page): Promise<{ status: number; body: Record<string, unknown> }> {
  await page.locator('.btn.auth.btn-done').first().click()
  await page.click('#operations-tag-identity')
  await page.click('#operations-identity-getIdentity .opblock-summary-control')
  await page.click('.try-out__btn')
  const answered = page.waitForResponse(`${url}/v1/identity`)
  await page.click('.btn.execute')
  const response = await answered
  return { status: response.status(), body: (await response.json()) as Record<string, unknown> }
}

test('an app calls the API from the reference page with its id and secret', { skip }, async () => {
  const page = await openDialog()
  await page.fill('#client_id_clientCredentials', app.clientId)
  await page.fill('#client_secret_clientCredentials', app.clientSecret)
  await authorize(page, '#client_id_clientCredentials')
  await page.waitForSelector('button[aria-label="Remove authorization"]')
  const { status, body } = await tryIdentity(page)
  assert.deepEqual([status, body.organisationId], [200, app.organisationId])
})

test('somebody with an access token calls the API from the reference page', { skip }, async () => {
  const { body: token } = await clientCredentials(url, app)
  const page = await openDialog()
  await page.fill('#auth-bearer-value', token.access_token)
  await authorize(page, '#auth-bearer-value')
  await page.waitForSelector('button[aria-label="Remove authorization"]')
  const { status, body } = await tryIdentity(page)
  assert.deepEqual([status, body.organisationId], [200, app.organisationId])
})

test('a person signs in from the reference page and calls the API', { skip }, async () => {
  const { organisationId } = app
  const { email, userId } = await givenUser(database, { organisationId })
  const redirectUris = [`${url}/docs/oauth2-redirect.html`]
  const { clientId, clientSecret } = await givenPeopleApp(database, { organisationId, redirectUris })
  const page = await openDialog()
  await page.fill('#client_id_authorizationCode', clientId)
  await page.fill('#client_secret_authorizationCode', clientSecret)
  await page.click('label[for="partner.read-authorizationCode-checkbox-oauth2"]')
  const opened = page.waitForEvent('popup')
  await authorize(page, '#client_id_authorizationCode')
  const signIn = await opened
  await signIn.fill('#email', email)
  await signIn.fill('#password', password)
  await signIn.click('[value="sign-in"]')
  await signIn.click('[value="allow"]')
  await page.waitForSelector('button[aria-label="Remove authorization"]')
  const { status, body } = await tryIdentity(page)
  assert.deepEqual([status, body.userId], [200, userId])
})
