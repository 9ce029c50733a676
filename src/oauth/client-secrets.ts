// Secrets of custom apps. Spec 5.1, 6.3.
//
// A secret is longer than a hash block (64 bytes), so HMAC-SHA256 hashes it before use: HMAC(secret, body) =
// HMAC(SHA-256(secret), body). The one stored value, SHA-256(secret), therefore both checks the secret and
// signs webhooks, and the secret itself need not be kept.

import { hash, randomBytes, timingSafeEqual } from 'node:crypto'

const secretBytes = 72

/** A new secret: 96 characters of base64url. */
export const newClientSecret = (): string => randomBytes(secretBytes).toString('base64url')

/** What is kept of a secret (sealed, in custom_app.secret_hash). 576 random bits need no slow hash. */
export const hashOfSecret = (secret: string): Buffer => hash('sha256', secret, 'buffer')

/** Whether a secret is one of those that were hashed. Each is compared, so that the time tells nothing. */
export function isSecretOf(secret: string, hashes: readonly Buffer[]): boolean {
  const given = hashOfSecret(secret)
  return hashes.map(expected => timingSafeEqual(given, expected)).includes(true)
}
