// Raises transactions without a consignment: periodic fees, and charges entered by hand for a partner. Spec
// 2.9; decision 7.

import { sql, type Tx } from '../../platform/database/db.ts'
import { tableOf } from '../../platform/database/table-of.ts'
import { newId } from '../../platform/new-id.ts'

/** A transaction to raise as Pending. Decimals are text; absent fields become null. */
export interface NewTransaction {
  partnerId: string
  date: string
  type: number
  particulars?: string | null
  activityCode?: string | null
  activityName?: string | null
  revenueAccountId?: string | null
  costCentreId?: string | null
  quantity: string
  chargeRateExclTax: string
  chargeApplication: number
  taxRateId: string
  amountExclTax: string
  periodFrom?: string
  periodTo?: string
  /** the rate charge that it follows from: all four fields or none */
  rateCardVersionId?: string
  rateId?: string
  rateChargeId?: string
  groupKey?: string
  billingRunId?: string
  /** who entered it */
  createdBy?: string
}

const fields: Record<keyof NewTransaction | 'id', string> = {
  ...{ id: 'uuid', partnerId: 'uuid', date: 'date', type: 'smallint', particulars: 'text' },
  ...{ activityCode: 'text', activityName: 'text', revenueAccountId: 'uuid', costCentreId: 'uuid' },
  ...{ quantity: 'numeric', chargeRateExclTax: 'numeric', chargeApplication: 'smallint' },
  ...{ taxRateId: 'uuid', amountExclTax: 'numeric', periodFrom: 'date', periodTo: 'date' },
  ...{ rateCardVersionId: 'uuid', rateId: 'uuid', rateChargeId: 'uuid', groupKey: 'text' },
  ...{ billingRunId: 'uuid', createdBy: 'uuid' },
}

/**
 * Raises transactions, with the current names and codes of the records that they refer to. Returns their ids,
 * in the same order.
 */
export async function raiseTransactions(
  tx: Tx,
  organisationId: string,
  transactions: readonly NewTransaction[],
): Promise<string[]> {
  if (transactions.length === 0) return []
  const rows = transactions.map(transaction => ({ id: newId(), ...transaction }))
  await tx.run(sql`
    insert into schedule_transaction (organisation_id, id, partner_id, date, type, particulars,
      activity_code, activity_name, revenue_account_id, revenue_account_code, cost_centre_id,
      cost_centre_code, quantity, charge_rate_excl_tax, charge_application, tax_rate_id, tax_rate_name,
      tax_rate_percent, amount_excl_tax, period_from, period_to, rate_card_version_id, rate_id,
      rate_charge_id, group_key, billing_run_id, created_by)
    select ${organisationId}, n.id, n."partnerId", n.date, n.type, n.particulars,
      n."activityCode", n."activityName", n."revenueAccountId", r.code, n."costCentreId",
      e.code, n.quantity, n."chargeRateExclTax", n."chargeApplication", n."taxRateId", x.name,
      x.percent, n."amountExclTax", n."periodFrom", n."periodTo", n."rateCardVersionId", n."rateId",
      n."rateChargeId", n."groupKey", n."billingRunId", n."createdBy"
    from ${tableOf('n', fields, rows)}
    join tax_rate x on x.organisation_id = ${organisationId} and x.id = n."taxRateId"
    left join revenue_account r on r.organisation_id = ${organisationId} and r.id = n."revenueAccountId"
    left join cost_centre e on e.organisation_id = ${organisationId} and e.id = n."costCentreId"`)
  return rows.map(({ id }) => id)
}
