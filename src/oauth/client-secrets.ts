// Secrets of custom apps. Spec 5.1, 6.3.
//
// A secret is longer than a hash block (64 bytes), so HMAC-SHA256 hashes it before use: HMAC(secret, body) =
// HMAC(SHA-256(secret), body). The one stored value, SHA-256(secret), therefore serves both to check the
// secret and to sign webhooks, and the secret itself is not stored.

import { hash, randomBytes, timingSafeEqual } from 'node:crypto'

const secretBytes = 72

/** A new secret: 96 characters of base64url. */
export const newClientSecret = (): string => randomBytes(secretBytes).toString('base64url')

/**
 * The hash of a secret, which is stored encrypted in custom_app.secret_hash. A secret has 576 random bits, so
 * a slow hash is not needed.
 */
export const hashSecret = (secret: string): Buffer => hash('sha256', secret, 'buffer')

/** Whether one of the hashes is of this secret. All are compared, so that the time taken reveals nothing. */
export function matchesSecret(secret: string, hashes: readonly Buffer[]): boolean {
  const presentedHash = hashSecret(secret)
  return hashes.map(expected => timingSafeEqual(presentedHash, expected)).includes(true)
}
