// Exports the transactions of a schedule as CSV for spreadsheets and accounting. The table is read and sent
// page by page, so that a schedule of any size needs the memory of one page.

import { endpoint } from '../../access/endpoint.ts'
import { type Db, sql } from '../../platform/database/db.ts'
import { streamOf } from '../../platform/http/endpoint.ts'
import { notFound } from '../../platform/http/refusal.ts'
import type { Static } from '../../platform/http/schema.ts'
import { visibleSchedules } from './schedule.ts'
import { ScheduleTransaction, scheduleTransactionJson } from './schedule-transaction.ts'
import { csvLines, type PagedSchedule, transactionCount, transactionPages } from './transaction-pages.ts'

type Transaction = Static<typeof ScheduleTransaction>
const columns = Object.keys(ScheduleTransaction.properties) as (keyof Transaction)[]
const invoiceColumns = ['invoiceNumber', 'dueDate'] as const

/** A schedule whose rows name its invoice. */
export type TableSchedule = PagedSchedule & Record<(typeof invoiceColumns)[number], string | null>

/** Tells spreadsheets that a table is UTF-8. */
const byteOrderMark = '\u{feff}'

/** Yields the table piece by piece. Throws as `transactionPages` does. */
export async function* csvTable(
  db: Db,
  schedule: TableSchedule,
  signal: AbortSignal,
): AsyncGenerator<string> {
  yield byteOrderMark + csvLines([[...columns, ...invoiceColumns]])
  const invoice = invoiceColumns.map(name => schedule[name])
  for await (const page of transactionPages<Transaction>(db, schedule, scheduleTransactionJson, signal))
    yield csvLines(page.map(record => [...columns.map(name => record[name]), ...invoice]))
}

export const scheduleTransactionsCsv = [
  endpoint({
    get: '/v1/schedules/:partnerScheduleId/transactions/csv',
    name: 'exportScheduleTransactions',
    partners: 'all',
    scope: 'financial.read',
    extension: true,
    summary: 'Export the transactions of a schedule as CSV',
    description:
      'UTF-8 with a byte order mark and a header row: the field names of a transaction, then invoiceNumber ' +
      'and dueDate of the schedule. The earliest date comes first. Texts that a spreadsheet would take for ' +
      'a formula begin with an apostrophe. If an error occurs midway, the connection breaks, so a file ' +
      'that ends normally is complete.',
    response: streamOf('text/csv'),
    async handle({ db, actor, params, signal }) {
      const schedule = await db.maybe<TableSchedule & { date: string }>(sql`
        select s.organisation_id, s.id, s.date, s.invoice_number, s.due_date, ${transactionCount} as count
        from partner_schedule s where ${visibleSchedules(actor)} and s.id = ${params.partnerScheduleId}`)
      if (schedule === undefined) throw notFound('Schedule')
      return {
        fileName: `schedule-${schedule.date}.csv`,
        contentType: 'text/csv; charset=utf-8; header=present',
        bytes: csvTable(db, schedule, signal),
      }
    },
  }),
]
