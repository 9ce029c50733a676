// A password change, or being disabled, between any two statements of a sign-in ends every sign-in that began
// before it.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodeJwt } from 'jose'
import { type Database, type Sql, sql } from '../../src/platform/database/db.ts'
import { askToken, clientCredentials, givenApp, openProcess, putApi } from '../support/given-oauth.ts'
import {
  authorizeQuery,
  type Browser,
  freeAddress,
  givenPeopleApp,
  givenUser,
  openBrowser,
  type Page,
  password,
  redirectUri,
} from '../support/given-people.ts'
import { openTestDatabase } from '../support/harness.ts'

const { database: real } = await openTestDatabase()

/**
 * An interruption before a statement. `left` counts the statements until then, starting when the process has
 * read a password hash.
 */
let interruption: { left: number; hasRead: boolean; interrupt: () => Promise<void> } | undefined

async function interruptible<T>(work: () => Promise<T>, query?: Sql): Promise<T> {
  if (interruption?.hasRead && interruption.left-- === 0) await interruption.interrupt()
  const result = await work()
  if (interruption !== undefined && query?.text.includes('password_hash')) interruption.hasRead = true
  return result
}

const database: Database = {
  ...real,
  db: {
    rows: query => interruptible(() => real.db.rows(query)),
    maybe: query => interruptible(() => real.db.maybe(query), query),
    row: query => interruptible(() => real.db.row(query), query),
  },
  atomically: work => interruptible(() => real.atomically(work)),
  inOneStatement: work => interruptible(() => real.inOneStatement(work)),
}

const url = await freeAddress()
await openProcess(database, { authUrl: url })
const { url: other } = await openProcess(real, { authUrl: await freeAddress() })
const app = await givenPeopleApp(real)
const { organisationId } = app
const secrets = { client_id: app.clientId, client_secret: app.clientSecret }
const manager = await givenApp(real, { organisationId, scopes: ['organisation'] })
const managerToken = (await clientCredentials(other, manager)).body.access_token as string

const redeem = (code: string) =>
  askToken(url, { grant_type: 'authorization_code', ...secrets, code, redirect_uri: redirectUri })
const refresh = (refresh_token: string) =>
  askToken(url, { grant_type: 'refresh_token', ...secrets, refresh_token })

/** A user, and the changes that end the user's sign-ins. */
async function givenPerson() {
  const { email, userId } = await givenUser(real, { organisationId })
  const person = { email, password }
  async function change(path: string, body: object): Promise<void> {
    assert.equal((await putApi(other, managerToken, `/v1/users/${userId}${path}`, body)).status, 200)
  }
  return {
    person,
    'a new password': async () => {
      const next = `${password} ${crypto.randomUUID()}`
      await change('/password', { password: next })
      person.password = next
    },
    'being disabled, if only for a moment,': async () => {
      await change('', { isDisabled: true })
      await change('', { isDisabled: false })
    },
  }
}

type Credentials = { email: string; password: string }

const open = (browser: Browser, prompt?: string) =>
  browser.open(`/connect/authorize?${authorizeQuery(app, { prompt })}`)

/** Continues from the sign-in page as far as the password allows. */
async function continueSignIn(browser: Browser, page: Page, person: Credentials): Promise<Page> {
  const next = page.html.includes('value="sign-in"')
    ? await browser.submit(page, 'sign-in', { ...person })
    : page
  return next.html.includes('value="allow"') ? browser.submit(next, 'allow') : next
}

const signIn = async (browser: Browser, person: Credentials, prompt?: string) =>
  continueSignIn(browser, await open(browser, prompt), person)

function codeOf({ status, url, html }: Page): string | undefined {
  assert.ok(status < 500, html)
  return status === 303 ? (new URL(url).searchParams.get('code') ?? undefined) : undefined
}

/**
 * Runs `what` once for each of its statements, with the interruption before that statement. Returns the
 * number of statements.
 */
async function atEveryStatement(
  interrupt: () => Promise<void>,
  hasRead: boolean,
  what: (watch: () => void) => Promise<() => Promise<void>>,
) {
  for (let statement = 0; ; statement++) {
    assert.ok(statement < 100)
    await real.atomically(tx => tx.run(sql`delete from sign_in_failure`))
    const watching = { left: statement, hasRead, interrupt }
    const check = await what(() => {
      interruption = watching
    })
    interruption = undefined
    if (watching.left >= 0) return statement
    await check().catch(error => {
      throw new Error(`The interruption came before statement ${statement}.`, { cause: error })
    })
  }
}

/** Neither the code nor the session of the browser is valid. */
async function assertEnded(browser: Browser, code: string | undefined): Promise<void> {
  if (code !== undefined) assert.equal((await redeem(code)).body.error, 'invalid_grant')
  assert.match((await open(browser)).html, /<h1>Sign in/)
}

for (const ending of ['a new password', 'being disabled, if only for a moment,'] as const) {
  test(`${ending} ends a sign-in that has begun, however far it is`, async () => {
    const { person, [ending]: end } = await givenPerson()
    const statements = await atEveryStatement(end, false, async watch => {
      const browser = openBrowser(url)
      watch()
      const code = codeOf(await signIn(browser, { ...person }, 'login consent'))
      return () => assertEnded(browser, code)
    })
    assert.ok(statements > 15, String(statements))
  })

  test(`${ending} ends the session of a browser that is on its way to an app`, async () => {
    const { person, [ending]: end } = await givenPerson()
    const statements = await atEveryStatement(end, true, async watch => {
      const browser = openBrowser(url)
      assert.ok(codeOf(await signIn(browser, person)))
      watch()
      const code = codeOf(await open(browser))
      return () => assertEnded(browser, code)
    })
    assert.ok(statements > 3, String(statements))
  })

  test(`where ${ending} has ended a sign-in, whoever is asked to sign in again can, as themselves`, async () => {
    const { person, [ending]: end } = await givenPerson()
    const next = await givenUser(real, { organisationId })
    let asked = 0
    await atEveryStatement(end, false, async watch => {
      const browser = openBrowser(url)
      watch()
      const page = await signIn(browser, { ...person }, 'login consent')
      return async () => {
        if (!page.html.includes('value="sign-in"')) return
        asked++
        const code = codeOf(await continueSignIn(browser, page, { email: next.email, password }))
        const { body } = await redeem(code as string)
        assert.equal(decodeJwt(body.access_token).user_id, next.userId)
      }
    })
    assert.ok(asked > 1, String(asked))
  })
}

test('a person who is disabled while an app gets its tokens leaves it no refresh token', async () => {
  const { person, 'being disabled, if only for a moment,': end } = await givenPerson()
  const statements = await atEveryStatement(end, true, async watch => {
    const code = codeOf(await signIn(openBrowser(url), person)) as string
    watch()
    const { body } = await redeem(code)
    return async () => {
      if (body.refresh_token !== undefined)
        assert.equal((await refresh(body.refresh_token)).body.error, 'invalid_grant')
    }
  })
  assert.ok(statements > 3, String(statements))
})

test('none of many sign-ins at the moment of a password change outlives it', async () => {
  for (let round = 0; round < 3; round++) {
    const { person, 'a new password': end } = await givenPerson()
    const before = { ...person }
    const browsers = Array.from({ length: 5 }, () => openBrowser(url))
    const [pages] = await Promise.all([Promise.all(browsers.map(browser => signIn(browser, before))), end()])
    for (const [i, page] of pages.entries()) await assertEnded(browsers[i] as Browser, codeOf(page))
  }
})

test('a person who signs in after a password change stays signed in, even in a browser that was signed in before', async () => {
  const { person, 'a new password': end } = await givenPerson()
  const browser = openBrowser(url)
  assert.ok(codeOf(await signIn(browser, person)))
  await end()
  assert.ok(codeOf(await signIn(browser, person)))
  const { body } = await redeem(codeOf(await open(browser)) as string)
  assert.equal((await refresh(body.refresh_token)).status, 200)
})

test('consent that is given in a sign-in that has ended has no effect', async () => {
  const { person, 'a new password': end } = await givenPerson()
  const browser = openBrowser(url)
  const leave = await browser.submit(await open(browser), 'sign-in', { ...person })
  assert.match(leave.html, /Allow Kauri Shop/)
  await end()
  const refused = await browser.submit(leave, 'allow')
  assert.equal(refused.status, 400)
  const elsewhere = openBrowser(url)
  const asked = await elsewhere.submit(await open(elsewhere), 'sign-in', { ...person })
  assert.match(asked.html, /Allow Kauri Shop/, 'no consent was stored')
})
