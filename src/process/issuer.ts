// The processes of one database have one issuer of tokens: each refuses the tokens of any other. The first
// process that answers requests determines it, for as long as one of them lives.

import { setTimeout as pause } from 'node:timers/promises'
import { type Database, type Db, sql } from '../platform/database/db.ts'

const issuerLock = 77_017_004
const retryMs = 250

/** A process with another issuer. */
export interface OtherIssuer {
  issuer: string
  /** whether it has sent a heartbeat after `since` */
  isAlive: boolean
  /** the present time of the database */
  now: string
}

/** Finds a process that may be alive and has another issuer. A killed one is found for five seconds. */
export const findOtherIssuer = (
  db: Pick<Db, 'maybe'>,
  issuer: string,
  since: string | null = null,
): Promise<OtherIssuer | undefined> =>
  db.maybe<OtherIssuer>(sql`
    select issuer, coalesce(seen_utc > ${since}::timestamptz, false) as is_alive,
      clock_timestamp()::text as now
    from service_process
    where issuer <> ${issuer} and not has_ended and seen_utc > clock_timestamp() - interval '5 seconds'
    order by seen_utc desc limit 1`)

/** Says why a process with this issuer cannot run beside one with another. */
export const issuerFault = (issuer: string, other: string): string =>
  `Another process of this database issues tokens as ${other}; this one would issue them as ${issuer}, and ` +
  `each would refuse those of the other. Set AUTH_URL (or BASE_URL) to ${other} here, or stop the ` +
  'others first.'

/**
 * Makes `issuer` that of this process, which has sent its first heartbeat. Waits until it is known whether
 * processes with another issuer are alive, and throws if one is.
 */
export async function claimIssuer(database: Database, processId: string, issuer: string): Promise<void> {
  let since: string | undefined
  for (;;) {
    const other = await database.atomically(async tx => {
      // One after the other, so that of two that start at once the second finds the first.
      await tx.run(sql`select pg_advisory_xact_lock(${issuerLock})`)
      const otherIssuer = await findOtherIssuer(tx, issuer, since)
      if (otherIssuer === undefined)
        await tx.run(sql`update service_process set issuer = ${issuer} where id = ${processId}`)
      return otherIssuer
    })
    if (other === undefined) return
    if (other.isAlive) throw new Error(issuerFault(issuer, other.issuer))
    since ??= other.now
    await pause(retryMs)
  }
}
