// The invoice of a schedule: its taxes, and what its approval freezes: number, due date, and what else stands
// on it. Spec 2.9.

import { type Sql, sql, type Tx } from '../../platform/database/db.ts'
import { allNullable, named, PlainDate, Type, Uuid } from '../../platform/http/schema.ts'
import { ScheduleStatus } from '../../vocabulary/billing.ts'
import { Relationship } from '../../vocabulary/partners.ts'

const ScheduleTax = named(
  'ScheduleTax',
  Type.Object({
    taxRateId: Uuid,
    name: Type.String(),
    percent: Type.Number(),
    netAmount: Type.Number(),
    taxAmount: { ...Type.Number(), description: 'Rounded once, over the net amount.' },
  }),
)

/** The fields of a schedule that its invoice adds. */
export const invoiceFields = {
  ...allNullable({
    invoiceNumber: {
      ...Type.String(),
      description:
        "Given by the first approval of a client's schedule: the organisation's invoicePrefix and next " +
        'number. Numbers have no gaps and are never used again.',
    },
    dueDate: {
      ...PlainDate,
      description: "Set by the approval of a client's schedule: its date and the payment terms in days.",
    },
  }),
  taxes: Type.Array(ScheduleTax, {
    description: 'What is taxed at each tax rate. Tax is rounded once for each, over the total.',
  }),
  amountInclTax: Type.Number(),
}

const taxesOf = sql`partner_schedule_tax x
  where x.organisation_id = s.organisation_id and x.partner_schedule_id = s.id`

/** The taxes of schedule `s` as JSON, the highest percentage first. */
export const scheduleTaxes: Sql = sql`(
  select coalesce(json_agg(json_build_object('taxRateId', x.tax_rate_id, 'name', x.name,
    'percent', trim_scale(x.percent), 'netAmount', x.net_amount, 'taxAmount', x.tax_amount)
    order by x.percent desc, x.name, x.tax_rate_id), '[]')
  from ${taxesOf})`

/** The tax of schedule `s`, and its amount with tax. */
export const scheduleTaxAmount: Sql = sql`(select coalesce(sum(x.tax_amount), 0) from ${taxesOf})`
export const amountInclTax: Sql = sql`(s.amount_excl_tax + ${scheduleTaxAmount})`

/** The columns of `invoiceFields`. */
export const invoiceColumns: Sql = sql`s.invoice_number, s.due_date, ${scheduleTaxes} as taxes,
  ${amountInclTax} as amount_incl_tax`

/** What stands on an invoice besides its lines, as it was when the schedule was approved. */
export interface InvoiceFacts {
  partnerName: string
  partnerCode: string
  /** where the bill goes, line by line */
  partnerAddress: string | null
  organisationName: string
  address: string | null
  taxNumber: string | null
  taxName: string | null
  bankDetails: string | null
  /** the organisation's words; null if the partner has terms of its own */
  paymentTerms: string | null
  paymentTermsDays: number
  currencyCode: string | null
}

const currentFacts = sql`(
  select jsonb_build_object('partnerName', k.name, 'partnerCode', k.code, 'partnerAddress', k.billing_address,
    'organisationName', o.name,
    'address', o.address, 'taxNumber', o.tax_number, 'taxName', o.tax_name,
    'bankDetails', o.bank_details,
    'paymentTerms', case when k.payment_terms_days is null then o.payment_terms end,
    'paymentTermsDays', coalesce(k.payment_terms_days, o.payment_terms_days, 0),
    'currencyCode', o.currency_code)
  from partner k join organisation o on o.id = k.organisation_id
  where k.organisation_id = s.organisation_id and k.id = s.partner_id)`

/** The `InvoiceFacts` of schedule `s`: frozen once it is Approved, else as of now. */
export const invoiceFacts: Sql = sql`coalesce(s.invoice, ${currentFacts})`

/** How the partner `p` of schedule `s` was called at the approval; of a Draft, how it is called now. */
export const billedName: Sql = sql`coalesce(s.invoice ->> 'partnerName', p.name)`
export const billedCode: Sql = sql`coalesce(s.invoice ->> 'partnerCode', p.code)`

/** The logos that invoices of schedule `s` show today. */
const organisationLogo = sql`(
  select g.thumbnail from organisation_logo g where g.organisation_id = s.organisation_id)`
const partnerLogo = sql`(
  select g.thumbnail from partner_logo g
  where g.organisation_id = s.organisation_id and g.partner_id = s.partner_id)`

const frozenLogo = (sha256: Sql): Sql => sql`(
  select f.thumbnail from invoice_logo f
  where f.organisation_id = s.organisation_id and f.sha256 = ${sha256})`

/** The logos on the invoice of schedule `s`, as base64: frozen once it is Approved, else those of now. */
export const invoiceLogos: Sql = sql`
  encode(case when s.invoice is null then ${organisationLogo}
    else ${frozenLogo(sql`s.organisation_logo_sha256`)} end, 'base64') as organisation_logo,
  encode(case when s.invoice is null then ${partnerLogo}
    else ${frozenLogo(sql`s.partner_logo_sha256`)} end, 'base64') as partner_logo`

const isOfClient = sql`exists (
  select from partner k where k.organisation_id = s.organisation_id and k.id = s.partner_id
    and k.relationship = ${Relationship.Client})`

/**
 * Approves locked schedules of an organisation: freezes what stands on their invoices, and gives those of
 * clients the next invoice numbers, in the order of their dates. A schedule that was approved before keeps
 * its number. The organisation's row is locked until the transaction ends, so that a number that is given
 * back by a rollback is given again: call this last.
 */
export const issueInvoices = (tx: Tx, organisationId: string, ids: readonly string[]): Promise<number> =>
  tx.run(sql`
    with invoiced as materialized (
      select s.id, ${isOfClient} as is_of_client, s.invoice_ordinal is null and ${isOfClient} as is_new
      from partner_schedule s where s.organisation_id = ${organisationId} and s.id = any(${ids})
    ), kept as (
      insert into invoice_logo (organisation_id, sha256, thumbnail)
      select distinct ${organisationId}::uuid, sha256(l.thumbnail), l.thumbnail
      from partner_schedule s
      cross join lateral (values (${organisationLogo}), (${partnerLogo})) l (thumbnail)
      where s.organisation_id = ${organisationId} and s.id = any(${ids}) and l.thumbnail is not null
      on conflict do nothing
    ), numbered as (
      select s.id, row_number() over (order by s.date, s.id) - 1 as n
      from invoiced i join partner_schedule s on s.organisation_id = ${organisationId} and s.id = i.id
      where i.is_new
    ), taken as (
      update organisation o
      set next_invoice_number = o.next_invoice_number + (select count(*) from numbered)
      where o.id = ${organisationId} and exists (select from numbered)
      returning o.invoice_prefix, o.next_invoice_number - (select count(*) from numbered) as first
    ), given as (
      select i.id, i.is_of_client, t.first + n.n as ordinal, t.invoice_prefix
      from invoiced i left join numbered n on n.id = i.id left join taken t on n.id is not null
    )
    update partner_schedule s
    set status = ${ScheduleStatus.Approved}, invoice = ${currentFacts},
      organisation_logo_sha256 = sha256(${organisationLogo}), partner_logo_sha256 = sha256(${partnerLogo}),
      due_date = case when g.is_of_client
        then least(s.date + (${currentFacts} ->> 'paymentTermsDays')::integer, '9999-12-31'::date) end,
      invoice_ordinal = coalesce(s.invoice_ordinal, g.ordinal),
      invoice_number = coalesce(s.invoice_number,
        g.invoice_prefix || lpad(g.ordinal::text, greatest(6, length(g.ordinal::text)), '0'))
    from given g where s.organisation_id = ${organisationId} and s.id = g.id`)

/** Makes a locked schedule a Draft again. It keeps its invoice number for its next approval. */
export const withdrawInvoice = (tx: Tx, organisationId: string, id: string): Promise<number> =>
  tx.run(sql`
    update partner_schedule set status = ${ScheduleStatus.Draft}, invoice = null, due_date = null,
      organisation_logo_sha256 = null, partner_logo_sha256 = null
    where organisation_id = ${organisationId} and id = ${id}`)
