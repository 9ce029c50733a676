// Sign-in with a real browser, without scripts, by keyboard, in light and dark mode, and on a telephone.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { after, test } from 'node:test'
import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { hasChromium, launchChromium } from '../support/chromium.ts'
import { askToken, callApi, openProcess } from '../support/given-oauth.ts'
import { authorizeQuery, freeAddress, givenPeopleApp, givenUser, password } from '../support/given-people.ts'
import { openTestDatabase } from '../support/harness.ts'
import { atEnd } from '../support/test-database.ts'

const skip = hasChromium ? false : 'set CHROMIUM_PATH to the Chromium of this machine'
const { database } = await openTestDatabase()
const url = await freeAddress()
await openProcess(database, { authUrl: url })

// The app redirects from its redirect URI to another of its addresses, as many apps do.
const arrivals: URL[] = []
const shopAddress = await freeAddress()
const shop = createServer((request, response) => {
  const at = new URL(request.url ?? '/', shopAddress)
  if (at.pathname === '/back') {
    arrivals.push(at)
    response.writeHead(303, { location: `${shopAddress.replace('127.0.0.1', 'localhost')}/welcome` }).end()
  } else
    response
      .writeHead(200, { 'content-type': 'text/html' })
      .end('<!doctype html><title>Shop</title><h1>Welcome back</h1>')
})
shop.listen(Number(new URL(shopAddress).port))
after(() => shop.close())
const redirectUri = `${shopAddress}/back`

const app = await givenPeopleApp(database, { redirectUris: [redirectUri] })
const { organisationId } = app
const browser = hasChromium ? await launchChromium() : undefined
// The browser is closed before the service, which waits for the connections that it holds open.
atEnd(() => browser?.close())
const start = (change: Record<string, string> = {}) =>
  `${url}/connect/authorize?${authorizeQuery(app, { redirect_uri: redirectUri, ...change })}`

/** A separate browser. Messages on its console, such as refused styles, fail the test. */
async function visit(
  options: BrowserContextOptions = {},
): Promise<{ context: BrowserContext; page: Page; said: string[] }> {
  assert.ok(browser)
  const context = await browser.newContext({ javaScriptEnabled: false, ...options })
  const page = await context.newPage()
  page.setDefaultTimeout(120_000)
  const said: string[] = []
  page.on('console', message => {
    // The response to a wrong password has the status of an error.
    if (!message.text().includes('400 (Bad Request)')) said.push(message.text())
  })
  return { context, page, said }
}

/** Saves a screenshot in the folder SCREENSHOTS, if it is set. */
const picture = async (page: Page, name: string) => {
  if (process.env.SCREENSHOTS)
    await page.screenshot({ path: `${process.env.SCREENSHOTS}/${name}.png`, fullPage: true })
}

test('a person signs in and allows the app by keyboard alone, without scripts', { skip }, async () => {
  const { email, userId } = await givenUser(database, { organisationId, fullName: 'Ana Taylor' })
  const { context, page, said } = await visit()
  await page.goto(start())
  assert.equal(await page.title(), 'Sign in – Waybill')
  await picture(page, 'sign-in')
  await page.waitForSelector('#email:focus')
  await page.keyboard.type(email)
  await page.keyboard.press('Tab')
  await page.keyboard.type('wrong horse battery')
  await page.keyboard.press('Enter')
  await page.waitForSelector('[role=alert]')
  assert.equal(await page.title(), 'Error: Sign in – Waybill')
  assert.equal(await page.inputValue('#email'), email)
  assert.equal(await page.inputValue('#password'), '')
  await picture(page, 'sign-in-error')
  await page.waitForSelector('#password:focus')
  await page.keyboard.type(password)
  await page.keyboard.press('Enter')
  await page.waitForSelector('.scopes')
  await picture(page, 'consent')
  assert.match((await page.textContent('main')) ?? '', /You are signed in as Ana Taylor/)
  await page.keyboard.press('Tab')
  assert.equal(await page.textContent(':focus'), 'Allow')
  await page.keyboard.press('Enter')
  // Follows the redirect URI of the app to its destination.
  await page.waitForURL(`${shopAddress.replace('127.0.0.1', 'localhost')}/welcome`)
  const { code = '', state } = Object.fromEntries(arrivals.pop()?.searchParams ?? [])
  assert.equal(state, 's+/ä')
  const secrets = { client_id: app.clientId, client_secret: app.clientSecret }
  const { body } = await askToken(url, {
    grant_type: 'authorization_code',
    ...secrets,
    code,
    redirect_uri: redirectUri,
  })
  assert.equal((await callApi(url, body.access_token)).body.userId, userId)
  assert.deepEqual(said, [])

  const cookies = await context.cookies(url)
  assert.ok(cookies.every(cookie => cookie.httpOnly && cookie.sameSite === 'Lax'))
  assert.equal(
    cookies.find(cookie => cookie.name === 'waybill_session')?.expires,
    -1,
    'the cookie ends with the browser',
  )
  // With a session and consent no page is shown.
  await page.goto(start({ scope: 'consignment' }))
  assert.match(page.url(), /welcome$/)
  await context.close()
})

test('a person who does not allow the app returns to it with the reason', { skip }, async () => {
  const { email } = await givenUser(database, { organisationId })
  const { context, page } = await visit()
  await page.goto(start())
  await page.fill('#email', email)
  await page.fill('#password', password)
  await page.click('button.main')
  await page.waitForSelector('.scopes')
  await page.click('text="Do not allow"')
  await page.waitForURL(/welcome$/)
  assert.equal(arrivals.pop()?.searchParams.get('error'), 'access_denied')
  await page.goto(start({ prompt: 'login' }))
  await page.click('text="Cancel and return to Kauri Shop"')
  await page.waitForURL(/welcome$/)
  assert.equal(arrivals.pop()?.searchParams.get('error'), 'access_denied')
  await context.close()
})

test('going back after the end, and a page left open too long, say what to do', { skip }, async () => {
  const { email } = await givenUser(database, { organisationId })
  const { context, page } = await visit()
  await page.goto(start())
  const signIn = page.url()
  await page.fill('#email', email)
  await page.fill('#password', password)
  await page.keyboard.press('Enter')
  await page.waitForSelector('.scopes')
  await page.goto(signIn)
  assert.equal(await page.textContent('h1'), 'This sign-in is over')
  await picture(page, 'over')
  await page.goto(start({ redirect_uri: 'https://evil.example.com/' }))
  assert.equal(await page.textContent('h1'), 'This does not work')
  await picture(page, 'refused')
  await context.close()
})

test('a person withdraws what an app was allowed and signs out, by keyboard alone, without scripts', {
  skip,
}, async () => {
  const { email } = await givenUser(database, { organisationId, fullName: 'Ana Taylor' })
  const { context, page, said } = await visit()
  await page.goto(start())
  await page.fill('#email', email)
  await page.fill('#password', password)
  await page.keyboard.press('Enter')
  await page.waitForSelector('.scopes')
  await page.click('text="Allow"')
  await page.waitForURL(/welcome$/)
  arrivals.pop()
  await page.goto(`${url}/connect/apps`)
  assert.equal(await page.title(), 'Apps that you allow – Waybill')
  await picture(page, 'apps')
  await page.keyboard.press('Tab')
  assert.equal(await page.textContent(':focus'), 'Withdraw consent for Kauri Shop')
  await page.keyboard.press('Enter')
  await page.waitForSelector('[role=status]')
  assert.equal(await page.textContent('[role=status]'), 'Kauri Shop can no longer act for you.')
  await picture(page, 'withdrawn')
  // The app has to ask again.
  await page.goto(start())
  assert.match((await page.textContent('h1')) ?? '', /Allow Kauri Shop/)
  await page.goto(`${url}/connect/apps`)
  await page.click('text="Sign out of this browser"')
  await page.waitForURL(/sign-out/)
  await picture(page, 'sign-out')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  assert.equal(await page.textContent(':focus'), 'Sign out')
  await page.keyboard.press('Enter')
  await page.waitForSelector('text="You are signed out"')
  assert.deepEqual(
    (await context.cookies(url)).filter(({ name }) => name.startsWith('waybill_session')),
    [],
  )
  await page.goto(`${url}/connect/apps`)
  assert.equal(await page.textContent('h1'), 'Nobody is signed in')
  await page.goto(start())
  assert.equal(await page.textContent('h1'), 'Sign in')
  assert.deepEqual(said, [])
  await context.close()
})

/** The WCAG contrast of two CSS colours. */
function contrast(one: string, two: string): number {
  const luminance = (colour: string) => {
    const [red = 0, green = 0, blue = 0] = (colour.match(/[\d.]+/g) ?? []).map(Number).map(channel => {
      const value = channel / 255
      return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
    })
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
  }
  const [brighter = 0, darker = 0] = [luminance(one), luminance(two)].toSorted((a, b) => b - a)
  return (brighter + 0.05) / (darker + 0.05)
}

/** The facts that page-facts.js finds about a page. */
interface Facts {
  texts: { text: string; colour: string; ground: string }[]
  language: string
  mains: number
  headings: string
  unlabelled: number
  autocomplete: string[]
  ids: string[]
  described: string[]
  small: number
  beyond: number
}
const pageFacts = readFileSync(new URL('../support/page-facts.js', import.meta.url), 'utf8')

/** Checks what people need who use a screen reader or a keyboard, or have poor sight. */
async function checkAccess(page: Page): Promise<void> {
  const facts = await page.evaluate<Facts>(pageFacts)
  for (const { text, colour, ground } of facts.texts) {
    assert.ok(
      contrast(colour, ground) >= 4.5,
      `${text}: ${contrast(colour, ground).toFixed(2)} of ${colour} on ${ground}`,
    )
  }
  assert.ok(facts.texts.length >= 3)
  assert.equal(facts.language, 'en')
  assert.equal(facts.mains, 1)
  assert.match(facts.headings, /^H1( H2)*$/)
  assert.deepEqual([facts.unlabelled, facts.small, facts.beyond], [0, 0, 0])
  if (facts.autocomplete.length > 0) assert.deepEqual(facts.autocomplete, ['username', 'current-password'])
  assert.equal(new Set(facts.ids).size, facts.ids.length)
  for (const id of facts.described) assert.ok(facts.ids.includes(id), id)
}

for (const [name, options] of [
  ['in light', { colorScheme: 'light' }],
  ['in dark', { colorScheme: 'dark' }],
  ['on a telephone', { colorScheme: 'light', viewport: { width: 320, height: 640 } }],
] as [string, BrowserContextOptions][]) {
  test(`${name} the pages are accessible`, { skip }, async () => {
    const { email } = await givenUser(database, {
      organisationId,
      role: 'member',
      fullName: 'Wilhelmina Featherstonehaugh-Cholmondeley',
    })
    // Scripts are enabled for this test only; the page has none.
    const { context, page, said } = await visit({ ...options, javaScriptEnabled: true })
    await page.goto(start({ scope: 'consignment partner organisation' }))
    await checkAccess(page)
    await picture(page, `${name} sign-in`)
    await page.fill('#email', email)
    await page.fill('#password', 'wrong')
    await page.keyboard.press('Enter')
    await page.waitForSelector('[role=alert]')
    await checkAccess(page)
    await picture(page, `${name} sign-in-error`)
    await page.fill('#password', password)
    await page.keyboard.press('Enter')
    await page.waitForSelector('.scopes')
    await checkAccess(page)
    await picture(page, `${name} consent`)
    await page.click('text="Allow"')
    await page.waitForURL(/welcome$/)
    for (const own of ['apps', 'sign-out']) {
      await page.goto(`${url}/connect/${own}`)
      await checkAccess(page)
      await picture(page, `${name} ${own}`)
    }
    await page.goto(start({ redirect_uri: 'https://evil.example.com/' }))
    await checkAccess(page)
    assert.deepEqual(said, [])
    await context.close()
  })
}
