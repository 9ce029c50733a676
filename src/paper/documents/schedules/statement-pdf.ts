// The statement of a schedule: what a client is billed for a period, or what a carrier is owed. Spec 2.9;
// open-points 7.

import type { Actor } from '../../../access/actor.ts'
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
import { Relationship } from '../../../vocabulary/partners.ts'
import { PrintJobKind } from '../../../vocabulary/printing.ts'
import { paperEndpoints } from '../../paper-endpoints.ts'
import { amountOf, dateOf, figureOf, rateOf } from '../format.ts'
import { headColumn } from '../head.ts'
import type { Block, Cell, Fact, Head, Row } from '../paper.ts'
import { words } from '../words.ts'

type Transaction = Static<typeof ScheduleTransaction>

interface Statement {
  head: Head
  partnerId: string
  partnerName: string
  partnerCode: string
  relationship: number
  status: number
  date: string
  referenceNumber: string | null
  description: string | null
  taxNumber: string | null
  taxName: string | null
  address: string | null
  paymentTerms: string | null
  bankDetails: string | null
  transactions: Transaction[]
  /** the counted days of storage, by transaction id */
  days: ReadonlyMap<string, CountedDays[]>
  /** one entry per tax rate; the tax is rounded once per rate, to cents */
  taxes: { name: string; percent: number; amount: number; tax: number }[]
  total: number
  totalWithTax: number
}

const perRate = sql`
  select t.tax_rate_name as name, t.tax_rate_percent as percent, sum(t.amount_excl_tax) as amount,
    round(sum(t.amount_excl_tax) * t.tax_rate_percent / 100, 2) as tax
  from schedule_transaction t
  where t.organisation_id = s.organisation_id and t.partner_schedule_id = s.id
  group by 1, 2`

const sums = sql`
    select coalesce(json_agg(json_build_object('name', r.name, 'percent', trim_scale(r.percent),
        'amount', r.amount, 'tax', r.tax) order by r.percent desc, r.name), '[]') as taxes,
      coalesce(sum(r.amount), 0) as total, coalesce(sum(r.amount + r.tax), 0) as total_with_tax
    from (${perRate}) r`

function titleOf({ status, relationship, taxNumber }: Statement): string {
  if (status === ScheduleStatus.Draft) return words.titles.draftStatement
  if (relationship === Relationship.Carrier) return words.titles.carrierStatement
  return taxNumber === null ? words.titles.statement : words.titles.taxInvoice
}

const activityOf = ({ activityName, chargeTypeName }: Transaction): string =>
  activityName ?? chargeTypeName ?? words.otherCharges

/** Formats the counted days of storage in one line. */
const seriesOf = (days: readonly CountedDays[]): string =>
  days
    .map(({ from, to, counted, before }) => {
      const period = from === to ? dateOf(from) : words.days(dateOf(from) ?? '', dateOf(to) ?? '')
      return words.counted(period ?? '', figureOf(counted) ?? '', figureOf(before))
    })
    .join('; ')

/** Formats what determines an amount besides quantity and rate: base, minimum and maximum. */
const termsOf = ({ baseChargeExclTax: base, minChargeExclTax: min, maxChargeExclTax: max }: Transaction) =>
  [
    base ? words.base(amountOf(base)) : null,
    min ? words.minimum(amountOf(min)) : null,
    max ? words.maximum(amountOf(max)) : null,
  ]
    .filter(term => term !== null)
    .join(', ')

function particularsOf(transaction: Transaction, days: readonly CountedDays[] = []): Cell {
  const small = [termsOf(transaction), seriesOf(days)].filter(line => line !== '')
  return small.length === 0 ? transaction.particulars : { text: transaction.particulars, small }
}

/**
 * Rows for transactions by activity, then consignment and date, with a heading for each activity. Storage
 * charges show their counted days.
 */
function rowsOf({ transactions, days }: Statement): Row[] {
  const groups = Map.groupBy(transactions, activityOf)
  return [...groups].flatMap(([activity, activityTransactions]): Row[] => [
    { heading: activity, cells: [] },
    ...activityTransactions.map(transaction => ({
      cells: [
        dateOf(transaction.date),
        transaction.consignmentNumber,
        transaction.consignmentReferenceNumber,
        particularsOf(transaction, days.get(transaction.id)),
        figureOf(transaction.quantity),
        rateOf(transaction.chargeRateExclTax),
        amountOf(transaction.amountExclTax),
      ],
    })),
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
    { label: words.columns.amount, width: 'figures' },
  ],
  rows: rowsOf(statement),
})

const isForCarrier = ({ relationship }: Statement): boolean => relationship === Relationship.Carrier

function statementFacts(s: Statement): Fact[] {
  return [
    [words.facts.date, dateOf(s.date)],
    [words.facts.reference, s.referenceNumber],
    [isForCarrier(s) ? words.facts.carrier : words.facts.client, s.partnerName],
    [words.facts.code, s.partnerCode],
    [words.facts.paymentTerms, isForCarrier(s) ? null : s.paymentTerms],
    [words.facts.description, s.description],
  ]
}

const linesOf = (text: string | null): string[] => (text ?? '').split('\n').filter(line => line.trim() !== '')

/** The issuer, and the bank details for clients, who pay; carriers are paid. */
function partiesBlock(s: Statement): Block {
  const taxNumber = s.taxNumber === null ? [] : [`${words.taxNumberOf(s.taxName)} ${s.taxNumber}`]
  const from = [s.head.organisationName, ...linesOf(s.address), ...taxNumber]
  const issuerAndBank = [
    { label: words.from, lines: from },
    { label: words.bankDetails, lines: isForCarrier(s) ? [] : linesOf(s.bankDetails) },
  ]
  return { kind: 'parties', parties: issuerAndBank.filter(({ lines }) => lines.length > 0) }
}

const sumsOf = ({ taxes, total, totalWithTax, taxName }: Statement): Block => ({
  kind: 'sums',
  sums: [
    [words.sums.exclTax, amountOf(total)],
    ...taxes.map(({ name, percent, tax }): readonly [string, string] => [
      words.sums.tax(taxName ?? name, figureOf(percent) as string),
      amountOf(tax),
    ]),
    [words.sums.total, amountOf(totalWithTax)],
  ],
})

/** What the days of storage count, by transaction. */
const readDays = async (db: Db, { organisationId }: Actor, transactions: readonly Transaction[]) => {
  const storage = transactions.filter(({ type }) => type === ScheduleTransactionType.StorageCharge)
  const ids = storage.map(({ id }) => id)
  if (ids.length === 0) return new Map<string, CountedDays[]>()
  return readCountedDays(db, sql`t.organisation_id = ${organisationId} and t.id = any(${ids})`)
}

export const statementPdf = paperEndpoints({
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
      select ${headColumn(actor, 's.partner_id', 'o.timezone_id')}, s.partner_id, k.name as partner_name,
        k.code as partner_code, k.relationship, s.status, s.date, s.reference_number, s.description,
        o.tax_number, o.tax_name, o.address, o.payment_terms, o.bank_details, sums.taxes, sums.total,
        sums.total_with_tax, (
          select coalesce(json_agg(${scheduleTransactionJson} order by
            coalesce(t.activity_name, k.name), t.consignment_number, t.date, t.id), '[]')
          from ${transactionsWithChargeType}
          where t.organisation_id = s.organisation_id and t.partner_schedule_id = s.id
        ) as transactions
      from partner_schedule s
      join organisation o on o.id = s.organisation_id
      join partner k on k.organisation_id = s.organisation_id and k.id = s.partner_id
      cross join lateral (${sums}) sums
      where ${visibleSchedules(actor)} and s.id = ${params.partnerScheduleId}`)
    if (found === undefined) throw notFound('Schedule')
    const statement = { ...found, days: await readDays(db, actor, found.transactions) }
    const { head, partnerId, referenceNumber, date } = statement
    return {
      title: titleOf(statement),
      number: referenceNumber ?? date,
      hasBarcode: false,
      head,
      partnerId,
      consignmentId: null,
      blocks: [
        { kind: 'facts', facts: statementFacts(statement) },
        partiesBlock(statement),
        transactionTable(statement),
        sumsOf(statement),
      ],
    }
  },
})
