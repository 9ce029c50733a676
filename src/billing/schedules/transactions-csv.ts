// The transactions of a schedule as a table for spreadsheets and accounting: made and sent page by page, so
// that a schedule of any size takes the memory of one page.

import { stringify } from 'csv-stringify/sync'
import { type Db, empty, sql } from '../../platform/database/db.ts'
import { endpoint, stream } from '../../platform/http/endpoint.ts'
import { notFound } from '../../platform/http/refusal.ts'
import type { Static } from '../../platform/http/schema.ts'
import { visibleSchedules } from './schedule.ts'
import { ScheduleTransaction, scheduleTransactionJson } from './schedule-transaction.ts'

const columns = Object.keys(ScheduleTransaction.properties) as (keyof Static<typeof ScheduleTransaction>)[]
const pageRows = 1_000

/** The lines of a table. A text that a spreadsheet would take for a formula begins with an apostrophe. */
const linesOf = (rows: readonly (readonly unknown[])[]): string =>
  stringify([...rows], {
    record_delimiter: '\r\n',
    escape_formulas: true,
    // A negative amount is no formula.
    cast: { number: value => ({ value: String(value), escape_formulas: false }) },
  })

interface Exported {
  organisationId: string
  id: string
  date: string
  /** transactions on it when the export began */
  count: number
}

interface Row {
  id: string
  date: string
  record: Static<typeof ScheduleTransaction>
}

/**
 * The table in pieces. Throws when the signal fires, and at the end when the schedule was bundled again
 * meanwhile: a table made of two of its states must not look whole.
 */
export async function* tableOf(db: Db, schedule: Exported, signal: AbortSignal): AsyncGenerator<string> {
  yield linesOf([columns])
  let count = 0
  let last: Row | undefined
  do {
    signal.throwIfAborted()
    const page: Row[] = await db.rows<Row>(sql`
      select t.id, t.date, ${scheduleTransactionJson} as record
      from schedule_transaction t join charge_type k on k.charge_type = t.charge_type
      where t.organisation_id = ${schedule.organisationId} and t.partner_schedule_id = ${schedule.id}
        ${last === undefined ? empty : sql`and (t.date, t.id) > (${last.date}, ${last.id})`}
      order by t.date, t.id limit ${pageRows}`)
    if (page.length > 0) yield linesOf(page.map(({ record }) => columns.map(name => record[name])))
    count += page.length
    last = page.length < pageRows ? undefined : page.at(-1)
  } while (last !== undefined)
  if (count !== schedule.count)
    throw new Error('The transactions of the schedule changed while they were exported.')
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
      'UTF-8, a header with the field names of a transaction, the earliest date first. Texts that begin as ' +
      'a formula does have an apostrophe before them. The connection breaks when something goes wrong in ' +
      'the middle, so that a table that ends is whole.',
    answer: stream,
    async handle({ db, actor, params, signal }) {
      const schedule = await db.maybe<Exported>(sql`
        select s.organisation_id, s.id, s.date, (
          select count(*) from schedule_transaction t
          where t.organisation_id = s.organisation_id and t.partner_schedule_id = s.id) as count
        from partner_schedule s where ${visibleSchedules(actor)} and s.id = ${params.partnerScheduleId}`)
      if (schedule === undefined) throw notFound('Schedule')
      return {
        fileName: `schedule-${schedule.date}.csv`,
        contentType: 'text/csv; charset=utf-8; header=present',
        bytes: tableOf(db, schedule, signal),
      }
    },
  }),
]
