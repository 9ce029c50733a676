// Exports a schedule as a file for another program. This changes nothing; POST …/exported marks it as
// exported. Spec 2.9; decision 7.

import { endpoint } from '../../access/endpoint.ts'
import { type Db, sql } from '../../platform/database/db.ts'
import { streamOf } from '../../platform/http/endpoint.ts'
import { maxFaults, notFound, verificationFailed } from '../../platform/http/refusal.ts'
import { IntegerEnum, Type } from '../../platform/http/schema.ts'
import { ScheduleExportFormat, ScheduleStatus } from '../../vocabulary/billing.ts'
import { Relationship } from '../../vocabulary/partners.ts'
import {
  type Invoice,
  type InvoiceLine,
  type InvoiceTable,
  myobInvoice,
  rowOf,
  xeroInvoice,
} from './export-rows.ts'
import { amountInclTax, invoiceFacts, scheduleTaxes } from './invoice.ts'
import { visibleSchedules } from './schedule.ts'
import { scheduleTransactionJson, transactionsWithChargeType } from './schedule-transaction.ts'
import { csvLines, transactionCount, transactionPages } from './transaction-pages.ts'
import { csvTable } from './transactions-csv.ts'

interface ExportedSchedule extends Omit<Invoice, 'invoiceNumber' | 'dueDate'> {
  organisationId: string
  id: string
  count: number
  relationship: number
  status: number
  invoiceNumber: string | null
  dueDate: string | null
  /** the schedule without its transactions, as JSON */
  head: object
}

/** The name of the tax of transaction `t` in the accounting program, as it is now. */
const taxCode = sql`(
  select nullif(x.accounting_code, '') from tax_rate x
  where x.organisation_id = t.organisation_id and x.id = t.tax_rate_id)`

const invoiceLine = sql`json_build_object(
  'date', t.date, 'consignmentNumber', t.consignment_number,
  'consignmentReferenceNumber', t.consignment_reference_number, 'particulars', t.particulars,
  'activityName', coalesce(t.activity_name, k.name), 'quantity', t.quantity::text,
  'chargeRate', t.charge_rate_excl_tax::text, 'chargeBase', t.base_charge_excl_tax::text,
  'chargeMin', t.min_charge_excl_tax::text, 'chargeMax', t.max_charge_excl_tax::text,
  'chargeApplication', t.charge_application, 'fafPercent', t.faf_percent::text,
  'amountExclTax', t.amount_excl_tax::text, 'revenueAccountCode', t.revenue_account_code,
  'costCentreCode', t.cost_centre_code, 'taxCode', ${taxCode})`

async function* jsonOf(db: Db, schedule: ExportedSchedule, signal: AbortSignal): AsyncGenerator<string> {
  yield `${JSON.stringify(schedule.head).slice(0, -1)},"transactions":[`
  let isFirst = true
  for await (const page of transactionPages<object>(db, schedule, scheduleTransactionJson, signal)) {
    yield `${isFirst ? '' : ','}${page.map(transaction => JSON.stringify(transaction)).join(',')}`
    isFirst = false
  }
  yield ']}'
}

async function* invoiceOf(
  db: Db,
  table: InvoiceTable,
  schedule: ExportedSchedule & Invoice,
  signal: AbortSignal,
): AsyncGenerator<string> {
  yield csvLines([table.headings])
  for await (const page of transactionPages<InvoiceLine>(db, schedule, invoiceLine, signal))
    yield csvLines(page.map(line => rowOf(table, schedule, line)))
}

interface IncompleteLine {
  date: string
  subject: string
  taxRateName: string
  hasAccount: boolean
  hasTaxCode: boolean
}

/** The transactions that lack what accounting programs require: a revenue account or a tax code. */
const readIncompleteLines = (db: Db, { organisationId, id }: ExportedSchedule): Promise<IncompleteLine[]> =>
  db.rows(sql`
    select t.date, concat_ws(' ', t.consignment_number, coalesce(t.particulars, t.activity_name, k.name))
      as subject, t.tax_rate_name, t.revenue_account_code is not null as has_account,
      ${taxCode} is not null as has_tax_code
    from ${transactionsWithChargeType}
    where t.organisation_id = ${organisationId} and t.partner_schedule_id = ${id}
      and (t.revenue_account_code is null or ${taxCode} is null)
    order by t.date, t.id limit ${maxFaults}`)

const describeIncomplete = ({ date, subject, hasAccount, hasTaxCode, taxRateName }: IncompleteLine): string =>
  `The line of ${date}${subject === '' ? '' : ` (${subject})`} ` +
  [
    ...(hasAccount ? [] : ['has no revenue account']),
    ...(hasTaxCode ? [] : [`has the tax rate ${taxRateName}, which has no accountingCode`]),
  ].join(', and ') +
  '.'

/**
 * Returns the schedule as an invoice. 400 if it is a carrier's, has no invoice number because it is a Draft,
 * or has lines without a revenue account or tax code, which accounting programs require.
 */
async function requireInvoice(db: Db, schedule: ExportedSchedule): Promise<ExportedSchedule & Invoice> {
  if (schedule.relationship === Relationship.Carrier)
    throw verificationFailed('The schedule is what a carrier is owed, not a sales invoice.')
  const { invoiceNumber, dueDate } = schedule
  if (schedule.status !== ScheduleStatus.Approved || invoiceNumber === null || dueDate === null)
    throw verificationFailed('The schedule is a Draft: its invoice gets a number when it is Approved.')
  const incomplete = await readIncompleteLines(db, schedule)
  if (incomplete.length > 0) throw verificationFailed(...incomplete.map(describeIncomplete))
  return { ...schedule, invoiceNumber, dueDate }
}

const csv = 'text/csv; charset=utf-8; header=present'

export const scheduleExport = [
  endpoint({
    get: '/v1/schedules/:partnerScheduleId/export',
    name: 'exportSchedule',
    partners: 'all',
    scope: 'financial.read',
    extension: true,
    summary: 'Export a schedule for another program',
    description:
      'Changes nothing; POST …/exported marks the schedule as exported. Xero and MYOB files are sales ' +
      'invoices: the schedule must be Approved, every line needs a revenue account, and every tax rate ' +
      'its accountingCode; lines without them are refused, each by name. A line whose quantity × unit ' +
      'amount is not exactly its amount has quantity 1 and the amount, with the arithmetic in its ' +
      'description. Dates of invoices are DD/MM/YYYY. CSV files begin with a byte order mark, so that ' +
      'spreadsheets read them as UTF-8. Texts that a spreadsheet would take for a formula begin with an ' +
      'apostrophe. If an error occurs midway, the connection breaks, so a file that ends normally is ' +
      'complete.',
    query: Type.Object({
      Format: Type.Optional({ ...IntegerEnum(ScheduleExportFormat), default: ScheduleExportFormat.Json }),
    }),
    response: streamOf('application/json', 'text/csv'),
    async handle({ db, actor, params, query, signal }) {
      const schedule = await db.maybe<ExportedSchedule>(sql`
        select s.organisation_id, s.id, s.date, s.status, s.invoice_number, s.due_date,
          s.reference_number as reference, p.relationship, ${transactionCount} as count, o.tracking_category,
          coalesce(p.accounting_name, ${invoiceFacts} ->> 'partnerName') as contact_name,
          ${invoiceFacts} ->> 'currencyCode' as currency_code,
          json_build_object('id', s.id, 'partner', json_build_object('id', p.id,
            'name', ${invoiceFacts} ->> 'partnerName', 'code', ${invoiceFacts} ->> 'partnerCode',
            'accountingName', p.accounting_name), 'date', s.date, 'invoiceNumber', s.invoice_number,
            'dueDate', s.due_date, 'referenceNumber', s.reference_number, 'description', s.description,
            'amountExclTax', s.amount_excl_tax, 'taxes', ${scheduleTaxes},
            'amountInclTax', ${amountInclTax}, 'status', s.status,
            'currencyCode', ${invoiceFacts} ->> 'currencyCode') as head
        from partner_schedule s
        join organisation o on o.id = s.organisation_id
        join partner p on p.organisation_id = s.organisation_id and p.id = s.partner_id
        where ${visibleSchedules(actor)} and s.id = ${params.partnerScheduleId}`)
      if (schedule === undefined) throw notFound('Schedule')
      const file = (suffix: string, contentType: string, bytes: AsyncIterable<string>) => ({
        fileName: `schedule-${schedule.date}${suffix}`,
        contentType,
        bytes,
      })
      switch (query.Format) {
        case ScheduleExportFormat.Csv:
          return file('.csv', csv, csvTable(db, schedule, signal))
        case ScheduleExportFormat.Xero:
          return file(
            '-xero.csv',
            csv,
            invoiceOf(db, xeroInvoice, await requireInvoice(db, schedule), signal),
          )
        case ScheduleExportFormat.Myob:
          return file(
            '-myob.csv',
            csv,
            invoiceOf(db, myobInvoice, await requireInvoice(db, schedule), signal),
          )
        default:
          return file('.json', 'application/json; charset=utf-8', jsonOf(db, schedule, signal))
      }
    },
  }),
]
