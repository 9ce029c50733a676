// Bills consignments as they are Closed: freezes their charges together with the inputs that determine them,
// and raises the transactions. Decision 7.

import { empty, sql, type Tx } from '../platform/database/db.ts'
import { planForWholeTables } from '../platform/database/plan-for-whole-tables.ts'
import { note } from '../rehearsal/notes.ts'
import { UnratedReason } from '../vocabulary/billing.ts'
import { inWords } from '../vocabulary/in-words.ts'
import { readSetUp } from './charges/billing-set-up.ts'
import {
  type ClosingConsignment,
  freezeCharges,
  rateClosingBatch,
  readClosingBatch,
} from './charges/freeze-charges.ts'
import { raiseScheduleTransactions } from './schedules/schedule-transaction.ts'

/** Returns one sentence for each piece of a consignment's work that no rate charges. */
const describeUnrated = ({ consignment, rated }: ClosingConsignment): string[] =>
  rated.unrated.map(
    ({ part, quantity, reason }) =>
      `Consignment ${consignment.consignmentNumber}: nothing charges ${part.name ?? 'its freight'} ` +
      `(${quantity}): ${inWords(UnratedReason, reason)}.`,
  )

/** Consignments rated in one go, while the database writes the previous batch and reads the next one. */
const ratingBatchSize = 200
/** Up to this many consignments, rows are best found by key; for more, scanning whole tables is faster. */
const maxForKeyLookups = 20

/**
 * Freezes the charge inputs of locked consignments, stores their charges and raises their transactions, all
 * dated `date` (a local date). If the organisation demands a rate for all work, consignments with unrated
 * work are left unchanged. Returns those by id, each with one sentence per piece of unrated work.
 */
export async function billConsignments(
  tx: Tx,
  organisationId: string,
  ids: readonly string[],
  date: string,
): Promise<Map<string, string[]>> {
  const demanding = awaitLater(demandsRates(tx, organisationId, ids.length > maxForKeyLookups))
  const read = (at: number) =>
    awaitLater(readClosingBatch(tx, organisationId, ids.slice(at, at + ratingBatchSize), date))
  let reading = read(0)
  const [setUp, mustRateAll] = await Promise.all([readSetUp(tx, organisationId), demanding])
  const refused = new Map<string, string[]>()
  const writing: Promise<void>[] = []
  for (let at = 0; at < ids.length; at += ratingBatchSize) {
    const batch = await reading
    if (at + ratingBatchSize < ids.length) reading = read(at + ratingBatchSize)
    const closing = rateClosingBatch(batch, setUp)
    const isRefused = ({ rated }: ClosingConsignment) => mustRateAll && rated.unrated.length > 0
    for (const refusedOne of closing.filter(isRefused))
      refused.set(refusedOne.consignment.id, describeUnrated(refusedOne))
    const billed = closing.filter(one => !isRefused(one))
    writing.push(awaitLater(writeBills(tx, organisationId, billed, date)))
    note(tx, {
      about: 'bills',
      consignmentIds: billed.map(({ consignment }) => consignment.id),
      unrated: () => billed.flatMap(describeUnrated),
    })
  }
  await Promise.all(writing)
  return refused
}

/**
 * Marks a promise that may fail before it is awaited, so that Node does not report an unhandled rejection.
 */
function awaitLater<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {})
  return promise
}

/**
 * The statements are sent together; the connection runs them in order, so the second sees the first's rows.
 */
async function writeBills(
  tx: Tx,
  organisationId: string,
  billed: readonly ClosingConsignment[],
  date: string,
): Promise<void> {
  if (billed.length === 0) return
  const ids = billed.map(({ consignment }) => consignment.id)
  await Promise.all([
    freezeCharges(tx, organisationId, billed),
    raiseScheduleTransactions(tx, organisationId, ids, date),
  ])
}

/**
 * Returns whether unrated work keeps a consignment from being Closed. If there are `many` of them, the same
 * statement makes PostgreSQL plan the rest of the transaction for their number: for a few, planning takes
 * longer than the work itself.
 */
async function demandsRates(tx: Tx, organisationId: string, many: boolean): Promise<boolean> {
  const plans = many ? sql`, ${planForWholeTables}` : empty
  const { closingRequiresRates } = await tx.row<{ closingRequiresRates: boolean }>(
    sql`select closing_requires_rates${plans} from organisation where id = ${organisationId}`,
  )
  return closingRequiresRates
}
