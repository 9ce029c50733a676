// The portal is served beside the API: people get its page, everybody else what they got before.

import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { accessRules } from '../../src/access/access-rules.ts'
import { addApiReference } from '../../src/platform/http/api-reference.ts'
import { openServer } from '../../src/platform/http/server.ts'
import { createMetrics } from '../../src/platform/metrics.ts'
import { addPortal, portalHeaders, readPortal } from '../../src/portal/pages.ts'
import { openTestDatabase } from '../support/harness.ts'

const { database } = await openTestDatabase()
const folder = `${await mkdtemp(join(tmpdir(), 'waybill-portal-'))}/`
after(() => rm(folder, { recursive: true }))
const script = 'console.log(1)'.repeat(100)
await mkdir(`${folder}assets`)
await writeFile(
  `${folder}index.html`,
  '<!doctype html><script type="module" src="/assets/index-Ab1.js"></script>',
)
await writeFile(`${folder}pages.json`, JSON.stringify(['/', '/consignments', '/consignments/:id']))
await writeFile(`${folder}assets/index-Ab1.js`, script)
await writeFile(`${folder}assets/index-Ab1.js.br`, brotliCompressSync(script))
await writeFile(`${folder}assets/index-Ab1.js.gz`, gzipSync(script))

/** Opens a server with the portal in this folder. */
async function openWith(from: string, lines: string[] = []): Promise<FastifyInstance> {
  const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) })
  const app = openServer({
    ...{ endpoints: [], database, metrics: createMetrics(), log, formats: {} },
    access: accessRules,
    authenticate: () => assert.fail('nobody is asked'),
  })
  await addPortal(app, readPortal(from), log)
  addApiReference(app, () => ({}))
  after(() => app.close())
  return app
}

const app = await openWith(folder)
const html = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

test('people get the page at every address that it has, and it is not sent again while it is the same', async () => {
  for (const url of ['/', '/consignments', '/consignments/0197e1c6?Status=2']) {
    for (const method of ['GET', 'HEAD'] as const) {
      const { statusCode, headers } = await app.inject({ method, url, headers: html })
      assert.deepEqual([statusCode, headers['content-type']], [200, 'text/html; charset=utf-8'], url)
      assert.equal(headers['cache-control'], 'no-cache')
      const again = { ...html, 'if-none-match': String(headers.etag) }
      assert.equal((await app.inject({ method, url, headers: again })).statusCode, 304)
    }
  }
})

test('elsewhere people get the same page with 404, even if they know it', async () => {
  const known = { ...html, 'if-none-match': '*' }
  for (const url of ['/consignments/1/2', '/nowhere', '/Consignments']) {
    const { statusCode, headers } = await app.inject({ url, headers: known })
    assert.deepEqual([statusCode, headers['content-type']], [404, 'text/html; charset=utf-8'], url)
  }
})

test('callers of the API get what they got before', async () => {
  const root = await app.inject('/')
  assert.deepEqual([root.statusCode, root.headers.location], [302, '/docs'])
  for (const [method, url, headers] of [
    ['GET', '/consignments', {}],
    ['GET', '/nowhere', { accept: 'application/json' }],
    ['POST', '/consignments', html],
    ['GET', '/v1/nothing', html],
    ['GET', '/connect/nothing', html],
    ['GET', '/.well-known/nothing', html],
    ['GET', '/assets/nothing.js', html],
  ] as const) {
    const response = await app.inject({ method, url, headers })
    assert.deepEqual([response.statusCode, response.json().ErrorType], [404, 'Not Found'], `${method} ${url}`)
  }
  assert.equal((await app.inject({ url: '/docs', headers: html })).statusCode, 200)
})

test('scripts come compressed as the browser prefers, and are kept for ever', async () => {
  for (const [encoding, expected] of [
    ['gzip, br', 'br'],
    ['gzip', 'gzip'],
    ['identity', undefined],
  ] as const) {
    const { statusCode, headers } = await app.inject({
      url: '/assets/index-Ab1.js',
      headers: { 'accept-encoding': encoding },
    })
    assert.deepEqual([statusCode, headers['content-encoding']], [200, expected])
    assert.equal(headers['cache-control'], 'public, max-age=31536000, immutable')
  }
})

test('the policy stands on pages and scripts alike, because a worker has that of its own file', async () => {
  for (const url of ['/', '/nowhere', '/assets/index-Ab1.js']) {
    const { headers } = await app.inject({ url, headers: html })
    for (const [name, value] of Object.entries(portalHeaders)) assert.equal(headers[name], value, url)
  }
  const policy = portalHeaders['content-security-policy']
  assert.match(policy ?? '', /default-src 'none'.*require-trusted-types-for 'script'; trusted-types 'none'$/)
  assert.doesNotMatch(policy ?? '', /unsafe|https?:|\*/)
})

test('without a build, one line in the log and the page at / say how to make it', async () => {
  const lines: string[] = []
  const bare = await openWith(`${folder}nothing/`, lines)
  const { body } = await bare.inject({ url: '/', headers: html })
  assert.match(body, /npm run build -w portal/)
  assert.equal(lines.length, 1)
  assert.match(lines[0] ?? '', /npm run build -w portal/)
  assert.equal((await bare.inject('/')).headers.location, '/docs')
})
