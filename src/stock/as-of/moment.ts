// A moment in the history of stock consists of two instants: what had happened by the first, as far as it had
// been recorded by the second. A query about a moment always gives the same result, because the lines of the
// ledger never change.

import { setTimeout as pause } from 'node:timers/promises'
import { type Db, sql } from '../../platform/database/db.ts'
import { faultAt } from '../../platform/http/fault.ts'
import { unavailable, validationFailed } from '../../platform/http/refusal.ts'
import { isStockChanging } from '../ledger/stock-lock.ts'

/** A moment in the history of stock; its instants are in the database's text format. */
export interface Moment {
  /** what had happened by this instant counts */
  asOf: string
  /** what had been recorded by this instant counts */
  knownAt: string
  /** the latest usable checkpoint; null: sum all lines from the beginning */
  checkpoint: string | null
}

const maxWaitMs = 2_000
const pollMs = 20

/**
 * Waits until no open transaction can record anything as of `knownAt` any more. Throws 503 if a transaction
 * that began before it is still open after two seconds.
 */
async function waitUntilSettled(db: Db, organisationId: string, knownAt: string): Promise<void> {
  const deadline = performance.now() + maxWaitMs
  while (await isStockChanging(db, organisationId, knownAt)) {
    if (performance.now() > deadline) throw unavailable('The stock of this instant is still being written.')
    await pause(pollMs)
  }
}

/**
 * Returns the current instant, in the database's text format, once everything recorded by it is visible.
 * Throws 503 if that takes longer than two seconds.
 */
export async function settledNow(db: Db, organisationId: string): Promise<string> {
  const { now } = await db.row<{ now: string }>(sql`select clock_timestamp()::text as now`)
  await waitUntilSettled(db, organisationId, now)
  return now
}

/** Returns the moment of two instants by which everything is already visible, with its checkpoint. */
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
 * Returns the moment that a request asks for; a missing instant is now. Throws 400 for an instant in the
 * future, and 503 if stock of that instant is still being written after two seconds.
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
