// What closing does to money: charges are frozen with what they follow from, and become transactions.

import { empty, sql, type Tx } from '../platform/database/db.ts'
import { planWithIndexes } from '../platform/database/plan-with-indexes.ts'
import { readSetUp } from './charges/billing-set-up.ts'
import {
  type ClosingConsignment,
  freezeCharges,
  rateClosingBatch,
  readClosingBatch,
} from './charges/freeze-charges.ts'
import { UnratedReason } from './enumerations.ts'
import { raiseScheduleTransactions } from './schedules/schedule-transaction.ts'

const reasons = new Map<number, string>(Object.entries(UnratedReason).map(([name, value]) => [value, name]))

/** A sentence for each piece of work of a consignment that nothing charges. */
const unratedMessages = ({ subject, rated }: ClosingConsignment): string[] =>
  rated.unrated.map(
    ({ part, quantity, reason }) =>
      `Consignment ${subject.consignmentNumber}: nothing charges ${part.name ?? 'its freight'} ` +
      `(${quantity}): ${reasons.get(reason)}.`,
  )

/** So many are rated at a time, while the database writes those before and reads those that follow. */
const ratingBatchSize = 200
/** So few are best looked up by their keys; what many are in is read whole. */
const maxPlannedOnce = 20

/**
 * Freezes what locked consignments of an organisation are charged by, stores their charges and raises their
 * transactions, all dated `date`. Where the organisation wants everything charged, those with work that
 * nothing charges are left as they are: returned with a sentence for each piece of it.
 */
export async function billConsignments(
  tx: Tx,
  organisationId: string,
  ids: readonly string[],
  date: string,
): Promise<Map<string, string[]>> {
  const asking = awaitedLater(demandsRates(tx, organisationId, ids.length <= maxPlannedOnce))
  const read = (at: number) =>
    awaitedLater(readClosingBatch(tx, organisationId, ids.slice(at, at + ratingBatchSize), date))
  let reading = read(0)
  const [setUp, isAllDemanded] = await Promise.all([readSetUp(tx, organisationId), asking])
  const refused = new Map<string, string[]>()
  const writing: Promise<void>[] = []
  for (let at = 0; at < ids.length; at += ratingBatchSize) {
    const ready = await reading
    if (at + ratingBatchSize < ids.length) reading = read(at + ratingBatchSize)
    const closing = rateClosingBatch(ready, setUp)
    const isRefused = ({ rated }: ClosingConsignment) => isAllDemanded && rated.unrated.length > 0
    for (const one of closing.filter(isRefused)) refused.set(one.subject.id, unratedMessages(one))
    const billed = closing.filter(one => !isRefused(one))
    writing.push(awaitedLater(write(tx, organisationId, billed, date)))
  }
  await Promise.all(writing)
  return refused
}

/** A promise that may fail before anybody awaits it: whatever fails first is what is told. */
function awaitedLater<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {})
  return promise
}

/** Sent together; each statement is done before the next, which goes on from it. */
async function write(
  tx: Tx,
  organisationId: string,
  billed: readonly ClosingConsignment[],
  date: string,
): Promise<void> {
  if (billed.length === 0) return
  const ids = billed.map(({ subject }) => subject.id)
  await Promise.all([
    freezeCharges(tx, organisationId, billed),
    raiseScheduleTransactions(tx, organisationId, ids, date),
  ])
}

/**
 * Whether work that nothing charges keeps a consignment from being Closed. Statements that follow in the
 * transaction are planned once where few are closed: planning took longer than closing one.
 */
async function demandsRates(tx: Tx, organisationId: string, areFew: boolean): Promise<boolean> {
  const plans = areFew ? sql`, ${planWithIndexes}` : empty
  const { closingDemandsRates } = await tx.row<{ closingDemandsRates: boolean }>(
    sql`select closing_demands_rates${plans} from organisation where id = ${organisationId}`,
  )
  return closingDemandsRates
}
