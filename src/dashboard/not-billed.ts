// What the Complete consignments that wait to be Closed would be charged.

import type { Actor } from '../access/actor.ts'
import { readSetUp } from '../billing/charges/billing-set-up.ts'
import { rateConsignment, sumOfCents, versionIdsOf } from '../billing/charges/rate-consignment.ts'
import { ratingBatchSize } from '../billing/charges/rate-open-consignments.ts'
import { readBillableConsignmentsWith } from '../billing/charges/read-billable-consignments.ts'
import { toNumber } from '../billing/evaluator/exact.ts'
import { loadVersions } from '../billing/rate-cards/version-cache.ts'
import type { ConsignmentFilters } from '../consignments/list/filters.ts'
import { countConsignments, matchingConsignments } from '../consignments/list/find-in-order.ts'
import { type Db, sql } from '../platform/database/db.ts'
import { ChargeType } from '../vocabulary/billing.ts'
import { ConsignmentStatus } from '../vocabulary/consignments.ts'

interface Charge {
  partnerId: string
  chargeType: number
  isIncluded: boolean
  amountExclTax: string
}

/** The charges that a client or, for its own token, a carrier would be billed, with those entered by hand. */
const isCounted = ({ partnerId, partnerKind }: Actor, charge: Charge): boolean =>
  charge.isIncluded &&
  charge.chargeType >= ChargeType.CarrierFreightAdhoc === (partnerKind === 'carrier') &&
  (partnerId === null || charge.partnerId === partnerId)

/** The number of Complete consignments and their charges; no amount if they are too many to rate at once. */
export async function readNotBilled(
  db: Db,
  actor: Actor,
  filters: ConsignmentFilters,
): Promise<{ n: number; amountExclTax: number | null }> {
  const completeOnly = { ...filters, status: ConsignmentStatus.Complete }
  const { count: n } = await db.row<{ count: number }>(countConsignments(actor, completeOnly))
  if (n > ratingBatchSize) return { n, amountExclTax: null }
  const complete = matchingConsignments(actor, completeOnly)
  const setUp = await readSetUp(db, actor.organisationId)
  const consignments = await readBillableConsignmentsWith<{ entered: Charge[] }>(
    db,
    {
      where: sql`c.organisation_id = ${actor.organisationId} and c.status = ${ConsignmentStatus.Complete}
        and c.number in (select t.number from ${complete})`,
    },
    sql`, (
      select coalesce(json_agg(json_build_object('partnerId', h.partner_id, 'chargeType', h.charge_type,
        'isIncluded', h.is_included, 'amountExclTax', h.amount_excl_tax::text)), '[]')
      from consignment_charge h
      where h.organisation_id = c.organisation_id and h.consignment_id = c.id and h.closing_number is null
    ) as entered`,
  )
  const versions = await loadVersions(db, actor.organisationId, consignments.flatMap(versionIdsOf))
  const charges = consignments.flatMap(consignment => [
    ...rateConsignment(consignment, versions, setUp).charges,
    ...consignment.entered,
  ])
  const amounts = charges.filter(charge => isCounted(actor, charge)).map(({ amountExclTax }) => amountExclTax)
  return { n, amountExclTax: toNumber(2, sumOfCents(amounts)) }
}
