// Exports a schedule as a file for another program. This changes nothing; POST …/exported marks it as
// exported. Spec 2.9; open-points 7.

import { type Db, sql } from '../../platform/database/db.ts'
import { endpoint, stream } from '../../platform/http/endpoint.ts'
import { notFound, verificationFailed } from '../../platform/http/refusal.ts'
import { IntegerEnum, Type } from '../../platform/http/schema.ts'
import { ScheduleExportFormat } from '../../vocabulary/billing.ts'
import { Relationship } from '../../vocabulary/partners.ts'
import {
  type Invoice,
  type InvoiceLine,
  type InvoiceTable,
  myobInvoice,
  myobNumber,
  rowOf,
  xeroInvoice,
} from './export-rows.ts'
import { visibleSchedules } from './schedule.ts'
import { scheduleTransactionJson } from './schedule-transaction.ts'
import { csvLines, transactionCount, transactionPages } from './transaction-pages.ts'
import { csvTable } from './transactions-csv.ts'

interface ExportedSchedule extends Omit<Invoice, 'invoiceNumber'> {
  organisationId: string
  id: string
  count: number
  relationship: number
  referenceNumber: string | null
  /** the schedule without its transactions, as JSON */
  head: object
}

const invoiceLine = sql`json_build_object(
  'date', t.date, 'consignmentNumber', t.consignment_number,
  'consignmentReferenceNumber', t.consignment_reference_number, 'particulars', t.particulars,
  'activityName', coalesce(t.activity_name, k.name), 'quantity', t.quantity::text,
  'chargeRate', t.charge_rate_excl_tax::text, 'chargeBase', t.base_charge_excl_tax::text,
  'chargeMin', t.min_charge_excl_tax::text, 'chargeMax', t.max_charge_excl_tax::text,
  'chargeApplication', t.charge_application, 'fafPercent', t.faf_percent::text,
  'amountExclTax', t.amount_excl_tax::text, 'revenueAccountCode', t.revenue_account_code,
  'costCentreCode', t.cost_centre_code, 'taxCode', coalesce((
    select x.accounting_code from tax_rate x
    where x.organisation_id = t.organisation_id and x.id = t.tax_rate_id), t.tax_rate_name))`

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

/** Returns the schedule as an invoice. 400 if it is a carrier's, or has no reference number. */
function requireInvoice(schedule: ExportedSchedule): ExportedSchedule & Invoice {
  if (schedule.relationship === Relationship.Carrier)
    throw verificationFailed('The schedule is what a carrier is owed; it is no sales invoice.')
  if (schedule.referenceNumber === null)
    throw verificationFailed('The schedule has no reference number, which the invoice would be known by.')
  return { ...schedule, invoiceNumber: schedule.referenceNumber }
}

/** Returns the schedule as an invoice for MYOB. 400 also if its number is too long. */
function requireMyobInvoice(schedule: ExportedSchedule): ExportedSchedule & Invoice {
  const invoice = requireInvoice(schedule)
  const invoiceNumber = myobNumber(invoice.invoiceNumber)
  if (invoiceNumber === null)
    throw verificationFailed(
      'MYOB takes invoice numbers of at most 13 characters: give the schedule a shorter reference number.',
    )
  return { ...invoice, invoiceNumber }
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
      'invoices, which need a reference number. A line whose quantity × unit amount is not exactly its ' +
      'amount has quantity 1 and the amount, with the arithmetic in its description. Dates of invoices are ' +
      'DD/MM/YYYY. MYOB allows invoice numbers of 13 characters: a longer one is reduced to its letters ' +
      'and digits, and refused if that is still too long. Texts that a spreadsheet would take for a ' +
      'formula begin with an apostrophe. If an error occurs midway, the connection breaks, so a file that ' +
      'ends normally is complete.',
    query: Type.Object({
      Format: Type.Optional({ ...IntegerEnum(ScheduleExportFormat), default: ScheduleExportFormat.Json }),
    }),
    response: stream,
    async handle({ db, actor, params, query, signal }) {
      const schedule = await db.maybe<ExportedSchedule>(sql`
        select s.organisation_id, s.id, s.date, s.reference_number, p.relationship,
          ${transactionCount} as count, coalesce(p.accounting_name, p.name) as contact_name,
          coalesce(p.payment_terms_days, o.payment_terms_days, 0) as payment_terms_days,
          o.currency_code, o.tracking_category,
          json_build_object('id', s.id, 'partner', json_build_object('id', p.id, 'name', p.name,
            'code', p.code, 'accountingName', p.accounting_name), 'date', s.date,
            'referenceNumber', s.reference_number, 'description', s.description,
            'amountExclTax', s.amount_excl_tax, 'status', s.status, 'currencyCode', o.currency_code) as head
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
          return file('-xero.csv', csv, invoiceOf(db, xeroInvoice, requireInvoice(schedule), signal))
        case ScheduleExportFormat.Myob:
          return file('-myob.csv', csv, invoiceOf(db, myobInvoice, requireMyobInvoice(schedule), signal))
        default:
          return file('.json', 'application/json; charset=utf-8', jsonOf(db, schedule, signal))
      }
    },
  }),
]
