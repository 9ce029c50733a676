// The two instants at which past stock is asked for: what had happened by the one, as far as it was
// written down by the other. An answer about them is the same whenever it is asked for, for the lines of
// the ledger never change.

import { setTimeout as pause } from 'node:timers/promises'
import { type Db, sql } from '../../platform/database/db.ts'
import { faultAt } from '../../platform/http/fault.ts'
import { unavailable, validationFailed } from '../../platform/http/refusal.ts'
import { isStockChanging } from '../ledger/stock-lock.ts'

/** Two instants, as the database writes them. */
export interface Moment {
  asOf: string
  knownAt: string
  /** the latest checkpoint that may be used; null: sum from the beginning */
  checkpoint: string | null
}

const maxWaitMs = 2_000
const pollMs = 20

/**
 * Waits until nothing more can be written down as of the instant that is known at. 503 after two seconds:
 * a transaction that began before is still open.
 */
async function waitUntilSettled(db: Db, organisationId: string, knownAt: string): Promise<void> {
  const until = performance.now() + maxWaitMs
  while (await isStockChanging(db, organisationId, knownAt)) {
    if (performance.now() > until) throw unavailable('The stock of this instant is still being written.')
    await pause(pollMs)
  }
}

/**
 * This instant, as the database writes it, once all that counts as known by it is written down. 503 where
 * that takes longer than two seconds.
 */
export async function settledNow(db: Db, organisationId: string): Promise<string> {
  const { now } = await db.row<{ now: string }>(sql`select clock_timestamp()::text as now`)
  await waitUntilSettled(db, organisationId, now)
  return now
}

/** A moment of two instants of which all is written down. */
export async function settledMoment(
  db: Db,
  organisationId: string,
  { asOf, knownAt }: Omit<Moment, 'checkpoint'>,
): Promise<Moment> {
  const { checkpoint } = await db.row<{ checkpoint: string | null }>(sql`
    select max(effective_utc)::text as checkpoint from inventory_checkpoint
    where organisation_id = ${organisationId}
      and effective_utc <= least(${asOf}::timestamptz, ${knownAt}::timestamptz)`)
  return { asOf, knownAt, checkpoint }
}

/**
 * The moment that is asked for; what is not given is now. 400 for an instant of the future, 503 where the
 * stock of this instant is still being written.
 */
export async function momentOf(
  db: Db,
  organisationId: string,
  given: { asOf?: string | undefined; knownAt?: string | undefined },
): Promise<Moment> {
  const { asOfIsAhead, knownAtIsAhead, asOf, knownAt } = await db.row<
    Omit<Moment, 'checkpoint'> & { asOfIsAhead: boolean; knownAtIsAhead: boolean }
  >(sql`
    select coalesce(as_of, now)::text as as_of, coalesce(known_at, now)::text as known_at,
      coalesce(as_of > now, false) as as_of_is_ahead, coalesce(known_at > now, false) as known_at_is_ahead
    from (
      select ${given.asOf ?? null}::timestamptz as as_of, ${given.knownAt ?? null}::timestamptz as known_at,
        clock_timestamp() as now
    ) given`)
  const faults = [
    ...(asOfIsAhead ? [faultAt('AsOfUtc', 'must not be in the future', 'range')] : []),
    ...(knownAtIsAhead ? [faultAt('KnownAtUtc', 'must not be in the future', 'range')] : []),
  ]
  if (faults.length > 0) throw validationFailed(...faults)
  await waitUntilSettled(db, organisationId, knownAt)
  return settledMoment(db, organisationId, { asOf, knownAt })
}
