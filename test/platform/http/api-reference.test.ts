// The API reference works without the internet: everything it loads comes from the service, and its policy
// allows nothing else.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import Fastify from 'fastify'
import { addApiReference } from '../../../src/platform/http/api-reference.ts'

let made = 0
const app = Fastify()
addApiReference(app, () => ({ openapi: '3.1.0', made: ++made }))
after(() => app.close())

const page = (await app.inject('/docs')).body

test('the document is made once and served as JSON', async () => {
  for (let i = 0; i < 2; i++) {
    const { statusCode, headers, body } = await app.inject('/openapi.json')
    assert.deepEqual(
      [statusCode, headers['content-type'], JSON.parse(body)],
      [200, 'application/json; charset=utf-8', { openapi: '3.1.0', made: 1 }],
    )
  }
})

test('the page loads only what the service itself answers', async () => {
  const links = [...page.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, link]) => link as string)
  assert.ok(links.length >= 4)
  for (const link of links) {
    if (link === 'data:,') continue
    assert.match(link, /^\/(docs\/[\w.-]+|openapi\.json)$/)
    const { statusCode, body, headers } = await app.inject(link)
    assert.equal(statusCode, 200, link)
    assert.ok(body.length > 20)
    assert.match(
      String(headers['content-type']),
      /^(text\/(javascript|css)|application\/json); charset=utf-8$/,
    )
  }
  assert.doesNotMatch(page, /https?:|\/\/[a-z]|<script>|style=|\son\w+=/)
})

test('a sign-in returns to a page of the service', async () => {
  const opener = (await app.inject('/docs/open.js')).body
  assert.match(opener, /oauth2RedirectUrl: location\.origin \+ '\/docs\/oauth2-redirect\.html'/)
  const { statusCode, headers, body } = await app.inject('/docs/oauth2-redirect.html')
  assert.deepEqual([statusCode, headers['content-type']], [200, 'text/html; charset=utf-8'])
  assert.match(body, /<script src="oauth2-redirect\.js"><\/script>/)
  assert.equal((await app.inject('/docs/oauth2-redirect.js')).statusCode, 200)
})

test('the address itself, and the page with a slash too many, lead to the page', async () => {
  for (const url of ['/', '/docs/']) {
    for (const method of ['GET', 'HEAD'] as const) {
      const { statusCode, headers } = await app.inject({ method, url })
      assert.deepEqual([statusCode, headers.location], [302, '/docs'], `${method} ${url}`)
    }
  }
})

test('the policy allows nothing from elsewhere, and no script inside the page', async () => {
  const policy = String((await app.inject('/docs')).headers['content-security-policy'])
  const rules = new Map(
    policy
      .split(';')
      .map(rule => rule.trim().split(' ') as [string, ...string[]])
      .map(([name, ...sources]) => [name, sources]),
  )
  assert.deepEqual(rules.get('default-src'), ["'none'"])
  assert.deepEqual(rules.get('script-src'), ["'self'"])
  assert.deepEqual(rules.get('connect-src'), ["'self'"])
  assert.deepEqual(rules.get('frame-ancestors'), ["'none'"])
  for (const [name, sources] of rules)
    for (const source of sources) assert.match(source, /^'(none|self|unsafe-inline)'$|^data:$/, name)
  assert.deepEqual(
    [...rules].filter(([, sources]) => sources.includes("'unsafe-inline'")).map(([name]) => name),
    ['style-src'],
  )
})

test('nothing in the style sheet is fetched from elsewhere, and the page opens our document without a validator', async () => {
  const [style, opener] = await Promise.all(
    ['/docs/swagger-ui.css', '/docs/open.js'].map(async path => (await app.inject(path)).body),
  )
  assert.doesNotMatch(style as string, /@import|url\(\s*["']?(https?:)?\/\//)
  assert.match(opener as string, /url: '\/openapi\.json'/)
  assert.match(opener as string, /validatorUrl: null/)
})
