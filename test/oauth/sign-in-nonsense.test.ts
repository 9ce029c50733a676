// Whatever is sent to the pages, the response is a page or a redirect to the app, never an error of the
// service.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openProcess } from '../support/given-oauth.ts'
import {
  authorizeQuery,
  freeAddress,
  givenPeopleApp,
  openBrowser,
  redirectUri,
} from '../support/given-people.ts'
import { openTestDatabase } from '../support/harness.ts'
import fc from '../support/properties.ts'

const { database } = await openTestDatabase()
const url = await freeAddress()
await openProcess(database, { authUrl: url })
const app = await givenPeopleApp(database)

const nasty = [
  '',
  ' ',
  '\u0000',
  '%00',
  '\ud800',
  '"><script>alert(1)</script>',
  '[]',
  '{',
  'x'.repeat(3_000),
  '-1',
  'null',
  '../../..',
  'é\r\nset-cookie: a=b',
]
const names = [
  'response_type',
  'client_id',
  'redirect_uri',
  'scope',
  'state',
  'code_challenge',
  'code_challenge_method',
  'resource',
  'prompt',
  'login_hint',
]
const good = [
  'code',
  app.clientId,
  redirectUri,
  'consignment',
  'S256',
  'urn:waybill:api',
  'none',
  'login',
  'consent',
  'offline_access',
  'request',
  'claims',
]
const word = fc.oneof(fc.constantFrom(...nasty, ...good), fc.string({ unit: 'binary', maxLength: 40 }))
const pair = fc.tuple(
  fc.oneof(fc.constantFrom(...names, 'request', 'request_uri', 'nonce', '__proto__', ''), word),
  word,
)

test('any query of the authorisation endpoint', async () => {
  const base = [...new URLSearchParams(authorizeQuery(app))]
  await fc.assert(
    fc.asyncProperty(
      fc.array(pair, { maxLength: 4 }),
      fc.subarray(base, { minLength: 2 }),
      async (more, kept) => {
        const query = new URLSearchParams(
          [...kept, ...more].map(([name = '', value = '']): [string, string] => [name, value]),
        )
        const response = await fetch(`${url}/connect/authorize?${query}`, { redirect: 'manual' })
        assert.ok(
          response.status === 303 || response.status === 400 || response.status === 431,
          `${response.status} ${query}`,
        )
        if (response.status === 400) {
          const page = await response.text()
          assert.match(page, /^<!doctype html>/)
          assert.doesNotMatch(page, /<script/)
        } else if (response.status === 303) {
          const location = response.headers.get('location') ?? ''
          assert.ok(
            location.startsWith('/connect/sign-in/') || location.startsWith('https://shop.example.com/back'),
            location,
          )
        }
      },
    ),
    { numRuns: 400 },
  )
})

test('any form of the sign-in page', async () => {
  const browser = openBrowser(url)
  const page = await browser.open(`/connect/authorize?${authorizeQuery(app)}`)
  const cookie = [...browser.cookies].map(([key, { value }]) => `${key.split(' ')[0]}=${value}`).join('; ')
  const token = /name="form_token" value="([^"]+)"/.exec(page.html)?.[1] ?? ''
  const field = fc.tuple(fc.constantFrom('email', 'password', 'form_token', 'x'), word)
  await fc.assert(
    fc.asyncProperty(fc.array(field, { maxLength: 5 }), fc.boolean(), async (fields, isOurs) => {
      const ours: [string, string][] = isOurs ? [['form_token', token]] : []
      const body = new URLSearchParams([...ours, ...fields])
      const response = await fetch(page.url, {
        method: 'POST',
        body,
        headers: { cookie },
        redirect: 'manual',
      })
      assert.ok([400, 429].includes(response.status), `${response.status} ${body}`)
      assert.match(await response.text(), /^<!doctype html>/)
    }),
    { numRuns: 150 },
  )
  const nul = await browser.submit(page, 'sign-in', { email: 'a\u0000@example.com', password: 'a\u0000' })
  assert.match(nul.html, /Enter your email address/)
  for (const [type, body] of [
    ['text/plain', 'x'],
    ['application/json', '{'],
    ['multipart/form-data', 'x'],
    ['', ''],
  ]) {
    const headers = type === '' ? {} : { 'content-type': type as string }
    const response = await fetch(`${url}/connect/sign-in/x`, {
      method: 'POST',
      body: body as string,
      headers,
    })
    assert.equal(response.status, 400)
  }
  const large = await fetch(`${url}/connect/sign-in/x`, {
    method: 'POST',
    body: new URLSearchParams({ x: 'x'.repeat(20_000) }),
  })
  assert.equal(large.status, 400)
})
