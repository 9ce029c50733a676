// The statement of a schedule: what a client is billed for a period, or what a carrier is owed. Spec 2.9;
// decision 7.

import type { Actor } from '../../../access/actor.ts'
import {
  amountInclTax,
  type InvoiceFacts,
  invoiceFacts,
  invoiceLogos,
  scheduleTaxes,
} from '../../../billing/schedules/invoice.ts'
import { visibleSchedules } from '../../../billing/schedules/schedule.ts'
import {
  type ScheduleTransaction,
  scheduleTransactionJson,
  transactionsWithChargeType,
} from '../../../billing/schedules/schedule-transaction.ts'
import { type CountedDays, readCountedDays } from '../../../billing/storage/statement-days.ts'
import { type Db, sql } from '../../../platform/database/db.ts'
import { notFound } from '../../../platform/http/refusal.ts'
import type { Static } from '../../../platform/http/schema.ts'
import { ScheduleStatus, ScheduleTransactionType } from '../../../vocabulary/billing.ts'
import { PrintJobKind } from '../../../vocabulary/paper.ts'
import { Relationship } from '../../../vocabulary/partners.ts'
import { documentEndpoints } from '../../document-endpoints.ts'
import type { Block, Cell, Field, PageHeader, Row } from '../document-content.ts'
import { formatAmount, formatDate, formatFigure, formatRate } from '../format.ts'
import { headerColumn } from '../page-header.ts'
import { words } from '../words.ts'

type Transaction = Static<typeof ScheduleTransaction>

interface Statement {
  header: PageHeader
  partnerId: string
  /** what stands on the invoice: frozen once it is Approved */
  facts: InvoiceFacts
  organisationLogo: string | null
  partnerLogo: string | null
  invoiceNumber: string | null
  /** for a Draft, when it would be due */
  dueDate: string
  relationship: number
  status: number
  date: string
  referenceNumber: string | null
  description: string | null
  transactions: Transaction[]
  /** the counted days of storage, by transaction id */
  days: ReadonlyMap<string, CountedDays[]>
  /** one entry per tax rate; the tax is rounded once per rate, to cents */
  taxes: { name: string; percent: number; netAmount: number; taxAmount: number }[]
  total: number
  totalWithTax: number
}

function titleOf({ status, relationship, facts: { taxNumber } }: Statement): string {
  if (status === ScheduleStatus.Draft) return words.titles.draftStatement
  if (relationship === Relationship.Carrier) return words.titles.carrierStatement
  return taxNumber === null ? words.titles.statement : words.titles.taxInvoice
}

/** What a charge is for, in the words of whoever pays it: its activity, or what kind of work it is. */
function headingOf({ activityName, chargeTypeCode, type }: Transaction): string {
  if (activityName !== null) return activityName
  if (/Freight/.test(chargeTypeCode ?? '') || type === ScheduleTransactionType.FreightCharge)
    return words.statement.freight
  if (type === ScheduleTransactionType.StorageCharge) return words.statement.storage
  return /Activity/.test(chargeTypeCode ?? '') || type === ScheduleTransactionType.ActivityCharge
    ? words.statement.services
    : words.otherCharges
}

/** Adds up amounts of money exactly. */
const sumOfAmounts = (transactions: readonly Transaction[]): number =>
  transactions.reduce((cents, { amountExclTax }) => cents + Math.round(amountExclTax * 100), 0) / 100

/** Formats the counted days of storage in one line. */
const describeCountedDays = (days: readonly CountedDays[]): string =>
  days
    .map(({ from, to, counted, before }) => {
      const period = from === to ? formatDate(from) : words.days(formatDate(from) ?? '', formatDate(to) ?? '')
      return words.counted(period ?? '', formatFigure(counted) ?? '', formatFigure(before))
    })
    .join('; ')

/** Formats what determines an amount besides quantity and rate: base, minimum and maximum. */
const describeChargeTerms = ({
  baseChargeExclTax: base,
  minChargeExclTax: min,
  maxChargeExclTax: max,
}: Transaction) =>
  [
    base ? words.base(formatAmount(base)) : null,
    min ? words.minimum(formatAmount(min)) : null,
    max ? words.maximum(formatAmount(max)) : null,
  ]
    .filter(term => term !== null)
    .join(', ')

/** Whether storage of several warehouses is billed, of which each has lines that else read alike. */
const isOfSeveralWarehouses = ({ transactions }: Statement): boolean =>
  new Set(transactions.flatMap(({ warehouseName }) => warehouseName ?? [])).size > 1

function particularsCell(
  transaction: Transaction,
  warehouse: string | null,
  days: readonly CountedDays[] = [],
): Cell {
  const lines = [warehouse, describeChargeTerms(transaction), describeCountedDays(days)]
  const small = lines.filter(line => line !== null && line !== '')
  return small.length === 0 ? transaction.particulars : { text: transaction.particulars, small }
}

/**
 * Rows for transactions by activity, then consignment and date, with a heading for each activity, and a
 * subtotal if there are several. Storage charges show their counted days, and which warehouse they are of if
 * there are several.
 */
function rowsOf(statement: Statement): Row[] {
  const { transactions, days, taxes } = statement
  const namesWarehouses = isOfSeveralWarehouses(statement)
  const groups = Map.groupBy(transactions, headingOf)
  return [...groups].flatMap(([heading, headingTransactions]): Row[] => [
    { heading, cells: [] },
    ...headingTransactions.map(transaction => ({
      cells: [
        formatDate(transaction.date),
        transaction.consignmentNumber,
        transaction.consignmentReferenceNumber,
        particularsCell(
          transaction,
          namesWarehouses ? transaction.warehouseName : null,
          days.get(transaction.id),
        ),
        formatFigure(transaction.quantity),
        formatRate(transaction.chargeRateExclTax),
        taxes.length > 1 ? words.percent(formatFigure(transaction.taxRatePercent) as string) : null,
        formatAmount(transaction.amountExclTax),
      ],
    })),
    ...(groups.size === 1
      ? []
      : [
          {
            cells: [
              ...[null, null, null],
              { text: words.statement.subtotal(heading), bold: true },
              ...[null, null, null],
              { text: formatAmount(sumOfAmounts(headingTransactions)), bold: true },
            ],
          },
        ]),
  ])
}

const transactionTable = (statement: Statement): Block => ({
  kind: 'table',
  columns: [
    { label: words.columns.date, width: 22 },
    { label: words.columns.consignment, width: 31 },
    { label: words.columns.reference, width: '1fr' },
    { label: words.columns.particulars, width: '2fr' },
    { label: words.columns.quantity, width: 'figures' },
    { label: words.columns.rate, width: 'figures' },
    // Where one rate applies to all, the sums say which.
    { label: statement.facts.taxName ?? words.columns.tax, width: 'figures' },
    { label: words.columns.amount, width: 'figures' },
  ],
  rows: rowsOf(statement),
})

const isForCarrier = ({ relationship }: Statement): boolean => relationship === Relationship.Carrier

/** The partner's own terms in days, else the organisation's words, else its days. */
const describePaymentTerms = ({ paymentTerms, paymentTermsDays }: InvoiceFacts): string | null =>
  paymentTerms ?? (paymentTermsDays > 0 ? words.paymentTermsDays(paymentTermsDays) : null)

function statementFields(s: Statement): Field[] {
  return [
    [words.fields.date, formatDate(s.date)],
    [words.fields.invoiceNumber, s.invoiceNumber],
    [words.fields.reference, s.referenceNumber],
    [isForCarrier(s) ? words.fields.carrier : words.fields.client, s.facts.partnerName],
    [words.fields.code, s.facts.partnerCode],
    [words.fields.due, isForCarrier(s) ? null : formatDate(s.dueDate)],
    [words.fields.paymentTerms, isForCarrier(s) ? null : describePaymentTerms(s.facts)],
    [words.fields.description, s.description],
  ]
}

const splitLines = (text: string | null): string[] =>
  (text ?? '').split('\n').filter(line => line.trim() !== '')

/** The issuer, the partner, and the bank details for clients, who pay; carriers are paid. */
function partiesBlock(s: Statement): Block {
  const { organisationName, address, taxNumber: number, taxName, bankDetails } = s.facts
  const { partnerName, partnerAddress } = s.facts
  const to = [partnerName, ...splitLines(partnerAddress ?? null)]
  const taxNumber = number === null ? [] : [`${words.taxNumberOf(taxName)} ${number}`]
  const from = [organisationName, ...splitLines(address), ...taxNumber]
  const issuerAndBank = [
    { label: words.from, lines: from },
    { label: words.to, lines: to },
    { label: words.bankDetails, lines: isForCarrier(s) ? [] : splitLines(bankDetails) },
  ]
  return { kind: 'parties', parties: issuerAndBank.filter(({ lines }) => lines.length > 0) }
}

const sumsBlock = ({ taxes, total, totalWithTax, facts: { taxName } }: Statement): Block => ({
  kind: 'sums',
  sums: [
    [words.sums.exclTax, formatAmount(total)],
    ...taxes.map(({ name, percent, taxAmount }): readonly [string, string] => [
      words.sums.tax(taxName ?? name, formatFigure(percent) as string),
      formatAmount(taxAmount),
    ]),
    [words.sums.total, formatAmount(totalWithTax)],
  ],
})

/** What the days of storage count, by transaction. */
const readDays = async (db: Db, { organisationId }: Actor, transactions: readonly Transaction[]) => {
  const storage = transactions.filter(
    ({ type, creditOf }) => type === ScheduleTransactionType.StorageCharge && creditOf === null,
  )
  const ids = storage.map(({ id }) => id)
  if (ids.length === 0) return new Map<string, CountedDays[]>()
  return readCountedDays(db, sql`t.organisation_id = ${organisationId} and t.id = any(${ids})`)
}

export const statementPdf = documentEndpoints({
  path: '/v1/schedules/:partnerScheduleId/statement-pdf',
  name: 'Statement',
  partners: 'all',
  scope: 'financial.read',
  subject: 'the statement of a schedule',
  description:
    'A tax invoice if the schedule is Approved, its partner is a client and the organisation has a ' +
    'taxNumber.',
  kind: PrintJobKind.Statement,
  maxLines: 10_000,
  options: {},
  async read({ db, actor, params }) {
    const found = await db.maybe<Omit<Statement, 'days'>>(sql`
      select ${headerColumn(actor, 's.partner_id', 'o.timezone_id')}, s.partner_id, k.relationship,
        ${invoiceFacts} as facts, ${invoiceLogos}, s.invoice_number,
        coalesce(s.due_date, s.date + (${invoiceFacts} ->> 'paymentTermsDays')::integer) as due_date,
        s.status, s.date, s.reference_number, s.description, ${scheduleTaxes} as taxes,
        s.amount_excl_tax as total, ${amountInclTax} as total_with_tax, (
          select coalesce(json_agg(${scheduleTransactionJson} order by
            coalesce(t.activity_name, k.name), t.consignment_number, t.date, t.id), '[]')
          from ${transactionsWithChargeType}
          where t.organisation_id = s.organisation_id and t.partner_schedule_id = s.id
        ) as transactions
      from partner_schedule s
      join organisation o on o.id = s.organisation_id
      join partner k on k.organisation_id = s.organisation_id and k.id = s.partner_id
      where ${visibleSchedules(actor)} and s.id = ${params.partnerScheduleId}`)
    if (found === undefined) throw notFound('Schedule')
    const statement = { ...found, days: await readDays(db, actor, found.transactions) }
    const { header, facts, partnerId, invoiceNumber, referenceNumber, date } = statement
    return {
      title: titleOf(statement),
      number: invoiceNumber ?? referenceNumber ?? date,
      hasBarcode: false,
      header: {
        ...header,
        ...{ organisationName: facts.organisationName, clientName: facts.partnerName },
        ...{ organisationLogo: statement.organisationLogo, clientLogo: statement.partnerLogo },
      },
      partnerId,
      consignmentId: null,
      blocks: [
        { kind: 'fields', fields: statementFields(statement) },
        partiesBlock(statement),
        transactionTable(statement),
        sumsBlock(statement),
      ],
    }
  },
})
