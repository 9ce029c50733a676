// The keys that sign access tokens, shared by all processes through the database. Spec 5.
//
// The newest key signs, and every key that is not retired verifies. A process that receives a token signed
// with an unknown key reads the keys again. rotate-keys.ts adds and retires keys.

import type { FastifyBaseLogger } from 'fastify'
import { type CryptoKey, calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK, type JWK } from 'jose'
import { type Database, sql, type Tx } from '../platform/database/db.ts'
import type { SecretBox } from '../platform/secret-box.ts'
import { hint, onHint } from '../platform/work/hints.ts'
import { keepFresh } from '../platform/work/keep-fresh.ts'

/** The algorithm of access tokens. */
export const signingAlgorithm = 'ES256'

/** The keys at one moment, newest first. It stays the same object while the keys do not change. */
export interface KeySet {
  readonly privateKeys: readonly JWK[]
  readonly publicKeys: readonly JWK[]
}

/** The keys of this process. */
export interface SigningKeys {
  /** The keys that were read last. */
  current(): KeySet
  /** The public key with this id; undefined if there is none, not even in the database. */
  verificationKey(kid: string): Promise<CryptoKey | undefined>
  close(): void
}

/** The hint that a signing key was added or retired. */
export const keysChanged = 'signing-keys'

const refreshMs = 30_000
// Limits the load on the database that tokens with made-up key ids can cause.
const minReloadMs = 1_000

/**
 * Reads the keys, and creates the first one if there is none. Throws if they were encrypted with another
 * encryption key.
 */
export async function openSigningKeys(
  database: Database,
  secretBox: SecretBox,
  log: FastifyBaseLogger,
): Promise<SigningKeys> {
  let set: KeySet = { privateKeys: [], publicKeys: [] }
  let verifiers = new Map<string, CryptoKey>()

  async function load(): Promise<void> {
    const rows = await database.db.rows<{ kid: string; privateJwk: Buffer }>(
      sql`
        select kid, private_jwk from signing_key where retired_utc is null
        order by created_utc desc, kid`,
    )
    if (rows.map(row => row.kid).join() === set.privateKeys.map(key => key.kid).join()) return
    const privateKeys = rows.map(row => openKey(secretBox, row.kid, row.privateJwk))
    const publicKeys = privateKeys.map(({ d: _private, ...key }) => key)
    const imported = publicKeys.map(
      async key => [key.kid as string, (await importJWK(key, signingAlgorithm)) as CryptoKey] as const,
    )
    verifiers = new Map(await Promise.all(imported))
    set = { privateKeys, publicKeys }
  }

  await makeFirstKey(database, secretBox)
  const copy = await keepFresh({ name: 'The set of signing keys', intervalMs: refreshMs, log, load })
  const stopListening = onHint(keysChanged, () => void copy.refresh())
  let lastReload = { at: Number.NEGATIVE_INFINITY, done: Promise.resolve() }

  return {
    current: () => set,
    async verificationKey(kid) {
      if (!verifiers.has(kid)) {
        const at = performance.now()
        if (at - lastReload.at >= minReloadMs) lastReload = { at, done: copy.refresh() }
        await lastReload.done
      }
      return verifiers.get(kid)
    },
    close() {
      stopListening()
      copy.close()
    },
  }
}

function openKey(secretBox: SecretBox, kid: string, sealed: Buffer): JWK {
  try {
    return JSON.parse(secretBox.open(sealed).toString()) as JWK
  } catch {
    throw new Error(
      `The signing key ${kid} was encrypted with another key than the other secrets of this database.`,
    )
  }
}

/** Adds a key, which signs all new tokens from now on, and returns its id. */
export async function addSigningKey(tx: Tx, secretBox: SecretBox): Promise<string> {
  const pair = await generateKeyPair(signingAlgorithm, { extractable: true })
  const key = { ...(await exportJWK(pair.privateKey)), alg: signingAlgorithm, use: 'sig' }
  const kid = await calculateJwkThumbprint(key)
  const sealed = secretBox.seal(Buffer.from(JSON.stringify({ ...key, kid })))
  await tx.run(sql`insert into signing_key (kid, private_jwk) values (${kid}, ${sealed})`)
  tx.afterCommit(() => hint(keysChanged))
  return kid
}

/** Retires every key but this one. Tokens that the others signed are refused within half a minute. */
export async function retireOtherKeys(tx: Tx, kid: string): Promise<void> {
  await tx.run(sql`update signing_key set retired_utc = now() where kid <> ${kid} and retired_utc is null`)
}

const anyKey = sql`select kid from signing_key where retired_utc is null limit 1`

async function makeFirstKey(database: Database, secretBox: SecretBox): Promise<void> {
  if ((await database.db.maybe(anyKey)) !== undefined) return
  await database.atomically(async tx => {
    // The lock makes processes that start together agree on one first key.
    await tx.run(sql`lock table signing_key in share row exclusive mode`)
    if ((await tx.maybe(anyKey)) === undefined) await addSigningKey(tx, secretBox)
  })
}
