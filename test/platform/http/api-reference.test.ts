// The API reference works without the internet: everything it loads comes from the service, and its policy
// allows nothing else.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import Fastify from 'fastify'
import { addApiReference } from '../../../src/platform/http/api-reference.ts'

let builds = 0
const app = Fastify()
addApiReference(app, () => ({ openapi: '3.1.0', builds: ++builds }))
after(() => app.close())

const page = (await app.inject('/docs')).body

test('the document is built once and served as JSON', async () => {
  for (let i = 0; i < 2; i++) {
    const { statusCode, headers, body } = await app.inject('/openapi.json')
    assert.deepEqual(
      [statusCode, headers['content-type'], JSON.parse(body)],
      [200, 'application/json; charset=utf-8', { openapi: '3.1.0', builds: 1 }],
    )
  }
})

test('the page loads only files of the service itself', async () => {
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

test('every file is compressed as the browser prefers, and is not sent again if unchanged', async () => {
  const files = ['', '/open.js', '/reference.css', '/reference.js'].map(file => `/docs${file}`)
  for (const url of [...files, '/openapi.json']) {
    const ask = (encoding: string, tag?: string) =>
      app.inject({
        url,
        headers: { 'accept-encoding': encoding, ...(tag === undefined ? {} : { 'if-none-match': tag }) },
      })
    const [brotli, zipped, plain] = [await ask('gzip, br'), await ask('gzip, br;q=0'), await ask('identity')]
    assert.deepEqual(
      [brotli, zipped, plain].map(({ headers }) => headers['content-encoding']),
      ['br', 'gzip', undefined],
    )
    const text = plain.rawPayload
    assert.ok(brotliDecompressSync(brotli.rawPayload).equals(text))
    assert.ok(gunzipSync(zipped.rawPayload).equals(text))
    const { statusCode, rawPayload } = await ask('br', `W/${brotli.headers.etag}`)
    assert.deepEqual([statusCode, rawPayload.length], [304, 0])
  }
})

test('the root, and the page with a trailing slash, redirect to the page', async () => {
  for (const url of ['/', '/docs/']) {
    for (const method of ['GET', 'HEAD'] as const) {
      const { statusCode, headers } = await app.inject({ method, url })
      assert.deepEqual([statusCode, headers.location], [302, '/docs'], `${method} ${url}`)
    }
  }
})

test('the policy allows nothing from other hosts, and no inline scripts', async () => {
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

test('everything that would contact other hosts is off: fonts, telemetry, the assistant, the hosted client', async () => {
  const [style, opener] = await Promise.all(
    ['/docs/reference.css', '/docs/open.js'].map(async path => (await app.inject(path)).body),
  )
  assert.doesNotMatch(style as string, /@import|url\(/)
  for (const line of [
    "url: '/openapi.json'",
    'withDefaultFonts: false',
    'telemetry: false',
    'agent: { disabled: true }',
    'mcp: { disabled: true }',
    'hideClientButton: true',
  ])
    assert.ok((opener as string).includes(line), line)
  assert.doesNotMatch(opener as string, /https?:/)
})
