import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import { hashSecret, matchesSecret, newClientSecret } from '../../src/oauth/client-secrets.ts'

test('a secret has 96 characters of base64url and is different each time', () => {
  const secrets = Array.from({ length: 100 }, newClientSecret)
  assert.ok(secrets.every(secret => /^[\w-]{96}$/.test(secret)))
  assert.equal(new Set(secrets).size, 100)
})

test('only the secret itself matches its hash', () => {
  const secret = newClientSecret()
  const [hash, another] = [hashSecret(secret), hashSecret(newClientSecret())]
  for (const hashes of [[hash], [hash, another], [another, hash]]) assert.ok(matchesSecret(secret, hashes))
  for (const other of ['', secret.slice(1), `${secret} `, newClientSecret()])
    assert.ok(!matchesSecret(other, [hash, another]))
  assert.ok(!matchesSecret(secret, []))
})

test('the stored hash of a secret signs webhooks as the secret itself does', () => {
  const secret = newClientSecret()
  const sign = (by: string | Buffer) =>
    createHmac('sha256', by).update('{"type":"consignment.created"}').digest('hex')
  assert.equal(sign(hashSecret(secret)), sign(secret))
})
