// Derives credits again: each is its share of the transaction that it credits, or the amount that was
// entered, and never more than was left of that.

import { type Db, raw, type Sql, sql } from '../../platform/database/db.ts'
import { ScheduleTransactionStatus } from '../../vocabulary/billing.ts'

/** A credit, derived again. Decimals are text. */
export interface DerivedCredit {
  id: string
  creditOf: string
  amountExclTax: string
  /** the amount and quantity of the credited transaction */
  originalExclTax: string
  originalQuantity: string
  /** null if an amount was credited */
  creditedQuantity: string | null
  /** what was left of the credited transaction before this credit */
  creditableExclTax: string
  derivedExclTax: string
  isVerified: boolean
}

/** What a credit `t` of transaction `o` comes to: the share of a quantity, or what was entered. */
export const derivedCredit: Sql = sql`case
  when t.credited_quantity is null then t.charge_rate_excl_tax
  when t.credited_quantity = t.creditable_quantity then -t.creditable_excl_tax
  else -least(t.creditable_excl_tax,
    round(o.amount_excl_tax * t.credited_quantity / nullif(o.quantity, 0), 2)) end`

const voided = raw(String(ScheduleTransactionStatus.Void))

/** Whether a credit `t` has all that it must have in common with transaction `o`, and follows from it. */
export const followsFromOriginal: Sql = sql`(t.amount_excl_tax = ${derivedCredit}
  and t.charge_rate_excl_tax = t.amount_excl_tax
  and t.quantity = coalesce(t.credited_quantity, 1) and o.credit_of is null and o.amount_excl_tax > 0
  and (t.status = ${voided} or o.status <> ${voided})
  and (t.partner_id, t.type, t.consignment_id, t.charge_type, t.tax_rate_id, t.tax_rate_percent,
    t.tax_rate_name, t.revenue_account_id, t.cost_centre_id, t.activity_code)
    is not distinct from (o.partner_id, o.type, o.consignment_id, o.charge_type, o.tax_rate_id,
    o.tax_rate_percent, o.tax_rate_name, o.revenue_account_id, o.cost_centre_id, o.activity_code))`

/** Derives the credits `t`. */
export const deriveCredits = (db: Db, where: Sql): Promise<DerivedCredit[]> =>
  db.rows(sql`
    select t.id, t.credit_of, t.amount_excl_tax::text as amount_excl_tax,
      o.amount_excl_tax::text as original_excl_tax, o.quantity::text as original_quantity,
      t.credited_quantity::text as credited_quantity, t.creditable_excl_tax::text as creditable_excl_tax,
      (${derivedCredit})::numeric(18, 2)::text as derived_excl_tax, ${followsFromOriginal} as is_verified
    from schedule_transaction t
    join schedule_transaction o on o.organisation_id = t.organisation_id and o.id = t.credit_of
    where ${where} order by t.id`)
