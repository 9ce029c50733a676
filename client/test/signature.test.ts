// The client's verification of signatures that the service makes.

import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { signatureHeaders } from '../../src/webhook-subscriptions/delivery/signature.ts'
import { verifySignature, verifyStandardSignature } from '../src/waybill.ts'

const secret = 'a-client-secret-that-is-longer-than-the-64-bytes-of-one-block-of-SHA-256'
const signingKey1 = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const signingKey2 = 'Schlüssel'
const at = new Date('2026-03-01T00:00:00Z')
const body = Buffer.from('{"type":"consignment.created","data":{"clientName":"Wāhi Kai"}}')
const keys = {
  app: createHash('sha256').update(secret).digest(),
  signingKey1: Buffer.from(signingKey1),
  signingKey2: Buffer.from(signingKey2),
}
const headers = signatureHeaders(keys, '0190a6e2-0000-7000-8000-000000000000', at, body)
const header = headers['x-service-signature']

test('a body is verified as bytes and as text, with the client secret and with each signing key', async () => {
  for (const raw of [body, body.toString(), new Uint8Array(body).buffer])
    assert.ok(await verifySignature(raw, header, secret))
  assert.ok(await verifySignature(body, header?.toUpperCase().replace('SHA256', 'sha256'), secret))
  assert.ok(await verifySignature(body, headers['x-service-signature-1'], signingKey1))
  assert.ok(await verifySignature(body, headers['x-service-signature-2'], signingKey2))
})

test('another body, secret or header is a forgery', async () => {
  assert.equal(await verifySignature(`${body} `, header, secret), false)
  assert.equal(await verifySignature(body, header, `${secret}!`), false)
  for (const wrongHeader of [
    undefined,
    null,
    '',
    'sha256=',
    header?.slice(7),
    header?.slice(0, -1),
    `${header}0`,
    [header ?? ''],
  ])
    assert.equal(await verifySignature(body, wrongHeader, secret), false)
})

test('the headers of Standard Webhooks are verified with either key, from an object or Headers', async () => {
  for (const key of [signingKey1, signingKey2]) {
    assert.ok(await verifyStandardSignature(body, headers, key, { now: at }))
    assert.ok(await verifyStandardSignature(body.toString(), new Headers(headers), key, { now: at }))
  }
  assert.equal(await verifyStandardSignature(body, headers, secret, { now: at }), false)
  for (const name of ['webhook-id', 'webhook-timestamp', 'webhook-signature'])
    assert.equal(
      await verifyStandardSignature(body, { ...headers, [name]: undefined }, signingKey1, { now: at }),
      false,
      name,
    )
  assert.equal(
    await verifyStandardSignature(body, { ...headers, 'webhook-id': 'another' }, signingKey1, { now: at }),
    false,
  )
})

test('a delivery more than five minutes in the past or in the future is rejected', async () => {
  const after = (seconds: number) => ({ now: new Date(at.getTime() + seconds * 1000) })
  assert.ok(await verifyStandardSignature(body, headers, signingKey1, after(300)))
  assert.equal(await verifyStandardSignature(body, headers, signingKey1, after(301)), false)
  assert.equal(await verifyStandardSignature(body, headers, signingKey1, after(-301)), false)
  assert.ok(
    await verifyStandardSignature(body, headers, signingKey1, { ...after(3600), toleranceSeconds: 3600 }),
  )
})
