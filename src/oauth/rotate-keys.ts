// A new signing key every 90 days, and the end of the old ones once no token of theirs is valid. Spec 5.4.

import { type Db, sql, type Tx } from '../platform/database/db.ts'
import type { SecretBox } from '../platform/secret-box.ts'
import { hint } from '../platform/work/hints.ts'
import { startWorkLoop, type WorkLoop } from '../platform/work/work-loop.ts'
import type { WorkerContext } from '../platform/work/worker-context.ts'
import { addSigningKey, keysChanged } from './signing-keys.ts'

// A process may sign with the key before for half a minute, or as long as it cannot reach the database, and
// that token lives an hour more.
const retireAfter = sql`interval '3 hours'`
const rotateAfter = sql`interval '90 days'`

const isAged = sql`coalesce(max(created_utc) < now() - ${rotateAfter}, true)`
const outlived = sql`retired_utc is null and exists (
  select from signing_key newer where newer.created_utc > k.created_utc and newer.created_utc < now()
    - ${retireAfter})`

/** Whether there is anything to do; without a lock. */
const isDue = async (db: Db): Promise<boolean> =>
  (
    await db.row<{ due: boolean }>(sql`
    select (select ${isAged} from signing_key) or exists (select from signing_key k where ${outlived})
      as due`)
  ).due

/**
 * Adds a key when the newest is 90 days old, and retires those that another replaced three hours ago. However
 * many call it, one key is added.
 */
async function rotateKeys(tx: Tx, secretBox: SecretBox): Promise<void> {
  await tx.run(sql`lock table signing_key in share row exclusive mode`)
  const { aged } = await tx.row<{ aged: boolean }>(sql`select ${isAged} as aged from signing_key`)
  if (aged) await addSigningKey(tx, secretBox)
  const retired = await tx.run(sql`update signing_key k set retired_utc = now() where ${outlived}`)
  if (retired > 0) tx.afterCommit(() => hint(keysChanged))
}

/** Looks once an hour whether a key has to be added or retired. */
export const rotateSigningKeys = ({
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
