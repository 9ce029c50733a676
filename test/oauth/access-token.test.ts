import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { test } from 'node:test'
import { exportSPKI, importJWK, type JWTPayload, SignJWT } from 'jose'
import type { Actor } from '../../src/access/actor.ts'
import { audience } from '../../src/oauth/access-token.ts'
import { sql } from '../../src/platform/database/db.ts'
import { Refusal } from '../../src/platform/http/refusal.ts'
import { clientCredentials, givenApp, issuer, openProcess, secretBox } from '../support/given-oauth.ts'
import { openTestDatabase } from '../support/harness.ts'

const { database } = await openTestDatabase()
const { oauth, url } = await openProcess(database)
const app = await givenApp(database)
const token = (await clientCredentials(url, app)).body.access_token as string
const [header = '', payload = '', signature = ''] = token.split('.')

const decoded = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString())
const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
const claims = decoded(payload) as JWTPayload

const row = await database.db.row<{ kid: string; privateJwk: Buffer }>(
  sql`select kid, private_jwk from signing_key`,
)
const jwk = JSON.parse(secretBox.open(row.privateJwk).toString())
const ours = await importJWK(jwk, 'ES256')

/** A token signed with our own key, with some claims or header fields changed. */
const forged = (change: Record<string, unknown>, headerChange: object = {}) =>
  new SignJWT({ ...claims, ...change })
    .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid: row.kid, ...headerChange })
    .sign(ours)

async function refusal(authorization: string | undefined): Promise<Refusal> {
  try {
    await oauth.authenticate(authorization)
  } catch (error) {
    assert.ok(error instanceof Refusal)
    return error
  }
  throw new Error(`It was let in: ${authorization}`)
}

test('a token identifies its caller, and a known token does so without a promise', async () => {
  const actor = await oauth.authenticate(`Bearer ${token}`)
  assert.deepEqual(actor, {
    organisationId: app.organisationId,
    connectionId: claims.connection_id,
    userId: claims.user_id,
    partnerId: null,
    partnerKind: null,
    clientId: app.clientId,
    scopes: new Set(['consignment', 'partner.read']),
  })
  assert.equal(oauth.authenticate(`Bearer ${token}`), actor)
  assert.deepEqual(await oauth.authenticate(`bearer ${token}`), actor)
})

test('an unchanged token signed by our key is accepted, so that each forgery below fails for its own reason', async () => {
  assert.equal(((await oauth.authenticate(`Bearer ${await forged({})}`)) as Actor).clientId, app.clientId)
})

/** The message with which a header is refused. */
const missing = 'The access token is missing: the request needs the header Authorization: Bearer <token>.'
function saying(name: string): string {
  if (['no header', 'an empty header', 'another scheme', 'no token'].includes(name)) return missing
  return `The access token ${name === 'expired' ? 'has expired' : 'is not valid'}.`
}

test('missing, expired and malformed tokens are told apart by one sentence each, without further details', async () => {
  const now = Math.floor(Date.now() / 1000)
  const stranger = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
  const publicKey = await importJWK({ kty: jwk.kty, crv: jwk.crv, x: jwk.x, y: jwk.y }, 'ES256', {
    extractable: true,
  })
  assert.ok(!(publicKey instanceof Uint8Array))
  const publicPem = Buffer.from(await exportSPKI(publicKey))
  const signed = (key: Parameters<SignJWT['sign']>[0], head: object) =>
    new SignJWT(claims).setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid: row.kid, ...head }).sign(key)

  const forgeries: Record<string, string | undefined> = {
    'no header': undefined,
    'an empty header': '',
    'another scheme': `Basic ${token}`,
    'no token': 'Bearer ',
    'two tokens': `Bearer ${token} ${token}`,
    garbage: 'Bearer a.b.c',
    'not a JWT': 'Bearer opaque',
    'four parts': `Bearer ${token}.x`,
    'alg none': `Bearer ${encoded({ ...decoded(header), alg: 'none' })}.${payload}.`,
    'alg none with a signature': `Bearer ${encoded({ ...decoded(header), alg: 'none' })}.${payload}.${signature}`,
    'HS256 with the public key': `Bearer ${await signed(publicPem, { alg: 'HS256' })}`,
    'HS256 with the public JWK': `Bearer ${await signed(Buffer.from(JSON.stringify({ ...jwk, d: undefined })), { alg: 'HS256' })}`,
    "a stranger's key under our kid": `Bearer ${await signed(stranger, {})}`,
    "a stranger's key in the header": `Bearer ${await signed(stranger, { jwk: { kty: 'EC' }, kid: undefined })}`,
    'an unknown kid': `Bearer ${await forged({}, { kid: 'unknown' })}`,
    'no kid': `Bearer ${await forged({}, { kid: undefined })}`,
    'another typ': `Bearer ${await forged({}, { typ: 'JWT' })}`,
    'no typ': `Bearer ${await forged({}, { typ: undefined })}`,
    'an unknown critical header': `Bearer ${encoded({ ...decoded(header), crit: ['x'], x: 1 })}.${payload}.${signature}`,
    'another audience': `Bearer ${await forged({ aud: 'urn:elsewhere' })}`,
    'no audience': `Bearer ${await forged({ aud: undefined })}`,
    'another issuer': `Bearer ${await forged({ iss: `${issuer}/` })}`,
    'no issuer': `Bearer ${await forged({ iss: undefined })}`,
    expired: `Bearer ${await forged({ exp: now - 1 })}`,
    'never expiring': `Bearer ${await forged({ exp: undefined })}`,
    'not yet valid': `Bearer ${await forged({ nbf: now + 600 })}`,
    'no organisation': `Bearer ${await forged({ organisation_id: undefined })}`,
    'a partner that is no text': `Bearer ${await forged({ partner_id: 7, partner_kind: 'client' })}`,
    'a partner of no kind': `Bearer ${await forged({ partner_id: app.customAppId })}`,
    'a partner of another kind': `Bearer ${await forged({ partner_id: app.customAppId, partner_kind: 'x' })}`,
    'a kind without a partner': `Bearer ${await forged({ partner_kind: 'carrier' })}`,
    'another payload': `Bearer ${header}.${encoded({ ...claims, organisation_id: 'other' })}.${signature}`,
    'a changed signature': `Bearer ${header}.${payload}.${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`,
    'no signature': `Bearer ${header}.${payload}.`,
  }
  for (const [name, authorization] of Object.entries(forgeries)) {
    const { status, body, headers } = await refusal(authorization)
    assert.equal(status, 401, name)
    const isMissing = saying(name) === missing
    assert.equal(headers['www-authenticate'], isMissing ? 'Bearer' : 'Bearer error="invalid_token"', name)
    assert.deepEqual(body, { ErrorType: 'Unauthorised', ErrorMessages: [saying(name)] }, name)
  }
  assert.equal(claims.aud, audience)
})

test('a token that was accepted is refused once it has expired', async t => {
  const brief = `Bearer ${await forged({ exp: Math.floor(Date.now() / 1000) + 60 })}`
  await oauth.authenticate(brief)
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() + 61_000 })
  assert.deepEqual((await refusal(brief)).messages, ['The access token has expired.'])
})
