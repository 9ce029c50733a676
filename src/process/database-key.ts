// Opens the secrets of a database, with the key from the settings or from the data folder.

import { type Db, sql } from '../platform/database/db.ts'
import { createSecretBox, loadDatabaseKey, type SecretBox } from '../platform/secret-box.ts'
import type { Config } from './config.ts'

type KeySettings = Pick<Config, 'encryptionKey' | 'dataDir'>

/**
 * Loads the key of the secrets, and checks it with the first secret in the database. Creates a key if the
 * database has no secret yet.
 */
export async function readDatabaseKey(db: Db, { encryptionKey, dataDir }: KeySettings): Promise<Buffer> {
  return loadDatabaseKey({ configuredKey: encryptionKey, dataDir, sealed: await readFirstSecret(db) })
}

/** Reads the first secret in the database, sealed. Undefined if there is none. */
export async function readFirstSecret(db: Db): Promise<Buffer | undefined> {
  const first = await db.maybe<{ sealed: Buffer }>(sql`
    select sealed from (
      select private_jwk as sealed, created_utc from signing_key union all select secret_hash, created_utc
        from custom_app) secrets
    order by created_utc limit 1`)
  return first?.sealed
}

/** Opens the secret box of the database, after checking its key as `readKey` does. */
export async function openSecrets({ db }: { db: Db }, settings: KeySettings): Promise<SecretBox> {
  return createSecretBox(await readDatabaseKey(db, settings))
}
