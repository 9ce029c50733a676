// What billing runs raise by the period, derived again: a fee from its rule, what was missing to the minimum
// spend from what the run kept of it. Open-points 7.

import { type Db, type Sql, sql } from '../../platform/database/db.ts'
import { RateCardBecause } from '../enumerations.ts'
import { subtract, textOf, type Whole, wholeOf } from '../rate-cards/exact.ts'
import { type Fee, feeRows } from '../rate-cards/fees.ts'
import { type LoadedVersion, loadProvenVersions } from '../rate-cards/version-cache.ts'

/** A transaction that a run raised by the period. Decimals are text. */
export interface PeriodicTransaction {
  organisationId: string
  id: string
  billingRunId: string
  periodFrom: string
  periodTo: string
  quantity: string
  rate: string
  amountExclTax: string
  /** null: of the minimum spend */
  rateChargeId: string | null
  rateCardVersionId: string | null
  because: RateCardBecause | null
  /** what the period came to before the minimum; null: of a fee */
  spentExclTax: string | null
}

/** Such a transaction derived again. */
export interface DerivedPeriodicTransaction {
  transaction: PeriodicTransaction
  /** undefined where its content is not what its hash names */
  version: LoadedVersion | undefined
  /** null: of the minimum spend */
  fee: Fee | null
  /** in cents; null: of a fee */
  minimum: Whole | null
  derivedExclTax: string | null
  isVerified: boolean
}

const readRaised = (db: Db, where: Sql): Promise<PeriodicTransaction[]> =>
  db.rows(sql`
    select t.organisation_id, t.id, t.billing_run_id, t.period_from, t.period_to,
      t.quantity::text as quantity, t.charge_rate_excl_tax::text as rate,
      t.amount_excl_tax::text as amount_excl_tax, t.rate_charge_id, v.id as rate_card_version_id,
      case when k.id is null then null when k.partner_id is null then ${RateCardBecause.FallBack}::integer
        else ${RateCardBecause.Own}::integer end as because,
      case when t.rate_charge_id is null then r.spent_excl_tax::text end as spent_excl_tax
    from schedule_transaction t
    join billing_run r on r.organisation_id = t.organisation_id and r.id = t.billing_run_id
    left join rate_card_version v on v.organisation_id = t.organisation_id
      and v.id = case when t.rate_charge_id is null then r.rate_card_version_id
        else t.rate_card_version_id end
    left join rate_card k on k.organisation_id = v.organisation_id and k.id = v.rate_card_id
    where ${where}
    order by t.id`)

function feeOf({ card }: LoadedVersion, rateChargeId: string): Fee | null {
  for (const rate of card.rates)
    for (const charge of rate.charges) {
      const [row] = charge.content.id === rateChargeId ? feeRows(charge) : []
      if (row !== undefined) return { rate, charge, row }
    }
  return null
}

/** Derives one again, pure. */
function derive(
  transaction: PeriodicTransaction,
  version: LoadedVersion | undefined,
): DerivedPeriodicTransaction {
  const { rateChargeId, spentExclTax, quantity, rate, amountExclTax } = transaction
  const fee = version === undefined || rateChargeId === null ? null : feeOf(version, rateChargeId)
  const agreed = rateChargeId === null ? version?.content.minimumSpendPerPeriod : null
  const minimum = agreed === null || agreed === undefined ? null : wholeOf(2, agreed)
  const missing =
    minimum === null || spentExclTax === null ? null : subtract(minimum, wholeOf(2, spentExclTax))
  const derived = fee?.row.amount ?? missing
  const derivedExclTax = derived === null ? null : textOf(2, derived)
  // A minimum is one of what is missing to it.
  const wantedRate = fee === null ? `${derivedExclTax}0000` : textOf(6, fee.row.rate)
  const isVerified = derivedExclTax === amountExclTax && rate === wantedRate && quantity === '1.000000'
  return { transaction, version, fee, minimum, derivedExclTax, isVerified }
}

/** Derives the transactions `t` again that billing runs raised. */
export async function derivePeriodicCharges(db: Db, where: Sql): Promise<DerivedPeriodicTransaction[]> {
  const raised = await readRaised(db, where)
  const found: DerivedPeriodicTransaction[] = []
  for (const [organisationId, its] of Map.groupBy(raised, one => one.organisationId)) {
    const ids = its.flatMap(({ rateCardVersionId }) => rateCardVersionId ?? [])
    const versions = ids.length === 0 ? new Map() : await loadProvenVersions(db, organisationId, ids)
    found.push(...its.map(one => derive(one, versions.get(one.rateCardVersionId ?? ''))))
  }
  return found
}
