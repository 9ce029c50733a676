import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import type { Database } from '../../src/platform/database/db.ts'
import {
  askToken,
  callApi,
  clientCredentials,
  givenApp,
  type HttpResponse,
  openProcess,
} from '../support/given-oauth.ts'
import {
  authorizeQuery,
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
const connectionError = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
let isDown = false

/** Runs the work unless the database is down. */
async function unlessDown<T>(work: () => Promise<T>): Promise<T> {
  if (isDown) throw connectionError
  return work()
}

/** A database that can be taken down. */
const database: Database = {
  ...real,
  db: {
    rows: query => unlessDown(() => real.db.rows(query)),
    maybe: query => unlessDown(() => real.db.maybe(query)),
    row: query => unlessDown(() => real.db.row(query)),
  },
  atomically: work => unlessDown(() => real.atomically(work)),
  inOneStatement: work => unlessDown(() => real.inOneStatement(work)),
}

const { url } = await openProcess(database)
const known = await givenApp(real)
const unknown = await givenApp(real)
const people = await givenApp(real, { grantType: 1, redirectUris: ['https://app.example.com/back'] })

const refresh = () =>
  askToken(url, {
    grant_type: 'refresh_token',
    client_id: people.clientId,
    client_secret: people.clientSecret,
    refresh_token: 'made-up',
  })

function assertUnavailable({ status, body, headers }: HttpResponse): void {
  assert.deepEqual([status, body.error], [503, 'temporarily_unavailable'])
  assert.match(headers.get('retry-after') ?? '', /^\d+$/)
}

test('without a database known apps keep getting tokens, others are told to retry, and none is refused as unknown', async () => {
  const { access_token } = (await clientCredentials(url, known)).body
  assert.equal((await refresh()).body.error, 'invalid_grant')
  isDown = true
  assert.equal((await clientCredentials(url, known)).status, 200)
  assertUnavailable(await clientCredentials(url, unknown))
  assertUnavailable(await refresh())
  assert.equal((await callApi(url, access_token)).status, 503)
  isDown = false
  assert.equal((await clientCredentials(url, unknown)).status, 200)
  assert.equal((await refresh()).body.error, 'invalid_grant')
  assert.equal((await callApi(url, access_token)).status, 200)
})

test('without a database every step of a sign-in asks to retry, and later continues where it was', async () => {
  const at = await freeAddress()
  await openProcess(database, { authUrl: at })
  const app = await givenPeopleApp(real)
  const { email } = await givenUser(real, { organisationId: app.organisationId })
  const query = `/connect/authorize?${authorizeQuery(app)}`
  const browser = openBrowser(at)

  /** Runs a step without a database, then with one. */
  async function withOutage(step: () => Promise<Page>): Promise<Page> {
    isDown = true
    const { status, html, headers } = await step()
    isDown = false
    assert.equal(status, 503)
    assert.match(html, /Please try again in a moment/)
    assert.match(headers.get('retry-after') ?? '', /^\d+$/)
    assert.match(headers.get('content-type') ?? '', /^text\/html/)
    assert.match(headers.get('content-security-policy') ?? '', /default-src 'none'/)
    return step()
  }

  const signIn = await withOutage(() => browser.open(query))
  const consent = await withOutage(() => browser.submit(signIn, 'sign-in', { email, password }))
  assert.match(consent.html, /Allow Kauri Shop/)
  const back = await withOutage(() => browser.submit(consent, 'allow'))
  assert.ok(new URL(back.url).searchParams.get('code'))
  const again = await withOutage(() => browser.open(query))
  assert.equal(again.status, 303)
  isDown = true
  const revoked = await fetch(`${at}/connect/revoke`, {
    method: 'POST',
    body: new URLSearchParams({ client_id: app.clientId, client_secret: app.clientSecret, token: 'made-up' }),
  })
  isDown = false
  assertUnavailable({ status: revoked.status, body: await revoked.json(), headers: revoked.headers })
})

const failures = {
  'is down': connectionError,
  'finds no end of a deadlock': stateOf('40P01'),
  'waits too long for a lock': stateOf('55P03'),
  'takes too long': stateOf('57014'),
}

function stateOf(code: string): Error {
  return Object.assign(new pg.DatabaseError('it failed', 0, 'error'), { code })
}

for (const [what, failure] of Object.entries(failures)) {
  test(`a database that ${what} at any single statement of a sign-in never makes an error of the service`, () =>
    checkOutages(failure))
}

/**
 * Signs in, gives consent, and gets, refreshes and revokes tokens. In each round the database fails from
 * another statement on.
 */
async function checkOutages(failure: Error): Promise<void> {
  const at = await freeAddress()
  let left = Number.POSITIVE_INFINITY
  async function counting<T>(work: () => Promise<T>): Promise<T> {
    if (left-- <= 0) throw failure
    return work()
  }
  const failing: Database = {
    ...real,
    db: {
      rows: query => counting(() => real.db.rows(query)),
      maybe: query => counting(() => real.db.maybe(query)),
      row: query => counting(() => real.db.row(query)),
    },
    atomically: work => counting(() => real.atomically(work)),
    inOneStatement: work => counting(() => real.inOneStatement(work)),
  }
  await openProcess(failing, { authUrl: at })
  const app = await givenPeopleApp(real)
  const { email } = await givenUser(real, { organisationId: app.organisationId })
  const secrets = { client_id: app.clientId, client_secret: app.clientSecret }
  for (let statements = 0; ; statements++) {
    assert.ok(statements < 100)
    const browser = openBrowser(at)
    left = statements
    let page = await browser.open(`/connect/authorize?${authorizeQuery(app, { prompt: 'login consent' })}`)
    if (page.status === 200) page = await browser.submit(page, 'sign-in', { email, password })
    if (page.status === 200) page = await browser.submit(page, 'allow')
    const responses: { status: number; headers: Headers }[] = [page]
    const code = page.status === 303 && new URL(page.url).searchParams.get('code')
    if (code) {
      const got = await askToken(at, {
        grant_type: 'authorization_code',
        ...secrets,
        code,
        redirect_uri: redirectUri,
      })
      responses.push(got)
      if (got.status === 200) {
        const { refresh_token } = got.body
        responses.push(await askToken(at, { grant_type: 'refresh_token', ...secrets, refresh_token }))
        const body = new URLSearchParams({ ...secrets, token: refresh_token })
        responses.push(await fetch(`${at}/connect/revoke`, { method: 'POST', body }))
      }
    }
    const isOver = left >= 0 && responses.length === 4
    left = Number.POSITIVE_INFINITY
    if (isOver) {
      assert.ok(statements > 25, String(statements))
      break
    }
    const { status, headers } = responses.at(-1) as (typeof responses)[0]
    assert.equal(status, 503, `${statements}: ${page.html}`)
    assert.match(headers.get('retry-after') ?? '', /^\d+$/)
  }
}
