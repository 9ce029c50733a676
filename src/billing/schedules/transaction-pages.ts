// Reads the transactions of a schedule page by page, so that a schedule of any size needs the memory of one.

import { stringify } from 'csv-stringify/sync'
import { type Db, empty, type Sql, sql } from '../../platform/database/db.ts'
import { transactionsWithChargeType } from './schedule-transaction.ts'

const pageRows = 1_000

/** A schedule whose transactions are read page by page. */
export interface PagedSchedule {
  organisationId: string
  id: string
  /** how many transactions it has when reading begins */
  count: number
}

/** How many transactions schedule `s` has. */
export const transactionCount: Sql = sql`(
  select count(*) from schedule_transaction t
  where t.organisation_id = s.organisation_id and t.partner_schedule_id = s.id)`

/**
 * Yields the transactions page by page in the order of their dates; `record` is a JSON expression on `t` and
 * `k`. Throws when the signal fires, and at the end if the number of transactions changed meanwhile, because
 * an export that mixes two states of the schedule must not look complete.
 */
export async function* transactionPages<Record>(
  db: Db,
  schedule: PagedSchedule,
  record: Sql,
  signal: AbortSignal,
): AsyncGenerator<Record[]> {
  let count = 0
  let last: { id: string; date: string } | undefined
  do {
    signal.throwIfAborted()
    const page: { id: string; date: string; record: Record }[] = await db.rows(sql`
      select t.id, t.date, ${record} as record
      from ${transactionsWithChargeType}
      where t.organisation_id = ${schedule.organisationId} and t.partner_schedule_id = ${schedule.id}
        ${last === undefined ? empty : sql`and (t.date, t.id) > (${last.date}, ${last.id})`}
      order by t.date, t.id limit ${pageRows}`)
    if (page.length > 0) yield page.map(row => row.record)
    count += page.length
    last = page.length < pageRows ? undefined : page.at(-1)
  } while (last !== undefined)
  if (count !== schedule.count)
    throw new Error('The transactions of the schedule changed while they were exported.')
}

/**
 * Formats rows as CSV lines. A text that a spreadsheet would take for a formula is prefixed with an
 * apostrophe; numbers stay unchanged.
 */
export const csvLines = (rows: readonly (readonly unknown[])[]): string =>
  stringify([...rows], {
    record_delimiter: '\r\n',
    escape_formulas: true,
    cast: {
      // A negative amount is not a formula.
      number: value => ({ value: String(value), escape_formulas: false }),
      object: value => ({ value: String((value as { figure: string }).figure), escape_formulas: false }),
    },
  })
