// Stock as of two instants: what had happened by the first, as far as it had been recorded by the second.
// Such a query always gives the same result, because the lines of the ledger never change. An instant is safe
// once no open transaction can record anything at or before it any more.

import { setTimeout as pause } from 'node:timers/promises'
import { type Db, sql } from '../../platform/database/db.ts'
import { faultAt } from '../../platform/http/fault.ts'
import { unavailable, validationFailed } from '../../platform/http/refusal.ts'
import { isStockChanging } from '../ledger/stock-lock.ts'

/** Two instants in the history of stock, in the database's text format. */
export interface AsOf {
  /** what had happened by this instant counts */
  asOf: string
  /** what had been recorded by this instant counts */
  knownAt: string
  /** the nearest usable checkpoint; null: sum all lines from the beginning */
  checkpoint: CheckpointToUse | null
}

/** A checkpoint that is near an instant. */
interface CheckpointToUse {
  instant: string
  /** whether it is after `asOf`, so that what happened between the two has to be taken off */
  isLater: boolean
}

const maxWaitMs = 2_000
const pollMs = 20

/**
 * Waits until `knownAt` is safe. Throws 503 if a transaction that began before it is still open after two
 * seconds.
 */
async function waitUntilSafe(db: Db, organisationId: string, knownAt: string): Promise<void> {
  const deadline = performance.now() + maxWaitMs
  while (await isStockChanging(db, organisationId, knownAt)) {
    if (performance.now() > deadline) throw unavailable('The stock of this instant is still being written.')
    await pause(pollMs)
  }
}

/** Returns the current instant once it is safe. Throws 503 if that takes longer than two seconds. */
export async function safeNow(db: Db, organisationId: string): Promise<string> {
  const { now } = await db.row<{ now: string }>(sql`select clock_timestamp()::text as now`)
  await waitUntilSafe(db, organisationId, now)
  return now
}

/**
 * Adds the nearest usable checkpoint to two instants, of which `knownAt` is safe already: the one before
 * `asOf`, or the one after it if all that is in it was known by then. Fewer lines lie between than from one
 * checkpoint to the next. The beginning of the ledger counts as one, with nothing in it.
 */
export async function safeAsOf(
  db: Db,
  organisationId: string,
  { asOf, knownAt }: Omit<AsOf, 'checkpoint'>,
): Promise<AsOf> {
  const nearest = await db.maybe<CheckpointToUse & { isBeginning: boolean }>(sql`
    select effective_utc::text as instant, effective_utc > ${asOf}::timestamptz as is_later, is_beginning
    from (
      select max(effective_utc) as effective_utc, false as is_beginning from inventory_checkpoint
      where organisation_id = ${organisationId}
        and effective_utc <= least(${asOf}::timestamptz, ${knownAt}::timestamptz)
      union all
      select min(effective_utc), false from inventory_checkpoint
      where organisation_id = ${organisationId}
        and effective_utc > ${asOf}::timestamptz and effective_utc <= ${knownAt}::timestamptz
      union all
      select min(effective_utc), true from inventory_transaction where organisation_id = ${organisationId}
    ) near
    where effective_utc is not null
    order by abs(extract(epoch from effective_utc - ${asOf}::timestamptz)), is_beginning limit 1`)
  if (nearest === undefined || nearest.isBeginning) return { asOf, knownAt, checkpoint: null }
  const { instant, isLater } = nearest
  return { asOf, knownAt, checkpoint: { instant, isLater } }
}

/**
 * Returns the instants that a request asks for; a missing one is now. Throws 400 for an instant in the
 * future, and 503 if stock of that instant is still being written after two seconds.
 */
export async function resolveAsOf(
  db: Db,
  organisationId: string,
  requested: { asOf?: string | undefined; knownAt?: string | undefined },
): Promise<AsOf> {
  const { asOfIsAhead, knownAtIsAhead, asOf, knownAt } = await db.row<
    Omit<AsOf, 'checkpoint'> & { asOfIsAhead: boolean; knownAtIsAhead: boolean }
  >(sql`
    select coalesce(as_of, now)::text as as_of, coalesce(known_at, now)::text as known_at,
      coalesce(as_of > now, false) as as_of_is_ahead, coalesce(known_at > now, false) as known_at_is_ahead
    from (
      select ${requested.asOf ?? null}::timestamptz as as_of,
        ${requested.knownAt ?? null}::timestamptz as known_at,
        clock_timestamp() as now
    ) requested`)
  const faults = [
    ...(asOfIsAhead ? [faultAt('AsOfUtc', 'must not be in the future', 'range')] : []),
    ...(knownAtIsAhead ? [faultAt('KnownAtUtc', 'must not be in the future', 'range')] : []),
  ]
  if (faults.length > 0) throw validationFailed(...faults)
  await waitUntilSafe(db, organisationId, knownAt)
  return safeAsOf(db, organisationId, { asOf, knownAt })
}
