// Verifies that a webhook comes from the service. It uses only Web Crypto, whose verification takes the same
// time for every wrong signature. Specification 6.3.

const encoder = new TextEncoder()

/** The body as it arrived, before any parsing: bytes, or their text as UTF-8. */
export type RawBody = string | Uint8Array | ArrayBuffer

/** The headers of a webhook: `Headers`, or an object such as that of Node.js, with names in lower case. */
export type WebhookHeaders = Headers | Readonly<Record<string, WebhookHeader>>

/** A header as frameworks provide it. A value that is not a single string counts as a wrong signature. */
export type WebhookHeader = string | readonly string[] | null | undefined

/**
 * Whether the header `X-Service-Signature` signs this body with the app's client secret. The same function
 * checks `X-Service-Signature-1` and `-2` with the subscription's signing keys. A missing or malformed header
 * counts as wrong.
 */
export async function verifySignature(
  rawBody: RawBody,
  header: WebhookHeader,
  clientSecret: string,
): Promise<boolean> {
  const digest = /^sha256=([0-9a-f]{64})$/i.exec(typeof header === 'string' ? header : '')?.[1]
  if (digest === undefined) return false
  const signature = Uint8Array.from(digest.match(/../g) as string[], byte => Number.parseInt(byte, 16))
  return isSignedBy(encoder.encode(clientSecret), signature, bytesOf(rawBody))
}

/**
 * Whether the Standard Webhooks headers (`webhook-id`, `webhook-timestamp`, `webhook-signature`), which are
 * sent if the subscription has a signing key, sign this body with that key, with a time that differs from
 * `now` by at most `toleranceSeconds`. A key is `whsec_` and base64, or any text.
 */
export async function verifyStandardSignature(
  rawBody: RawBody,
  headers: WebhookHeaders,
  signingKey: string,
  { toleranceSeconds = 300, now = new Date() }: { toleranceSeconds?: number; now?: Date } = {},
): Promise<boolean> {
  const id = headerOf(headers, 'webhook-id')
  const timestamp = headerOf(headers, 'webhook-timestamp')
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(now.getTime() / 1000 - Number(timestamp)) > toleranceSeconds)
    return false
  const signed = concatenate(encoder.encode(`${id}.${timestamp}.`), bytesOf(rawBody))
  const key = signingKey.startsWith('whsec_') ? fromBase64(signingKey.slice(6)) : encoder.encode(signingKey)
  for (const entry of headerOf(headers, 'webhook-signature').split(' ')) {
    const signature = /^v1,([A-Za-z0-9+/]{43}=)$/.exec(entry)?.[1]
    if (signature !== undefined && (await isSignedBy(key, fromBase64(signature), signed))) return true
  }
  return false
}

type Bytes = Uint8Array<ArrayBuffer>

async function isSignedBy(key: Bytes, signature: Bytes, signed: Bytes): Promise<boolean> {
  const imported = await crypto.subtle.importKey('raw', key, { name: 'HMAC', hash: 'SHA-256' }, false, [
    'verify',
  ])
  return crypto.subtle.verify('HMAC', imported, signature, signed)
}

const bytesOf = (body: RawBody): Bytes =>
  typeof body === 'string' ? encoder.encode(body) : new Uint8Array(body)

const fromBase64 = (text: string): Bytes => Uint8Array.from(atob(text), character => character.charCodeAt(0))

function concatenate(first: Bytes, second: Bytes): Bytes {
  const bytes = new Uint8Array(first.length + second.length)
  bytes.set(first)
  bytes.set(second, first.length)
  return bytes
}

function headerOf(headers: WebhookHeaders, name: string): string {
  const value = headers instanceof Headers ? headers.get(name) : headers[name]
  return typeof value === 'string' ? value : ''
}
