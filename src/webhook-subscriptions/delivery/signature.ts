// Signs deliveries, so that a receiver can verify the sender. Pure. Spec 6.3; decision 6.

import { createHmac } from 'node:crypto'

/**
 * The keys that sign a delivery. `app` is SHA-256 of the app's client secret, null if nobody has that. The
 * others are the signing keys of the subscription, null if it has none.
 */
export interface WebhookSigningKeys {
  app: Buffer | null
  signingKey1: Buffer | null
  signingKey2: Buffer | null
}

/**
 * The headers that sign a body.
 *
 * `X-Service-Signature` is HMAC-SHA256 with the client secret. HMAC hashes keys longer than 64 bytes before
 * it uses them, and client secrets are longer, so the stored hash of the secret gives the same digest.
 * Signing keys add `X-Service-Signature-1` and `-2` and the headers of Standard Webhooks. Their signature
 * also covers the event's id and `at`, the time of the attempt.
 */
export function signatureHeaders(
  keys: WebhookSigningKeys,
  eventId: string,
  at: Date,
  body: Buffer,
): Record<string, string> {
  const headers: Record<string, string> = {}
  if (keys.app) headers['x-service-signature'] = signature(keys.app, body)
  if (keys.signingKey1) headers['x-service-signature-1'] = signature(keys.signingKey1, body)
  if (keys.signingKey2) headers['x-service-signature-2'] = signature(keys.signingKey2, body)
  const signingKeys = [keys.signingKey1, keys.signingKey2].filter(key => key !== null)
  if (signingKeys.length === 0) return headers
  const timestamp = String(Math.floor(at.getTime() / 1000))
  const signed = Buffer.concat([Buffer.from(`${eventId}.${timestamp}.`), body])
  return {
    ...headers,
    'webhook-id': eventId,
    'webhook-timestamp': timestamp,
    'webhook-signature': signingKeys
      .map(key => `v1,${createHmac('sha256', standardKey(key)).update(signed).digest('base64')}`)
      .join(' '),
  }
}

const signature = (key: Buffer, body: Buffer) =>
  `sha256=${createHmac('sha256', key).update(body).digest('hex')}`

/** Standard Webhooks writes keys as `whsec_` and base64. A key in any other form is used unchanged. */
function standardKey(key: Buffer): Buffer {
  const text = key.toString()
  return text.startsWith('whsec_') ? Buffer.from(text.slice(6), 'base64') : key
}
