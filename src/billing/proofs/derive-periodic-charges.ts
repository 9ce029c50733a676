// Derives the transactions again that billing runs raise once per period: fees from their rate charge, and
// minimum-spend top-ups from the spend that the run recorded. Decision 7.

import { type Db, type Sql, sql } from '../../platform/database/db.ts'
import { RateCardBecause } from '../../vocabulary/billing.ts'
import { type ExactInteger, subtract, textOf, wholeOf } from '../evaluator/exact.ts'
import { type Fee, feeRows } from '../evaluator/fees.ts'
import { type LoadedVersion, loadIntactVersions } from '../rate-cards/version-cache.ts'

/** A fee, a minimum-spend top-up, or an adjustment of one, that a billing run raised. Decimals are text. */
export interface PeriodicTransaction {
  organisationId: string
  id: string
  billingRunId: string
  periodFrom: string
  periodTo: string
  quantity: string
  rate: string
  amountExclTax: string
  /** null for a top-up */
  rateChargeId: string | null
  rateCardVersionId: string | null
  because: RateCardBecause | null
  /** the spend of the period that was topped up; null for a fee */
  spentExclTax: string | null
  /** for an adjustment: the top-up and its earlier adjustments; otherwise null */
  toppedUpExclTax: string | null
}

export interface DerivedPeriodicTransaction {
  transaction: PeriodicTransaction
  /** undefined if its content does not match its hash */
  version: LoadedVersion | undefined
  /** null for a top-up */
  fee: Fee | null
  /** in cents; null for a fee */
  minimum: ExactInteger | null
  derivedExclTax: string | null
  isVerified: boolean
}

const readTransactions = (db: Db, where: Sql): Promise<PeriodicTransaction[]> =>
  db.rows(sql`
    select t.organisation_id, t.id, t.billing_run_id, t.period_from, t.period_to,
      t.quantity::text as quantity, t.charge_rate_excl_tax::text as rate,
      t.amount_excl_tax::text as amount_excl_tax, t.rate_charge_id, v.id as rate_card_version_id,
      case when k.id is null then null when k.partner_id is null then ${RateCardBecause.FallBack}::integer
        else ${RateCardBecause.Own}::integer end as because,
      case when t.rate_charge_id is null then coalesce(t.spent_excl_tax, r.spent_excl_tax)::text end
        as spent_excl_tax,
      case when t.spent_excl_tax is not null then (u.amount_excl_tax + (
        select coalesce(sum(a.amount_excl_tax), 0) from schedule_transaction a
        where a.organisation_id = t.organisation_id and a.adjusts = t.adjusts
          and a.spent_excl_tax is not null and a.date < t.date
      ))::text end as topped_up_excl_tax
    from schedule_transaction t
    left join schedule_transaction u on u.organisation_id = t.organisation_id and u.id = t.adjusts
    join billing_run r on r.organisation_id = t.organisation_id
      and r.id = coalesce(u.billing_run_id, t.billing_run_id)
    left join rate_card_version v on v.organisation_id = t.organisation_id
      and v.id = case when t.rate_charge_id is null then r.rate_card_version_id
        else t.rate_card_version_id end
    left join rate_card k on k.organisation_id = v.organisation_id and k.id = v.rate_card_id
    where ${where}
    order by t.id`)

function findFee({ card }: LoadedVersion, rateChargeId: string): Fee | null {
  for (const rate of card.rates)
    for (const charge of rate.charges) {
      const [row] = charge.content.id === rateChargeId ? feeRows(charge) : []
      if (row !== undefined) return { rate, charge, row }
    }
  return null
}

/**
 * Returns what an adjustment changes: what is missing of the minimum, or nothing, less what was topped up.
 */
const leastTopUp = (missing: ExactInteger, toppedUp: string): ExactInteger =>
  subtract(missing < 0 ? wholeOf(2, '0') : missing, wholeOf(2, toppedUp))

/** Derives one transaction again. Pure. */
function derive(
  transaction: PeriodicTransaction,
  version: LoadedVersion | undefined,
): DerivedPeriodicTransaction {
  const { rateChargeId, spentExclTax, toppedUpExclTax, quantity, rate, amountExclTax } = transaction
  const fee = version === undefined || rateChargeId === null ? null : findFee(version, rateChargeId)
  const agreed = rateChargeId === null ? version?.content.minimumSpendPerPeriod : null
  const minimum = agreed === null || agreed === undefined ? null : wholeOf(2, agreed)
  const missing =
    minimum === null || spentExclTax === null ? null : subtract(minimum, wholeOf(2, spentExclTax))
  const topUp = toppedUpExclTax === null || missing === null ? missing : leastTopUp(missing, toppedUpExclTax)
  const derived = fee?.row.amount ?? topUp
  const derivedExclTax = derived === null ? null : textOf(2, derived)
  // A top-up has quantity 1 and the missing amount as its rate.
  const expectedRate = fee === null ? `${derivedExclTax}0000` : textOf(6, fee.row.rate)
  const isVerified = derivedExclTax === amountExclTax && rate === expectedRate && quantity === '1.000000'
  return { transaction, version, fee, minimum, derivedExclTax, isVerified }
}

/** Derives periodic transactions again. `where` is a condition on `schedule_transaction t`. */
export async function derivePeriodicCharges(db: Db, where: Sql): Promise<DerivedPeriodicTransaction[]> {
  const transactions = await readTransactions(db, where)
  const derived: DerivedPeriodicTransaction[] = []
  const byOrganisation = Map.groupBy(transactions, transaction => transaction.organisationId)
  for (const [organisationId, own] of byOrganisation) {
    const ids = own.flatMap(({ rateCardVersionId }) => rateCardVersionId ?? [])
    const versions = ids.length === 0 ? new Map() : await loadIntactVersions(db, organisationId, ids)
    for (const transaction of own)
      derived.push(derive(transaction, versions.get(transaction.rateCardVersionId ?? '')))
  }
  return derived
}
