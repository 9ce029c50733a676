// Compares the fees of billing periods with those that a card would have charged. Minimum spend is not
// compared, because it depends on everything that a period was billed.

import { type Db, sql } from '../../platform/database/db.ts'
import { BillingRunStatus, BillingRunStep, RateKind } from '../../vocabulary/billing.ts'
import type { CompiledCharge } from '../evaluator/compiled-card.ts'
import { wholeOf } from '../evaluator/exact.ts'
import { feeRows, feesOf } from '../evaluator/fees.ts'
import { type LoadedVersion, loadVersions } from '../rate-cards/version-cache.ts'
import type { Comparison, RuleAmount, TestedCard } from './compare.ts'
import type { ReadQuery } from './read-consignments.ts'

/** A billing run that has raised its fees. Amounts are decimals as text. */
interface RunWithFees {
  clientId: string
  periodTo: string
  fees: { rateCardVersionId: string; rateChargeId: string; amount: string }[]
}

// Includes fees that were voided: a fee that was waived would have been waived with the tested card too.
const readRunsWithFees = (
  db: Db,
  { organisationId, partnerIds, dateFrom, dateTo }: ReadQuery,
): Promise<RunWithFees[]> =>
  db.rows<RunWithFees>(sql`
    select b.partner_id as client_id, b.period_to, (
        select coalesce(json_agg(json_build_object('rateCardVersionId', t.rate_card_version_id,
          'rateChargeId', t.rate_charge_id, 'amount', t.amount_excl_tax::text) order by t.id), '[]')
        from schedule_transaction t
        where t.organisation_id = b.organisation_id and t.billing_run_id = b.id
          and t.rate_charge_id is not null
      ) as fees
    from billing_run b
    where b.organisation_id = ${organisationId} and b.partner_id = any(${partnerIds as string[]})
      and b.period_to between ${dateFrom} and ${dateTo}
      and (b.status = ${BillingRunStatus.Done} or b.step > ${BillingRunStep.Periodic})
    order by b.period_to, b.id`)

function ruleOf(version: LoadedVersion | undefined, rateChargeId: string): CompiledCharge {
  for (const { charges } of version?.card.rates ?? [])
    for (const charge of charges) if (charge.content.id === rateChargeId) return charge
  throw new Error(`There is no rate charge ${rateChargeId} in the version that billed a fee by it.`)
}

/** Compares the fees of the billing runs whose periods end in the tested period. */
export async function compareFees(
  db: Db,
  query: ReadQuery,
  tested: TestedCard,
  comparison: Comparison,
): Promise<void> {
  const runs = await readRunsWithFees(db, query)
  const ids = runs.flatMap(({ fees }) => fees.map(({ rateCardVersionId }) => rateCardVersionId))
  const versions = await loadVersions(db, query.organisationId, ids)
  for (const version of versions.values()) comparison.prepare(version)
  const after = feesOf(tested.version.card).map(({ charge, row }) => ({ charge, amount: row.amount }))
  for (const { clientId, periodTo, fees } of runs) {
    const before = fees.map(
      ({ rateCardVersionId, rateChargeId, amount }): RuleAmount => ({
        charge: ruleOf(versions.get(rateCardVersionId), rateChargeId),
        amount: wholeOf(2, amount),
      }),
    )
    const isSame = before.every(({ charge, amount }) => feeRows(charge)[0]?.amount === amount)
    comparison.addPeriod({ clientId, month: periodTo.slice(0, 7) }, { before, after, isSame })
  }
}

export const areFeesTested = ({ kinds, side }: TestedCard): boolean =>
  side === 'client' && kinds.has(RateKind.Periodic)
