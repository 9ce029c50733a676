// What closing does to money: charges are frozen with what they follow from, and become transactions.

import { sql, type Tx } from '../platform/database/db.ts'
import { type ClosingConsignment, freezeCharges, rateClosing } from './charges/freeze-charges.ts'
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
  const closing = await rateClosing(tx, organisationId, ids, date)
  const open = closing.filter(({ rated }) => rated.unrated.length > 0)
  const refused = open.length > 0 && (await demandsRates(tx, organisationId)) ? open : []
  const billed = closing.filter(one => !refused.includes(one))
  await freezeCharges(tx, organisationId, billed)
  await raiseScheduleTransactions(
    tx,
    organisationId,
    billed.map(({ subject }) => subject.id),
    date,
  )
  return new Map(refused.map(one => [one.subject.id, unratedMessages(one)]))
}

/** Whether work that nothing charges keeps a consignment from being Closed. */
async function demandsRates(tx: Tx, organisationId: string): Promise<boolean> {
  const { closingDemandsRates } = await tx.row<{ closingDemandsRates: boolean }>(
    sql`select closing_demands_rates from organisation where id = ${organisationId}`,
  )
  return closingDemandsRates
}
