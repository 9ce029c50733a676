// The endpoint that bills the differences of a back-test: a retroactive rate change, which the back-test
// previewed. Decision 7.

import type { Actor } from '../../access/actor.ts'
import { endpoint } from '../../access/endpoint.ts'
import { raw, sql, type Tx } from '../../platform/database/db.ts'
import { json } from '../../platform/http/endpoint.ts'
import { notFound, verificationFailed } from '../../platform/http/refusal.ts'
import { IntegerEnum, named, Type, Uuid } from '../../platform/http/schema.ts'
import { note } from '../../rehearsal/notes.ts'
import {
  AdjustmentSkipped,
  BackTestStatus,
  ChargeApplication,
  ChargeType,
  RateCardVersionStatus,
  RateKind,
  ScheduleTransactionStatus,
  ScheduleTransactionType,
} from '../../vocabulary/billing.ts'
import { ConsignmentStatus } from '../../vocabulary/consignments.ts'
import { today } from '../rate-cards/in-force.ts'
import { maxKeptDifferences } from './largest-differences.ts'

const AdjustmentResult = named(
  'RateCardAdjustment',
  Type.Object({
    raised: Type.Integer({ description: 'How many transactions were raised.' }),
    skipped: Type.Array(
      Type.Object({
        consignmentId: Uuid,
        consignmentNumber: Type.String(),
        reason: IntegerEnum(AdjustmentSkipped),
      }),
    ),
  }),
)

interface LockedTest {
  organisationId: string
  id: string
  status: number
  differingCount: number
  isApproved: boolean
  rateCardName: string | null
  number: number | null
}

/** Locks a back-test. Refuses (400) one whose differences cannot be billed. */
async function lockTest(tx: Tx, { organisationId }: Actor, id: string): Promise<LockedTest> {
  const test = await tx.maybe<LockedTest>(sql`
    select t.organisation_id, t.id, t.status, t.differing_count,
      coalesce(v.rate_card_name, k.name) as rate_card_name,
      v.number,
      coalesce(v.status = ${RateCardVersionStatus.Approved}, false) as is_approved
    from rate_card_back_test t
    left join rate_card_version v on v.organisation_id = t.organisation_id
      and v.id = t.rate_card_version_id and v.content_sha256 = t.content_sha256
    left join rate_card k on k.organisation_id = v.organisation_id and k.id = v.rate_card_id
    where t.organisation_id = ${organisationId} and t.id = ${id}
    for no key update of t`)
  if (test === undefined) throw notFound('Back-test')
  if (test.status !== BackTestStatus.Done) throw verificationFailed('The back-test is not Done.')
  if (!test.isApproved)
    throw verificationFailed('The tested version is not Approved, so nobody is billed by it.')
  if (test.differingCount > maxKeptDifferences)
    throw verificationFailed(
      `${test.differingCount} consignments differ, and the differences of ${maxKeptDifferences} are kept: ` +
        'test shorter periods, or fewer partners at a time.',
    )
  return test
}

/** SQL condition: the difference `d` belongs to a back-test. */
const isOfTest = ({ organisationId, id }: LockedTest) =>
  sql`d.organisation_id = ${organisationId} and d.rate_card_back_test_id = ${id}`

/**
 * SQL: why the consignment `c` of a difference `d` is skipped; null if it is unchanged since the back-test.
 */
const skipReason = sql`case
  when c.status <> ${ConsignmentStatus.Closed} or d.closing_number <> (
    select max(i.closing_number) from charge_input i
    where i.organisation_id = d.organisation_id and i.consignment_id = d.consignment_id
  ) then ${AdjustmentSkipped.Reopened}::integer
  when d.adjustments <> (
    select count(*) from schedule_transaction t
    where t.organisation_id = d.organisation_id and t.consignment_id = d.consignment_id
      and t.partner_id = d.partner_id and t.rate_card_back_test_id is not null
      and t.status <> ${ScheduleTransactionStatus.Void}
  ) then ${AdjustmentSkipped.Adjusted}::integer
end`

const typeOfKind = raw(`case a.kind when ${RateKind.Activity} then ${ScheduleTransactionType.ActivityCharge}
  else ${ScheduleTransactionType.FreightCharge} end`)
/** SQL: the charge type of the transaction that adjusts an activity `a` of a difference. */
export const chargeTypeOfKind = raw(`case a.kind
  when ${RateKind.Activity} then ${ChargeType.ClientActivityMetricRate}
  when ${RateKind.ClientFreight} then ${ChargeType.ClientFreightMetricRate}
  else ${ChargeType.CarrierFreightMetricRate} end`)

/** Raises a transaction for each activity of each unchanged consignment. Returns their ids. */
const raiseAdjustments = (tx: Tx, test: LockedTest): Promise<{ id: string }[]> =>
  tx.rows(sql`
    insert into schedule_transaction (organisation_id, id, partner_id, date, type, rate_card_back_test_id,
      consignment_id, consignment_number, consignment_reference_number, charge_type, particulars,
      activity_code, activity_name, revenue_account_id, revenue_account_code, cost_centre_id,
      cost_centre_code, quantity, charge_rate_excl_tax, charge_application, tax_rate_id, tax_rate_name,
      tax_rate_percent, amount_excl_tax)
    select d.organisation_id, uuid_at(clock_timestamp()), d.partner_id, ${today}, ${typeOfKind}, ${test.id},
      c.id, c.consignment_number, c.reference_number, ${chargeTypeOfKind},
      concat_ws(' ', coalesce(y.name, 'Freight') || ':', a.after, 'by version', ${test.number}::integer,
        'of', ${test.rateCardName}::text || ',', a.before, 'was billed'),
      y.code, y.name, r.id, r.code, e.id, e.code, 1, a.after - a.before, ${ChargeApplication.Fee},
      x.id, coalesce(a."taxRateName", x.name), coalesce(a."taxRatePercent", x.percent), a.after - a.before
    from rate_card_back_test_difference d
    join organisation o on o.id = d.organisation_id
    join consignment c on c.organisation_id = d.organisation_id and c.id = d.consignment_id
    cross join lateral jsonb_to_recordset(d.activities) as a (kind integer, "activityTypeId" uuid,
      "taxRateId" uuid, "taxRateName" text, "taxRatePercent" numeric, "isAsBilled" boolean,
      "revenueAccountId" uuid, "costCentreId" uuid, before numeric, after numeric)
    join tax_rate x on x.organisation_id = d.organisation_id and x.id = a."taxRateId"
    left join warehouse w on w.organisation_id = c.organisation_id and w.id = c.warehouse_id
    left join activity_type y on y.organisation_id = d.organisation_id and y.id = a."activityTypeId"
    left join revenue_account r on r.organisation_id = d.organisation_id
      and r.id = case when a."isAsBilled" then a."revenueAccountId"
        else coalesce(a."revenueAccountId", y.revenue_account_id, w.revenue_account_id) end
    left join cost_centre e on e.organisation_id = d.organisation_id
      and e.id = case when a."isAsBilled" then a."costCentreId"
        else coalesce(a."costCentreId", w.cost_centre_id) end
    where ${isOfTest(test)} and ${skipReason} is null
    order by d.ordinal
    returning id`)

export const rateCardAdjustment = [
  endpoint({
    post: '/v1/rate-card-back-tests/:rateCardBackTestId/adjust',
    name: 'adjustToRateCardBackTest',
    partners: 'none',
    scope: 'financial',
    extension: true,
    summary: 'Bill the differences of a back-test',
    description:
      'The back-test must be Done, and must have tested an Approved version. Raises a transaction dated ' +
      'today for each consignment and activity, with the tax and the accounts of the charges that it ' +
      'corrects: one for each, if they differ. Consignments that ' +
      'were reopened or adjusted since the test are skipped, so a repeated request raises nothing twice. ' +
      'Differences of storage and fees are not billed.',
    response: json(AdjustmentResult),
    canBeRehearsed: true,
    async handle({ tx, actor, params }) {
      const test = await lockTest(tx, actor, params.rateCardBackTestId)
      // A transaction that reopens or adjusts one of the consignments at the same time comes before or after
      // this one.
      await tx.run(sql`
        select from consignment c
        where c.organisation_id = ${actor.organisationId} and c.id in (
          select d.consignment_id from rate_card_back_test_difference d where ${isOfTest(test)})
        order by c.id for no key update`)
      const skipped = await tx.rows<{
        consignmentId: string
        consignmentNumber: string
        reason: AdjustmentSkipped
      }>(sql`
        select d.consignment_id, c.consignment_number, ${skipReason} as reason
        from rate_card_back_test_difference d
        join consignment c on c.organisation_id = d.organisation_id and c.id = d.consignment_id
        where ${isOfTest(test)} and ${skipReason} is not null
        order by d.ordinal`)
      const ids = (await raiseAdjustments(tx, test)).map(({ id }) => id)
      note(tx, { about: 'transactions', did: 'raise', ids })
      const raised = ids.length
      if (raised > 0)
        await tx.run(sql`
          update rate_card_back_test set adjusted_utc = now()
          where organisation_id = ${actor.organisationId} and id = ${test.id}`)
      return { raised, skipped }
    },
  }),
]
