// Writes storage differences as transactions, with particulars that a client understands.

import { type Db, sql, type Tx } from '../../platform/database/db.ts'
import { tableOf } from '../../platform/database/table-of.ts'
import { withoutTrailingZeros } from '../../platform/decimal.ts'
import { newId } from '../../platform/new-id.ts'
import { ScheduleTransactionType } from '../../vocabulary/billing.ts'
import { accountsOf, activityOf, type BillingSetUp, metricUnitNames } from '../charges/rate-consignment.ts'
import type { CompiledCharge } from '../evaluator/compiled-card.ts'
import { type ExactInteger, textOf } from '../evaluator/exact.ts'
import { fillParticulars } from '../evaluator/particulars.ts'
import type { StorageDifference } from './corrections.ts'
import { groupValuesOf } from './groups.ts'
import { dateOf } from './local-days.ts'
import type { StorageAccount } from './read-stock-history.ts'
import type { FrozenFacts } from './storage-facts.ts'

/** The set-up that storage transactions need. */
export interface StorageSetUp extends BillingSetUp {
  warehouse: { warehouseRevenueAccountId: string | null; warehouseCostCentreId: string | null }
  names: GroupNames
  facts: FrozenFacts
  /** the last day that was billed before; null if none was */
  billedThrough: number | null
}

/** The names of the records in group keys, by their ids; only products have a code. */
export type GroupNames = ReadonlyMap<string, { name: string; code: string | null }>

/** Reads the names of the records in group keys. */
export async function readGroupNames(
  db: Db,
  organisationId: string,
  groupKeys: readonly string[],
): Promise<GroupNames> {
  const ids = [
    ...new Set(groupKeys.flatMap(key => groupValuesOf(withoutBand(key)).flatMap(value => value.ids))),
  ]
  if (ids.length === 0) return new Map()
  const rows = await db.rows<{ id: string; name: string; code: string | null }>(sql`
    select id, name, null as code from warehouse_zone
    where organisation_id = ${organisationId} and id = any(${ids})
    union all
    select id, name, null from warehouse_location
    where organisation_id = ${organisationId} and id = any(${ids})
    union all
    select id, name, code from product where organisation_id = ${organisationId} and id = any(${ids})
    union all
    select id, name, null from product_group where organisation_id = ${organisationId} and id = any(${ids})
    union all
    select id, name, null from dg_hazard_class where id = any(${ids})
    union all
    select id, logistic_unit_number, null from logistic_unit
    where organisation_id = ${organisationId} and id = any(${ids})`)
  return new Map(rows.map(({ id, ...names }) => [id, names]))
}

/** A group key without the band at its end, which it has if the breaks are progressive. */
const withoutBand = (groupKey: string): string => groupKey.replace(/(^|\/)\d+$/, '')

const unitOf = ({ metric, unitTypeId }: CompiledCharge, { products }: FrozenFacts): string | null => {
  if (unitTypeId === null) return metricUnitNames[metric] ?? null
  for (const { steps } of products.values()) {
    const step = steps.find(({ inputUnitTypeId }) => inputUnitTypeId === unitTypeId)
    if (step !== undefined) return step.inputUnitTypeName
  }
  return null
}

/**
 * The particulars of a difference on a bill. They name a period that was billed before, even if nothing of
 * the key was known then: on one bill, the same goods may stand for two periods.
 */
export function particularsOf(difference: StorageDifference, setUp: StorageSetUp): string {
  const { rate, charge, period, groupKey, billed, now } = difference
  const values = groupValuesOf(withoutBand(groupKey))
  const named = values.flatMap(({ ids }) => ids.flatMap(id => setUp.names.get(id)?.name ?? []))
  const product = setUp.names.get(values.find(({ name }) => name === 'product')?.ids[0] ?? '')
  const days = now?.measured.days ?? period
  const words = charge.content.particulars
    ? fillParticulars(charge.content.particulars, {
        activityName: activityOf(rate, setUp.activityTypes)?.name ?? null,
        productCode: product?.code ?? null,
        productName: product?.name ?? null,
        metric: withoutTrailingZeros(textOf(6, difference.quantity)),
        unit: unitOf(charge, setUp.facts),
        rate: withoutTrailingZeros(textOf(6, rateOf(difference))),
        ...{ from: dateOf(days.from), to: dateOf(days.to) },
      })
    : [rate.content.name, ...named].join(', ')
  const wasBilled = setUp.billedThrough !== null && period.to <= setUp.billedThrough
  if (billed === null && !wasBilled) return words
  return `Correction of ${dateOf(period.from)} to ${dateOf(period.to)}: ${words}`.slice(0, 4_000)
}

/** The current rate of a difference, or else the rate that was billed. */
export const rateOf = ({ now, billed }: StorageDifference): ExactInteger => now?.row.rate ?? billed?.rate ?? 0

/** Converts a difference to a transaction. Decimals are text. */
export function transactionOf(difference: StorageDifference, setUp: StorageSetUp) {
  const { version, rate, charge, period, billed, now } = difference
  const isNew = billed === null
  const cents = (amount: ExactInteger | null | undefined) =>
    isNew && amount !== null && amount !== undefined ? textOf(2, amount) : null
  const activity = activityOf(rate, setUp.activityTypes)
  return {
    id: newId(),
    periodFrom: dateOf(period.from),
    periodTo: dateOf(period.to),
    rateCardVersionId: version.id,
    rateId: rate.content.id,
    rateChargeId: charge.content.id,
    groupKey: difference.groupKey,
    adjusts: billed?.transactionId ?? null,
    particulars: particularsOf(difference, setUp),
    activityTypeId: rate.content.activityTypeId ?? null,
    ...accountsOf({ charge }, version, activity, setUp.warehouse),
    quantity: textOf(6, difference.quantity),
    rate: textOf(6, rateOf(difference)),
    base: cents(now?.row.base),
    min: cents(charge.min),
    max: cents(charge.max),
    application: charge.content.application,
    amount: textOf(2, difference.amount),
  }
}
export type StorageTransaction = ReturnType<typeof transactionOf>

const fields = {
  ...{ id: 'uuid', periodFrom: 'date', periodTo: 'date', rateCardVersionId: 'uuid', rateId: 'uuid' },
  ...{ rateChargeId: 'uuid', groupKey: 'text', adjusts: 'uuid', particulars: 'text' },
  ...{ activityTypeId: 'uuid', taxRateId: 'uuid', revenueAccountId: 'uuid', costCentreId: 'uuid' },
  ...{ quantity: 'numeric', rate: 'numeric', base: 'numeric', min: 'numeric', max: 'numeric' },
  ...{ application: 'smallint', amount: 'numeric' },
}

/**
 * Inserts the transactions of a run as Pending, with the run's date. A transaction that corrects another
 * keeps its activity, tax and accounts.
 */
export const insertTransactions = (
  tx: Tx,
  { organisationId, clientId, warehouseId }: StorageAccount,
  run: { id: string; date: string },
  transactions: readonly StorageTransaction[],
): Promise<number> =>
  tx.run(sql`
    insert into schedule_transaction (organisation_id, id, partner_id, date, type, warehouse_id, period_from,
      period_to, rate_card_version_id, rate_id, rate_charge_id, group_key, storage_run_id, adjusts,
      particulars, activity_code, activity_name, revenue_account_id, revenue_account_code, cost_centre_id,
      cost_centre_code,
      quantity, charge_rate_excl_tax, base_charge_excl_tax, min_charge_excl_tax, max_charge_excl_tax,
      charge_application, tax_rate_id, tax_rate_name, tax_rate_percent, amount_excl_tax)
    select ${organisationId}, r.id, ${clientId}, ${run.date},
      ${ScheduleTransactionType.StorageCharge}, ${warehouseId}, r."periodFrom", r."periodTo",
      r."rateCardVersionId", r."rateId", r."rateChargeId", r."groupKey", ${run.id}, r.adjusts, r.particulars,
      case when o.id is null then a.code else o.activity_code end,
      case when o.id is null then a.name else o.activity_name end,
      case when o.id is null then r."revenueAccountId" else o.revenue_account_id end,
      case when o.id is null then v.code else o.revenue_account_code end,
      case when o.id is null then r."costCentreId" else o.cost_centre_id end,
      case when o.id is null then e.code else o.cost_centre_code end,
      r.quantity, r.rate, r.base, r.min, r.max, r.application,
      coalesce(o.tax_rate_id, r."taxRateId"), coalesce(o.tax_rate_name, x.name),
      coalesce(o.tax_rate_percent, x.percent), r.amount
    from ${tableOf('r', fields, transactions)}
    join tax_rate x on x.organisation_id = ${organisationId} and x.id = r."taxRateId"
    left join activity_type a on a.organisation_id = ${organisationId} and a.id = r."activityTypeId"
    left join revenue_account v on v.organisation_id = ${organisationId} and v.id = r."revenueAccountId"
    left join cost_centre e on e.organisation_id = ${organisationId} and e.id = r."costCentreId"
    left join schedule_transaction o on o.organisation_id = ${organisationId} and o.id = r.adjusts`)
