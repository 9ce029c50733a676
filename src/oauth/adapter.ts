// Where the OAuth server keeps codes, grants, sessions and refresh tokens: the table oauth_record. Spec 5.
//
// The id of a record is the secret that its holder presents: only its hash is stored, and the payload, which
// repeats it, is encrypted. Only the id of a grant, which nobody presents, is readable.

import { hash } from 'node:crypto'
import { type Adapter, errors } from 'oidc-provider'
import { type Database, sql } from '../platform/database/db.ts'
import type { SecretBox } from '../platform/secret-box.ts'
import { startWorkLoop, type WorkLoop } from '../platform/work/work-loop.ts'
import type { WorkerContext } from '../platform/work/worker-context.ts'

/**
 * Seconds in which a refresh token that was used is good once more: two tabs, or an answer that was lost on
 * its way, must not cost the customer the connection. Used again later it is taken for stolen.
 */
const graceSeconds = 30

/** A grant without a code or token that is alive ends after this many seconds. */
const idleGrantSeconds = 3_600

interface Payload {
  grantId?: string
  uid?: string
  accountId?: string
}

/** The adapter of one model, such as RefreshToken. */
export function openAdapter(database: Database, secretBox: SecretBox, model: string): Adapter {
  const { db } = database
  // Never "used since now": of two at once, the one that began first may come second, and finds a time of use
  // that is later than its own now().
  const isStillGood =
    model === 'RefreshToken' ? sql`consumed_utc > now() - make_interval(secs => ${graceSeconds})` : sql`false`
  const where = (id: string) => sql`model = ${model} and id_hash = ${hash('sha256', id, 'buffer')}`
  const alive = sql`model = ${model} and (expires_utc is null or expires_utc > now())`
  const columns = sql`payload, case when consumed_utc is not null and not ${isStillGood} then extract(epoch
    from consumed_utc)::bigint end as consumed`

  function payloadOf(
    row: { payload: Buffer; consumed: number | null } | undefined,
  ): Record<string, unknown> | undefined {
    if (row === undefined) return undefined
    const payload = JSON.parse(secretBox.open(row.payload).toString()) as Record<string, unknown>
    return row.consumed === null ? payload : { ...payload, consumed: row.consumed }
  }

  return {
    async upsert(id, payload, expiresIn) {
      const sealed = secretBox.seal(Buffer.from(JSON.stringify(payload)))
      const { uid, accountId, grantId } = payload as Payload
      const isGrant = model === 'Grant'
      const seconds = isGrant ? idleGrantSeconds : expiresIn
      // A grant lasts as long as what was issued under it, however often that is renewed.
      await database.inOneStatement(tx =>
        tx.run(sql`
          with stored as (
            insert into oauth_record (model, id_hash, payload, grant_id, uid, user_id, expires_utc)
            values (${model}, ${hash('sha256', id, 'buffer')}, ${sealed}, ${isGrant ? id : grantId}, ${uid},
              ${accountId},
              now() + make_interval(secs => ${seconds}))
            on conflict (model, id_hash) do update
              set payload = excluded.payload, grant_id = excluded.grant_id, uid = excluded.uid,
                user_id = excluded.user_id,
                expires_utc = excluded.expires_utc)
          update oauth_record set expires_utc = greatest(expires_utc, now()
            + make_interval(secs => ${seconds}))
          where model = 'Grant' and grant_id = ${grantId}`),
      )
    },
    find: async id =>
      payloadOf(await db.maybe(sql`select ${columns} from oauth_record where ${where(id)} and ${alive}`)),
    findByUid: async uid =>
      payloadOf(await db.maybe(sql`select ${columns} from oauth_record where uid = ${uid} and ${alive}`)),
    async consume(id) {
      // Of several at once exactly one changes the row; without this one code would give many tokens.
      const consumed = await database.inOneStatement(tx =>
        tx.run(sql`
          update oauth_record set consumed_utc = coalesce(consumed_utc, now())
          where ${where(id)} and (consumed_utc is null or ${isStillGood})`),
      )
      if (consumed > 0) return
      // Somebody holds a code that another has used: neither may keep what came of it.
      if (model === 'AuthorizationCode') {
        await database.inOneStatement(tx =>
          tx.run(
            sql`delete from oauth_record where grant_id = (select grant_id from oauth_record where
              ${where(id)})`,
          ),
        )
      }
      throw new errors.InvalidGrant('already used')
    },
    async destroy(id) {
      await database.inOneStatement(tx => tx.run(sql`delete from oauth_record where ${where(id)}`))
    },
    async revokeByGrantId(grantId) {
      await database.inOneStatement(tx =>
        tx.run(sql`delete from oauth_record where model = ${model} and grant_id = ${grantId}`),
      )
    },
  }
}

const sweepEveryMs = 60_000
const sweepAtOnce = 1_000

/** Deletes expired records, and failed sign-ins that no longer count, some at a time. */
export const sweepOAuthRecords = ({ database, log }: Pick<WorkerContext, 'database' | 'log'>): WorkLoop =>
  startWorkLoop({
    name: 'oauth-records',
    log,
    pollMs: sweepEveryMs,
    async step() {
      const swept = await database.inOneStatement(tx =>
        tx.run(sql`
          delete from oauth_record where (model, id_hash) in (
            select model, id_hash from oauth_record where expires_utc < now() order by expires_utc limit
              ${sweepAtOnce} for update skip locked)`),
      )
      const forgotten = await database.inOneStatement(tx =>
        tx.run(sql`
          delete from sign_in_failure where key_hash in (
            select key_hash from sign_in_failure where last_utc < now() - interval '1 day' limit
              ${sweepAtOnce} for update skip locked)`),
      )
      return swept === sweepAtOnce || forgotten === sweepAtOnce
    },
  })
