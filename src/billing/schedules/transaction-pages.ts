// The transactions of a schedule page by page, so that one of any size takes the memory of one page.

import { stringify } from 'csv-stringify/sync'
import { type Db, empty, type Sql, sql } from '../../platform/database/db.ts'
import { transactionsWithChargeType } from './schedule-transaction.ts'

const pageRows = 1_000

/** A schedule whose transactions are read. */
export interface PagedSchedule {
  organisationId: string
  id: string
  /** transactions on it when reading begins */
  count: number
}

/** How many transactions schedule `s` has. */
export const transactionCount: Sql = sql`(
  select count(*) from schedule_transaction t
  where t.organisation_id = s.organisation_id and t.partner_schedule_id = s.id)`

/**
 * The transactions in the order of their dates, `columns` of each as `record`. Throws when the signal fires,
 * and at the end when the schedule was bundled again meanwhile: what is made of two of its states must not
 * look whole.
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
 * The lines of a table. A text that a spreadsheet would take for a formula begins with an apostrophe; figures
 * stay as they are.
 */
export const csvLines = (rows: readonly (readonly unknown[])[]): string =>
  stringify([...rows], {
    record_delimiter: '\r\n',
    escape_formulas: true,
    cast: {
      // A negative amount is no formula.
      number: value => ({ value: String(value), escape_formulas: false }),
      object: value => ({ value: String((value as { figure: string }).figure), escape_formulas: false }),
    },
  })
