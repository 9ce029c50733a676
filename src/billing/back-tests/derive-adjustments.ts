// Derives adjusting transactions again, to verify them: the amount of each is a difference that its back-test
// found, after less before. Decision 7.

import { type Db, type Sql, sql } from '../../platform/database/db.ts'
import { chargeTypeOfKind } from './adjust.ts'

/** A transaction that bills a difference of a back-test, derived again. Amounts are decimals as text. */
export interface DerivedAdjustment {
  organisationId: string
  id: string
  rateCardBackTestId: string
  amountExclTax: string
  /** the amounts of the activity or freight that it adjusts; null if the back-test has no such difference */
  before: string | null
  after: string | null
  derivedExclTax: string | null
  isVerified: boolean
  /** the rates in which the consignment differs */
  rates: { name: string; before: number; after: number }[]
}

/** SQL: transaction `t` has the tax and the accounts of the charges that difference `f` corrects. */
const isBookedAlike = sql`(not f."isAsBilled"
  or (t.tax_rate_percent, t.revenue_account_id, t.cost_centre_id)
    is not distinct from (f."taxRatePercent", f."revenueAccountId", f."costCentreId"))`

/**
 * Derives the transactions `t` that bill differences of back-tests. A back-test identifies an activity by its
 * id, but a transaction by its code at the time. If the code has changed since, the difference with the same
 * amount is used.
 */
export const deriveAdjustments = (db: Db, where: Sql): Promise<DerivedAdjustment[]> =>
  db.rows(sql`
    select distinct on (t.id) t.organisation_id, t.id, t.rate_card_back_test_id,
      t.amount_excl_tax::text as amount_excl_tax, f.before::text as before, f.after::text as after,
      (f.after - f.before)::text as derived_excl_tax, coalesce(f.rates, '[]') as rates,
      (t.quantity, t.charge_rate_excl_tax, t.amount_excl_tax)
        is not distinct from (1::numeric, f.after - f.before, f.after - f.before)
        and ${isBookedAlike} as is_verified
    from schedule_transaction t
    left join (
      select d.organisation_id, d.rate_card_back_test_id, d.consignment_id, d.partner_id, d.rates,
        ${chargeTypeOfKind} as charge_type, y.code as activity_code, a.*
      from rate_card_back_test_difference d
      cross join lateral jsonb_to_recordset(d.activities) as a (kind integer, "activityTypeId" uuid,
        "taxRateId" uuid, "taxRatePercent" numeric(9, 6), "isAsBilled" boolean, "revenueAccountId" uuid,
        "costCentreId" uuid, before numeric(18, 2), after numeric(18, 2))
      left join activity_type y on y.organisation_id = d.organisation_id and y.id = a."activityTypeId"
    ) f on f.organisation_id = t.organisation_id and f.rate_card_back_test_id = t.rate_card_back_test_id
      and f.consignment_id = t.consignment_id and f.partner_id = t.partner_id
      and f."taxRateId" = t.tax_rate_id and f.charge_type = t.charge_type
    where t.rate_card_back_test_id is not null and ${where}
    order by t.id, f.after - f.before = t.amount_excl_tax desc nulls last, ${isBookedAlike} desc,
      f.activity_code is not distinct from t.activity_code desc`)
