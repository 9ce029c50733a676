import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { request } from 'node:http'
import { test } from 'node:test'
import { createRemoteJWKSet, decodeProtectedHeader, jwtVerify } from 'jose'
import { recordConsent } from '../../src/oauth/consents.ts'
import { createGrant } from '../../src/oauth/grants.ts'
import { raw, sql } from '../../src/platform/database/db.ts'
import { createSecretBox } from '../../src/platform/secret-box.ts'
import {
  askToken,
  callApi,
  clientCredentials,
  givenApp,
  issuer,
  openProcess,
  read,
} from '../support/given-oauth.ts'
import { openTestDatabase } from '../support/harness.ts'
import { untilServed } from '../support/until-served.ts'

const { database } = await openTestDatabase()
const { url } = await openProcess(database)
const app = await givenApp(database)
const { organisationId } = app
const { clientId: client_id, clientSecret: client_secret } = app
// All secrets, codes and tokens that this file receives, and that must not be readable in the database.
const issued: string[] = [client_secret]

test('client credentials give a token for an hour with all scopes of the app', async () => {
  const { status, body, headers } = await clientCredentials(url, app)
  assert.equal(status, 200)
  assert.equal(body.token_type, 'Bearer')
  assert.equal(body.expires_in, 3600)
  assert.equal(body.refresh_token, undefined)
  assert.equal(headers.get('cache-control'), 'no-store')
  assert.ok(headers.get('x-request-id'))

  const keys = createRemoteJWKSet(new URL(`${url}/connect/jwks`))
  const { payload } = await jwtVerify(body.access_token, keys, {
    issuer,
    audience: 'urn:waybill:api',
    typ: 'at+jwt',
    algorithms: ['ES256'],
  })
  assert.equal(payload.organisation_id, organisationId)
  assert.equal(payload.client_id, client_id)
  assert.equal(payload.scope, 'consignment partner.read')
  assert.deepEqual([payload.partner_id, payload.partner_kind], [null, null])
  assert.equal((payload.exp as number) - (payload.iat as number), 3600)
})

test('the API returns the caller of a token', async () => {
  const { body } = await clientCredentials(url, app)
  const identity = await callApi(url, body.access_token)
  assert.equal(identity.status, 200)
  const { identityConnectionId, userId, ...names } = identity.body
  assert.deepEqual(names, {
    userFullName: 'Operator',
    organisationId,
    organisationName: 'Northwind',
    partnerId: null,
    partnerCode: null,
    partnerName: null,
  })
  const connection = await database.db.row<{ userId: string }>(
    sql`select user_id from identity_connection where id = ${identityConnectionId}`,
  )
  assert.equal(connection.userId, userId)
})

test('a token has the requested scopes and no others', async () => {
  const { body } = await clientCredentials(url, app, { scope: 'partner.read' })
  assert.equal(body.scope, 'partner.read')
  assert.equal((await callApi(url, body.access_token, '/v1/partners')).status, 200)
  assert.equal((await callApi(url, body.access_token, '/v1/users')).status, 403)
})

test('a plain scope includes its .read', async () => {
  const { status, body } = await clientCredentials(url, app, { scope: 'consignment.read' })
  assert.deepEqual([status, body.scope], [200, 'consignment.read'])
})

test('a scope that the app does not hold, or that does not exist, is invalid_scope', async () => {
  for (const scope of [
    'financial',
    'partner',
    'consignment nonsense',
    'openid',
    'consignment  partner.read',
    'con\u0000signment',
    'é',
  ]) {
    const { status, body } = await clientCredentials(url, app, { scope })
    assert.deepEqual([status, body.error], [400, 'invalid_scope'], scope)
  }
})

test('offline_access is accepted and changes nothing', async () => {
  assert.equal(
    (await clientCredentials(url, app, { scope: 'offline_access' })).body.scope,
    'consignment partner.read',
  )
  const { body } = await clientCredentials(url, app, { scope: 'offline_access partner.read' })
  assert.deepEqual([body.scope, body.refresh_token], ['partner.read', undefined])
})

test('the app can also authenticate by HTTP Basic', async () => {
  const authorization = `Basic ${Buffer.from(`${client_id}:${client_secret}`).toString('base64')}`
  assert.equal((await askToken(url, { grant_type: 'client_credentials' }, { authorization })).status, 200)
  const wrong = `Basic ${Buffer.from(`${client_id}:nonsense`).toString('base64')}`
  const refused = await askToken(url, { grant_type: 'client_credentials' }, { authorization: wrong })
  assert.deepEqual([refused.status, refused.body.error], [401, 'invalid_client'])
  assert.match(refused.headers.get('www-authenticate') ?? '', /^Basic/)
})

test('a wrong client id or a wrong or missing secret is invalid_client, and all look alike', async () => {
  const otherSecret = `${client_secret.slice(0, -1)}${client_secret.endsWith('_') ? '-' : '_'}`
  const answers = [
    await clientCredentials(url, { clientId: client_id, clientSecret: otherSecret }),
    await clientCredentials(url, {
      clientId: '3b8f24c2-6a43-4a39-9d6a-0c2b5a1c7d10',
      clientSecret: client_secret,
    }),
    await clientCredentials(url, { clientId: 'nobody', clientSecret: client_secret }),
    await askToken(url, { grant_type: 'client_credentials', client_id }),
    await askToken(url, { grant_type: 'client_credentials', client_id, client_secret: '' }),
    await clientCredentials(url, { clientId: '\u0000', clientSecret: '\u0000' }),
  ]
  for (const { status, body } of answers) {
    assert.equal(status, 401)
    assert.deepEqual(body, { error: 'invalid_client', error_description: 'client authentication failed' })
  }
})

test('an app whose secret was encrypted with another key is refused like an unknown app', async () => {
  const { customAppId, ...lost } = await givenApp(database, { organisationId })
  const sealed = createSecretBox(randomBytes(32)).seal(randomBytes(32))
  await database.atomically(tx =>
    tx.run(sql`update custom_app set secret_hash = ${sealed} where id = ${customAppId}`),
  )
  const { status, body } = await clientCredentials(url, lost)
  assert.deepEqual([status, body.error], [401, 'invalid_client'])
})

test('a grant type that the app is not allowed is unauthorized_client, one that does not exist unsupported_grant_type', async () => {
  const people = await givenApp(database, {
    organisationId,
    grantType: 1,
    redirectUris: ['https://app.example.com/back'],
  })
  const machine = await askToken(url, {
    grant_type: 'authorization_code',
    client_id,
    client_secret,
    code: 'x',
    redirect_uri: 'https://x.nz',
  })
  assert.deepEqual([machine.status, machine.body.error], [400, 'unauthorized_client'])
  assert.equal((await clientCredentials(url, people)).body.error, 'unauthorized_client')
  assert.equal(
    (await askToken(url, { grant_type: 'refresh_token', client_id, client_secret })).body.error,
    'unauthorized_client',
  )
  assert.equal(
    (await askToken(url, { grant_type: 'password', client_id, client_secret })).body.error,
    'unsupported_grant_type',
  )
  // A caller who does not know the secret learns nothing about the app.
  assert.equal(
    (await clientCredentials(url, { ...people, clientSecret: 'guess' })).body.error,
    'invalid_client',
  )
})

test('another resource than the API is invalid_target', async () => {
  assert.equal(
    (await clientCredentials(url, app, { resource: 'https://elsewhere.example.com' })).body.error,
    'invalid_target',
  )
  assert.equal((await clientCredentials(url, app, { resource: 'urn:waybill:api' })).status, 200)
})

test('a request from a web page, which has an Origin, is handled like any other', async () => {
  const form = { grant_type: 'client_credentials', client_id, client_secret }
  for (const origin of ['https://shop.example.com', 'null', issuer]) {
    const { status, body } = await askToken(url, form, { origin })
    assert.deepEqual([status, body.token_type], [200, 'Bearer'], origin)
    assert.equal(
      (await askToken(url, { ...form, client_secret: 'x' }, { origin })).body.error,
      'invalid_client',
    )
  }
  const revoked = await fetch(`${url}/connect/revoke`, {
    method: 'POST',
    headers: { origin: 'https://shop.example.com' },
    body: new URLSearchParams({ client_id, client_secret, token: 'made-up' }),
  })
  assert.equal(revoked.status, 200)
})

test('errors are JSON whatever the caller accepts', async () => {
  for (const accept of ['text/html', 'application/xml', '*/*']) {
    const { status, body } = await askToken(
      url,
      { grant_type: 'client_credentials', client_id, client_secret: 'x' },
      { accept },
    )
    assert.deepEqual([status, body.error], [401, 'invalid_client'])
  }
})

/** Posts bytes with headers that fetch would not send. */
function postBytes(
  headers: Record<string, string>,
  bytes: Buffer | string,
): Promise<{ status: number; body: { error: string } }> {
  return new Promise((resolve, reject) => {
    const call = request(`${url}/connect/token`, { method: 'POST', headers }, async response => {
      const chunks = await response.toArray()
      resolve({ status: response.statusCode ?? 0, body: JSON.parse(Buffer.concat(chunks).toString()) })
    })
    call.on('error', reject)
    call.end(bytes)
  })
}

test('a form without any client authentication is invalid_client, whatever else is in it', async () => {
  for (const form of [
    'grant_type=client_credentials',
    `client_secret=${client_secret}`,
    'grant_type=nonsense&client_id=',
    '',
    '%%%&=&&&=%E0%A4%A',
  ]) {
    const { status, body } = await askToken(url, form)
    assert.deepEqual([status, body.error], [401, 'invalid_client'], form)
  }
  const bytes = await postBytes(
    { 'content-type': 'application/x-www-form-urlencoded' },
    Buffer.from([0xff, 0x00, 0xfe]),
  )
  assert.deepEqual([bytes.status, bytes.body.error], [401, 'invalid_client'])
  const revoking = await fetch(`${url}/connect/revoke`, {
    method: 'POST',
    body: new URLSearchParams({ token: 'x' }),
  })
  assert.deepEqual(
    [revoking.status, ((await revoking.json()) as { error: string }).error],
    [401, 'invalid_client'],
  )
})

test('malformed, oversized and wrongly typed bodies are refused as OAuth errors', async () => {
  const form = 'application/x-www-form-urlencoded'
  const good = new URLSearchParams({ grant_type: 'client_credentials', client_id, client_secret }).toString()
  const cases: [number, Record<string, string>, string | Buffer][] = [
    [400, { 'content-type': form }, `${good}&grant_type=client_credentials`],
    [400, { 'content-type': form }, `${good}&client_id=${client_id}`],
    [413, { 'content-type': form }, `${good}&more=${'x'.repeat(20_000)}`],
    [
      400,
      { 'content-type': 'application/json' },
      JSON.stringify({ grant_type: 'client_credentials', client_id, client_secret }),
    ],
    [400, { 'content-type': 'nonsense' }, good],
    [400, {}, good],
    [400, { 'content-type': form, authorization: 'Basic %%%' }, 'grant_type=client_credentials'],
    [400, { 'content-type': form, authorization: 'Bearer x' }, 'grant_type=client_credentials'],
  ]
  for (const [status, headers, bytes] of cases) {
    const answered = await postBytes(headers, bytes)
    assert.deepEqual(
      [answered.status, answered.body.error],
      [status, 'invalid_request'],
      `${JSON.stringify(headers)} ${bytes.slice(0, 60)}`,
    )
  }
  assert.equal((await postBytes({ 'content-type': `${form}; charset=nonsense` }, good)).status, 200)
  assert.equal((await postBytes({ 'content-type': form, 'transfer-encoding': 'chunked' }, good)).status, 200)
})

test('an authorisation code is exchanged for tokens once, and only by its app at its redirect URI', async () => {
  const { oauth, url: own } = await openProcess(database)
  const redirectUri = 'https://app.example.com/back'
  const people = await givenApp(database, { organisationId, grantType: 1, redirectUris: [redirectUri] })
  const { userId } = await database.db.row<{ userId: string }>(
    sql`select user_id from identity_connection where custom_app_id = ${people.customAppId}`,
  )

  // The sign-in pages do this once the user has allowed the app.
  const registered = { organisationId, customAppId: people.customAppId }
  await database.atomically(tx => recordConsent(tx, registered, userId, ['consignment']))
  async function code(): Promise<string> {
    const provider = oauth.provider()
    const grant = await createGrant(provider, people.clientId, userId, ['consignment'])
    const client = await provider.Client.find(people.clientId)
    assert.ok(client)
    const resource = 'urn:waybill:api'
    const grantId = grant.jti as string
    return new provider.AuthorizationCode({
      accountId: userId,
      acr: '0',
      client,
      grantId,
      gty: 'authorization_code',
      redirectUri,
      resource,
      scope: 'consignment',
    }).save()
  }
  const exchange = (change: Record<string, string>, at = own) =>
    askToken(at, {
      grant_type: 'authorization_code',
      client_id: people.clientId,
      client_secret: people.clientSecret,
      redirect_uri: redirectUri,
      ...change,
    })

  const mismatch = await exchange({ code: await code(), redirect_uri: `${redirectUri}/` })
  assert.deepEqual([mismatch.status, mismatch.body.error], [400, 'invalid_grant'])
  assert.equal((await exchange({ code: 'made-up' })).body.error, 'invalid_grant')

  const once = await code()
  const tokens = await exchange({ code: once })
  assert.equal(tokens.status, 200)
  assert.equal(tokens.body.expires_in, 3600)
  assert.equal((await callApi(own, tokens.body.access_token)).body.userId, userId)

  const refresh = (refresh_token: string) =>
    askToken(own, {
      grant_type: 'refresh_token',
      client_id: people.clientId,
      client_secret: people.clientSecret,
      refresh_token,
    })
  const refreshed = await refresh(tokens.body.refresh_token)
  issued.push(once, tokens.body.access_token, tokens.body.refresh_token, refreshed.body.refresh_token)
  assert.equal(refreshed.status, 200)
  assert.notEqual(refreshed.body.refresh_token, tokens.body.refresh_token)

  const second = await code()
  const exchanges = await Promise.all(
    Array.from({ length: 50 }, (_, i) =>
      untilServed(() => exchange({ code: second }, i % 2 === 0 ? own : url)),
    ),
  )
  const [won] = exchanges.filter(answer => answer.status === 200)
  assert.equal(exchanges.filter(answer => answer.status === 200).length, 1)
  assert.ok(exchanges.every(answer => answer.status === 200 || answer.body.error === 'invalid_grant'))
  // The code was stolen, so everything that was issued for it ends.
  assert.equal((await refresh(won?.body.refresh_token)).body.error, 'invalid_grant')
})

test('the metadata names every endpoint and its capabilities', async () => {
  const { body } = await read(url, '/.well-known/oauth-authorization-server')
  const methods = ['client_secret_post', 'client_secret_basic', 'none']
  const { scopes_supported, ...metadata } = body
  assert.deepEqual(metadata, {
    issuer,
    authorization_endpoint: `${issuer}/connect/authorize`,
    token_endpoint: `${issuer}/connect/token`,
    token_endpoint_auth_methods_supported: methods,
    revocation_endpoint: `${issuer}/connect/revoke`,
    revocation_endpoint_auth_methods_supported: methods,
    jwks_uri: `${issuer}/connect/jwks`,
    grant_types_supported: ['authorization_code', 'client_credentials', 'refresh_token'],
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
  })
  assert.equal(scopes_supported.length, 16)
})

test('the public keys contain nothing private', async () => {
  const { keys } = (await read(url, '/connect/jwks')).body
  assert.equal(keys.length, 1)
  assert.deepEqual(Object.keys(keys[0]).toSorted(), ['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y'])
  const { body } = await clientCredentials(url, app)
  assert.equal(decodeProtectedHeader(body.access_token).kid, keys[0].kid)
})

test('no issued secret, code or token can be read in the database', async () => {
  issued.push((await clientCredentials(url, app)).body.access_token)
  const tables = await database.db.rows<{ name: string }>(
    sql`select tablename as name from pg_tables where schemaname = 'public'`,
  )
  let dump = ''
  for (const { name } of tables) {
    const rows = await database.db.rows<{ text: string }>(
      sql`select row_to_json(t)::text as text from ${raw(`"${name}"`)} t`,
    )
    dump += rows.map(row => row.text).join('\n')
  }
  assert.ok(dump.includes(client_id))
  assert.equal(issued.length, 6)
  for (const secret of issued) {
    for (const form of [
      secret,
      Buffer.from(secret).toString('hex'),
      Buffer.from(secret, 'base64url').toString('hex'),
    ]) {
      assert.ok(!dump.includes(form))
    }
  }
  assert.ok(!dump.includes(createHash('sha256').update(client_secret).digest('hex')))
})
