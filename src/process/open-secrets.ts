// The secrets of a database, opened with the key that the settings give or the data folder holds.

import { type Db, sql } from '../platform/database/db.ts'
import { loadDatabaseKey, openSecretBox, type SecretBox } from '../platform/secret-box.ts'
import type { Config } from './config.ts'

type KeySettings = Pick<Config, 'encryptionKey' | 'dataDir'>

/**
 * The key of the secrets, tried on the first one in the database. It is made where there is nothing to open
 * yet.
 */
export async function readKey(db: Db, { encryptionKey, dataDir }: KeySettings): Promise<Buffer> {
  return loadDatabaseKey({ configuredKey: encryptionKey, dataDir, sealed: await firstSealed(db) })
}

/** The first secret in the database, sealed. */
export async function firstSealed(db: Db): Promise<Buffer | undefined> {
  const first = await db.maybe<{ sealed: Buffer }>(sql`
    select sealed from (
      select private_jwk as sealed, created_utc from signing_key union all select secret_hash, created_utc
        from custom_app) secrets
    order by created_utc limit 1`)
  return first?.sealed
}

/** Opens the secrets, after trying the key on the first one in the database. */
export async function openSecrets({ db }: { db: Db }, settings: KeySettings): Promise<SecretBox> {
  return openSecretBox(await readKey(db, settings))
}
