// Requests with large bodies, sent to a running service, which handles them in a separate thread: the
// responses are exactly those of a server without the thread, and a stop waits for these requests.

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { pino } from 'pino'
import { scopes } from '../../src/access/scopes.ts'
import { createCustomApp } from '../../src/custom-apps/create-app.ts'
import { sql } from '../../src/platform/database/db.ts'
import { createSecretBox } from '../../src/platform/secret-box.ts'
import { readConfig } from '../../src/process/config.ts'
import { type Service, startService } from '../../src/process/service.ts'
import { request } from '../support/given-imports.ts'
import { clientCredentials } from '../support/given-oauth.ts'
import { openWorld } from '../support/harness.ts'
import { temporaryDataDir } from '../support/processes.ts'
import { until } from '../support/service-process.ts'
import { atEnd } from '../support/test-database.ts'

const world = await openWorld()
const { database, admin } = world
const dataDir = await temporaryDataDir()
const key = randomBytes(32)
// The service checks its key with a secret of the database.
const sealed = createSecretBox(key).seal(randomBytes(48))
await database.atomically(tx => tx.run(sql`update custom_app set secret_hash = ${sealed}`))

/** Starts a service on the world's database, and returns how to send requests to it. */
async function open(roles: { api: boolean; worker: boolean }): Promise<{
  service: Service
  send(method: string, path: string, body: unknown, headers?: Record<string, string>): Promise<Response>
}> {
  const settings = { DATABASE_URL: world.databaseUrl, DATA_DIR: dataDir, HOST: '127.0.0.1', PORT: '0' }
  // The services of one database have one issuer.
  const issuer = { AUTH_URL: 'http://localhost:8080' }
  const secrets = { ENCRYPTION_KEY: key.toString('base64') }
  const config = readConfig({ ...settings, ...issuer, ...secrets, RATE_LIMITS: 'off' })
  const service = await startService({ ...config, roles }, pino({ level: process.env.LOG_LEVEL ?? 'silent' }))
  atEnd(() => service.stop())
  const { organisationId } = admin.actor
  const grant = { organisationId, name: 'Shop', grantType: 2 as const, scopes: [...scopes] }
  const app = await database.atomically(tx => createCustomApp(tx, service.secretBox, grant))
  const { body } = await clientCredentials(service.baseUrl, app)
  return {
    service,
    send: (method, path, body_, headers = {}) =>
      fetch(`${service.baseUrl}${path}`, {
        method,
        body: JSON.stringify(body_),
        headers: {
          authorization: `Bearer ${body.access_token}`,
          'content-type': 'application/json',
          ...headers,
        },
      }),
  }
}

/** An attachment of 10 MiB, which is 14 MB of base64. */
const photographs = {
  fileName: 'photographs.txt',
  contentType: 'text/plain',
  content: Buffer.alloc(10 * 1_048_576, 'Photographs of the pallets. ').toString('base64'),
}
const withFile = (change: object) =>
  request({ notes: [{ note: 'Photographs', attachments: [{ ...photographs, ...change }] }] })

test('a large import gets exactly the same responses as without the thread', async () => {
  const { send } = await open({ api: true, worker: false })
  const path = '/v1/consignment-imports'
  const taken = await send('POST', path, { ...withFile({}), idempotencyKey: 'once' })
  assert.equal(taken.status, 202)
  assert.ok(process.getActiveResourcesInfo().includes('MessagePort'), 'no thread was asked')
  const { consignmentId } = (await taken.json()) as { consignmentId: string }
  const stored = await database.db.row<{ content: string; userId: string | null }>(sql`
    select request->'notes'->0->'attachments'->0->>'content' as content, user_id from consignment_import
    where organisation_id = ${admin.actor.organisationId} and id = ${consignmentId}`)
  assert.equal(stored.content, photographs.content)

  const faulty = [
    withFile({ content: `${photographs.content.slice(0, -1)}!` }),
    withFile({ contentType: 'image/png', fileName: '../pallets.png' }),
    { ...withFile({}), products: 'none', clientCode: 'x'.repeat(5_000) },
    { ...withFile({}), '\0': '\ud800' },
    [photographs],
    withFile({ content: 'A'.repeat(42_000_000) }),
  ]
  for (const body of faulty) {
    const [refused, expected] = await Promise.all([send('POST', path, body), admin.post(path, body)])
    const { RequestId, ErrorDetails, ...told } = (await refused.json()) as Record<string, unknown>
    assert.deepEqual([refused.status, told, ErrorDetails], [expected.status, expected.body, expected.details])
    assert.equal(RequestId, refused.headers.get('x-request-id'))
  }
  const again = await send('POST', path, { ...withFile({}), idempotencyKey: 'once' })
  assert.deepEqual([again.status, (await again.text()).includes(consignmentId)], [409, true])
})

test('If-Match works for large requests too, and the scope is checked before the body arrives', async () => {
  const { send } = await open({ api: true, worker: false })
  const { body: partner } = await admin.post('/v1/partners', { name: 'Kauri', code: 'KAU', relationship: 1 })
  const path = `/v1/partners/${partner.partnerId}/logo`
  const logo = { logo: { fileName: 'logo.png', contentType: 'image/png', content: photographs.content } }
  const late = await send('PUT', path, logo, { 'if-match': '"another"' })
  const expected = await admin.with({ 'if-match': '"another"' }).put(path, logo)
  const { ErrorType } = (await late.json()) as Record<string, unknown>
  assert.deepEqual([late.status, ErrorType], [expected.status, expected.body.ErrorType])
  const stranger = await fetch(`${new URL(late.url).origin}${path}`, {
    method: 'PUT',
    body: JSON.stringify(logo),
  })
  assert.equal(stranger.status, 401)
})

test('a large import becomes a consignment, and a stop waits for a running request', async () => {
  const { service, send } = await open({ api: true, worker: true })
  const path = '/v1/consignment-imports'
  const { consignmentId } = (await (await send('POST', path, withFile({}))).json()) as {
    consignmentId: string
  }
  await until(
    async () =>
      database.db.maybe(sql`select 1 from consignment_import
        where organisation_id = ${admin.actor.organisationId} and id = ${consignmentId} and status <> 1`),
    'The import was not processed.',
  )
  // A lock holds the request up until the stop has begun.
  const holder = await database.openConnection()
  await holder.query('begin; lock table consignment_import in exclusive mode')
  const late = send('POST', path, withFile({})).then(answer => answer.status)
  await until(
    async () => database.db.maybe(sql`select 1 from pg_locks where not granted and relation is not null`),
    'The import does not wait for the lock.',
  )
  const stopped = service.stop()
  await until(
    async () =>
      fetch(`${service.baseUrl}/health/live`).then(
        () => false,
        () => true,
      ),
    'It takes connections yet.',
  )
  await holder.query('commit')
  await holder.end()
  assert.equal(await late, 202)
  await stopped
})
