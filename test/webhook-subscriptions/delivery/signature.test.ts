import assert from 'node:assert/strict'
import { createHash, createHmac, randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { signatureHeaders } from '../../../src/webhook-subscriptions/delivery/signature.ts'

const body = Buffer.from('{"id":"é"}')
const at = new Date('2026-03-01T00:00:00.900Z')

test('the hash of a client secret signs like the secret itself', () => {
  const secret = randomBytes(72).toString('base64url')
  const app = createHash('sha256').update(secret).digest()
  const headers = signatureHeaders({ app, signingKey1: null, signingKey2: null }, 'id', at, body)
  assert.deepEqual(headers, {
    'x-service-signature': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
  })
})

test('the second key alone signs under its own name', () => {
  const headers = signatureHeaders(
    { app: randomBytes(32), signingKey1: null, signingKey2: Buffer.from('key') },
    'evt',
    at,
    body,
  )
  assert.deepEqual(Object.keys(headers), [
    'x-service-signature',
    'x-service-signature-2',
    'webhook-id',
    'webhook-timestamp',
    'webhook-signature',
  ])
  assert.equal(headers['webhook-timestamp'], '1772323200')
})

test('the example of the Standard Webhooks specification', () => {
  const keys = {
    app: randomBytes(32),
    signingKey1: Buffer.from('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'),
    signingKey2: null,
  }
  const sent = new Date(1614265330 * 1000)
  const headers = signatureHeaders(
    keys,
    'msg_p5jXN8AQM9LWM0D4loKWxJek',
    sent,
    Buffer.from('{"test": 2432232314}'),
  )
  assert.equal(headers['webhook-signature'], 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=')
})
