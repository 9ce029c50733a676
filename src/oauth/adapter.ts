// Stores codes, grants, sessions and refresh tokens of the OAuth server in the table oauth_record. Spec 5.
//
// The id of a record is the secret that its holder presents. Only its hash is stored, and the payload, which
// repeats it, is encrypted. Ids of grants are stored in the clear, because nobody presents them.

import { hash } from 'node:crypto'
import { type Adapter, type AdapterPayload, errors } from 'oidc-provider'
import { type Database, type Sql, sql } from '../platform/database/db.ts'
import type { SecretBox } from '../platform/secret-box.ts'
import { startWorkLoop, type WorkLoop } from '../platform/work/work-loop.ts'
import type { WorkerContext } from '../platform/work/worker-context.ts'

/**
 * For how many seconds after its use a refresh token may be used again, so that two tabs or a lost response
 * do not end the sign-in. A token that is used again later counts as stolen.
 */
const graceSeconds = 30

/** How long a grant without a valid code or token lasts, in seconds. */
const idleGrantSeconds = 3_600

interface Row {
  payload: Buffer
  /** when the record was consumed, in seconds since 1970; null while it may be used */
  consumed: number | null
}

/** Makes the storage adapter of one of the library's models, such as RefreshToken. */
export function createAdapter(database: Database, secretBox: SecretBox, model: string): Adapter {
  const { db } = database
  const isUsableAgain = model === 'RefreshToken' ? isInGrace : sql`false`
  const where = (id: string) => sql`model = ${model} and id_hash = ${hashOf(id)}`
  const isAlive = sql`model = ${model} and (expires_utc is null or expires_utc > now())`
  const columns = sql`payload,
    case when consumed_utc is not null and not ${isUsableAgain}
      then extract(epoch from consumed_utc)::bigint end as consumed`
  const read = async (condition: Sql) => {
    const row = await db.maybe<Row>(
      sql`select ${columns} from oauth_record where ${condition} and ${isAlive}`,
    )
    return row && payloadOf(row, secretBox)
  }
  const run = (statement: Sql) => database.inOneStatement(tx => tx.run(statement))

  return {
    async upsert(id, payload, expiresIn) {
      const sealed = secretBox.seal(Buffer.from(JSON.stringify(payload)))
      await run(upsertStatement(model, id, sealed, payload, expiresIn))
    },
    find: id => read(where(id)),
    findByUid: uid => read(sql`uid = ${uid}`),
    // Only the device flow, which is not enabled, has user codes.
    findByUserCode: () => Promise.resolve(undefined),
    async consume(id) {
      // Only one of several concurrent requests changes the row, so a code is exchanged only once.
      const consumed = await run(sql`
        update oauth_record set consumed_utc = coalesce(consumed_utc, now())
        where ${where(id)} and (consumed_utc is null or ${isUsableAgain})`)
      if (consumed > 0) return
      // The code was used twice, so one of the two users stole it. Everything that was issued for it ends.
      if (model === 'AuthorizationCode') {
        await run(sql`
          delete from oauth_record where grant_id = (select grant_id from oauth_record where ${where(id)})`)
      }
      throw new errors.InvalidGrant('already used')
    },
    async destroy(id) {
      await run(sql`delete from oauth_record where ${where(id)}`)
    },
    async revokeByGrantId(grantId) {
      await run(sql`delete from oauth_record where model = ${model} and grant_id = ${grantId}`)
    },
  }
}

const hashOf = (id: string) => hash('sha256', id, 'buffer')

// A consumed_utc later than now() is within the grace period, too: of two concurrent requests, the one that
// began first may update the row second, and then finds a time of use that is later than its own now().
const isInGrace = sql`consumed_utc > now() - make_interval(secs => ${graceSeconds})`

function payloadOf({ payload, consumed }: Row, secretBox: SecretBox): Record<string, unknown> {
  const opened = JSON.parse(secretBox.open(payload).toString()) as Record<string, unknown>
  return consumed === null ? opened : { ...opened, consumed }
}

/**
 * The statement that stores a record and extends its grant, which lasts as long as what was issued for it.
 */
function upsertStatement(
  model: string,
  id: string,
  sealed: Buffer,
  { uid, accountId, clientId, grantId }: AdapterPayload,
  expiresIn: number | undefined,
): Sql {
  const isGrant = model === 'Grant'
  const seconds = isGrant ? idleGrantSeconds : expiresIn
  return sql`
    with stored as (
      insert into oauth_record (model, id_hash, payload, grant_id, uid, user_id, client_id, expires_utc)
      values (${model}, ${hashOf(id)}, ${sealed}, ${isGrant ? id : grantId}, ${uid}, ${accountId},
        ${clientId}, now() + make_interval(secs => ${seconds}))
      on conflict (model, id_hash) do update
        set payload = excluded.payload, grant_id = excluded.grant_id, uid = excluded.uid,
          user_id = excluded.user_id, client_id = excluded.client_id, expires_utc = excluded.expires_utc)
    update oauth_record set expires_utc = greatest(expires_utc, now() + make_interval(secs => ${seconds}))
    where model = 'Grant' and grant_id = ${grantId}`
}

const cleanupIntervalMs = 60_000
const maxDeleted = 1_000

/** Starts the loop that deletes expired records, and failed sign-ins that no longer count, in batches. */
export const startOAuthCleanup = ({ database, log }: Pick<WorkerContext, 'database' | 'log'>): WorkLoop =>
  startWorkLoop({
    name: 'oauth-records',
    log,
    pollMs: cleanupIntervalMs,
    async step() {
      const records = await database.inOneStatement(tx =>
        tx.run(sql`
          delete from oauth_record where (model, id_hash) in (
            select model, id_hash from oauth_record where expires_utc < now()
            order by expires_utc limit ${maxDeleted}
            for update skip locked)`),
      )
      const failures = await database.inOneStatement(tx =>
        tx.run(sql`
          delete from sign_in_failure where key_hash in (
            select key_hash from sign_in_failure where last_utc < now() - interval '1 day'
            limit ${maxDeleted}
            for update skip locked)`),
      )
      return records === maxDeleted || failures === maxDeleted
    },
  })
