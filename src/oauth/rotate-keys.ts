// Adds a signing key every 90 days, and retires old keys once no token that they signed is valid. Spec 5.4.

import { type Db, sql, type Tx } from '../platform/database/db.ts'
import type { SecretBox } from '../platform/secret-box.ts'
import { hint } from '../platform/work/hints.ts'
import { startWorkLoop, type WorkLoop } from '../platform/work/work-loop.ts'
import type { WorkerContext } from '../platform/work/worker-context.ts'
import { addSigningKey, keysChanged } from './signing-keys.ts'

// A process may sign with the previous key for half a minute more, or longer if it cannot reach the database,
// and a token lasts an hour.
const retireAfter = sql`interval '3 hours'`
const rotateAfter = sql`interval '90 days'`

const isNewestOld = sql`coalesce(max(created_utc) < now() - ${rotateAfter}, true)`
const isReplaced = sql`retired_utc is null and exists (
  select from signing_key newer
  where newer.created_utc > k.created_utc and newer.created_utc < now() - ${retireAfter})`

/** Whether a key has to be added or retired. Reads without a lock. */
const isDue = async (db: Db): Promise<boolean> =>
  (
    await db.row<{ due: boolean }>(sql`
      select (select ${isNewestOld} from signing_key)
        or exists (select from signing_key k where ${isReplaced}) as due`)
  ).due

/**
 * Adds a key if the newest is 90 days old, and retires keys that were replaced more than three hours ago.
 * Only one of several concurrent calls adds a key.
 */
async function rotateKeys(tx: Tx, secretBox: SecretBox): Promise<void> {
  await tx.run(sql`lock table signing_key in share row exclusive mode`)
  const { isOld } = await tx.row<{ isOld: boolean }>(sql`select ${isNewestOld} as is_old from signing_key`)
  if (isOld) await addSigningKey(tx, secretBox)
  const retired = await tx.run(sql`update signing_key k set retired_utc = now() where ${isReplaced}`)
  if (retired > 0) tx.afterCommit(() => hint(keysChanged))
}

/** Starts the loop that checks once an hour whether a key has to be added or retired. */
export const startKeyRotation = ({
  database,
  secretBox,
  log,
}: Pick<WorkerContext, 'database' | 'secretBox' | 'log'>): WorkLoop =>
  startWorkLoop({
    name: 'signing-keys',
    log,
    pollMs: 3_600_000,
    async step() {
      if (await isDue(database.db)) await database.atomically(tx => rotateKeys(tx, secretBox))
      return false
    },
  })
