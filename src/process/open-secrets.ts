// The secrets of a database, opened with the key that the settings give or the data folder holds.

import { type Database, sql } from '../platform/database/db.ts'
import { openDatabaseSecrets, type SecretBox } from '../platform/secret-box.ts'
import type { Config } from './config.ts'

/** Opens the secrets, after trying the key on the first one in the database. */
export async function openSecrets(
  { db }: Database,
  { encryptionKey, dataDir }: Pick<Config, 'encryptionKey' | 'dataDir'>,
): Promise<SecretBox> {
  const first = await db.maybe<{ sealed: Buffer }>(sql`
    select sealed from (
      select private_jwk as sealed, created_utc from signing_key union all select secret_hash, created_utc
        from custom_app) secrets
    order by created_utc limit 1`)
  return openDatabaseSecrets({ setting: encryptionKey, dataDir, sealed: first?.sealed })
}
