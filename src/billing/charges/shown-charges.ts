// The charges of a consignment as they are now: those that somebody entered, and those that make themselves,
// computed while it is open and as they were frozen once it is Closed. Open-points 7.

import { visibleConsignments } from '../../consignments/consignment.ts'
import { ConsignmentStatus } from '../../consignments/enumerations.ts'
import { type Db, sql } from '../../platform/database/db.ts'
import type { Actor } from '../../platform/http/actor.ts'
import { notFound } from '../../platform/http/refusal.ts'
import { loadVersions } from '../rate-cards/version-cache.ts'
import { readSetUp } from './billing-set-up.ts'
import { readSubjects } from './charge-inputs.ts'
import type { ChargeSubject } from './charge-subject.ts'
import { type Frozen, readFrozen } from './frozen-inputs.ts'
import {
  type ComputedCharge,
  type RatedConsignment,
  rateConsignment,
  versionIdsOf,
} from './rate-consignment.ts'

/** A charge of either kind. Decimals are text. */
export interface ShownCharge {
  id: string
  partnerId: string
  chargeType: number
  isIncluded: boolean
  particulars: string | null
  metricValue: string
  chargeMin: string | null
  chargeBase: string | null
  chargeRate: string
  taxRatePercent: string
  amountExclTax: string
  fafPercent: string
  activityCode: string | null
  activityName: string | null
  rateCardVersionId: string | null
}

/** A consignment with its charges. */
export interface ChargedConsignment {
  /**
   * what it is charged by: as it is now, or as it was frozen; null for a Void one, and one Closed before
   * that
   */
  subject: ChargeSubject | null
  /** as it was frozen with its closing */
  frozen: Frozen | null
  rated: RatedConsignment | null
  /** those that make themselves, and those that somebody entered after them */
  charges: ShownCharge[]
  adhoc: ShownCharge[]
}

interface StoredCharge extends ShownCharge {
  isAdhoc: boolean
}

/** What is stored of a consignment's charges: those of its latest closing count while it is Closed. */
async function readStored(db: Db, organisationId: string, id: string) {
  return db.row<{ status: ConsignmentStatus; charges: StoredCharge[] }>(sql`
    select c.status, coalesce(json_agg(json_build_object(
      'id', h.id, 'partnerId', h.partner_id, 'chargeType', h.charge_type,
      'isIncluded', h.is_included and c.status <> ${ConsignmentStatus.Void}, 'particulars', h.particulars,
      'metricValue', h.metric_value::text, 'chargeMin', h.charge_min::text,
      'chargeBase', h.charge_base::text, 'chargeRate', h.charge_rate::text,
      'taxRatePercent', h.tax_rate_percent::text, 'amountExclTax', h.amount_excl_tax::text,
      'fafPercent', h.faf_percent::text, 'activityCode', a.code, 'activityName', a.name,
      'rateCardVersionId', h.rate_card_version_id, 'isAdhoc', h.closing_number is null)
      order by h.ordinal, h.id) filter (where h.id is not null), '[]') as charges
    from consignment c
    left join lateral (
      select max(i.closing_number) as number from charge_input i
      where i.organisation_id = c.organisation_id and i.consignment_id = c.id
    ) latest on true
    left join consignment_charge h on h.organisation_id = c.organisation_id and h.consignment_id = c.id
      and (h.closing_number is null
        or h.closing_number = latest.number and c.status = ${ConsignmentStatus.Closed})
    left join activity_type a on a.organisation_id = h.organisation_id and a.id = h.activity_type_id
    where c.organisation_id = ${organisationId} and c.id = ${id}
    group by c.organisation_id, c.id`)
}

/** How often it is looked again where a consignment changes between two statements. */
const maxLooks = 5

/**
 * Reads what a consignment is charged. What makes itself is computed from what is read now while it is open.
 * 404 where there is none that the actor may see.
 */
export async function readChargedConsignment(
  db: Db,
  actor: Actor,
  consignmentId: string,
): Promise<ChargedConsignment> {
  const where = sql`${visibleConsignments(actor)} and c.id = ${consignmentId}`
  for (let look = 1; ; look++) {
    const [subject] = await readSubjects(db, { where })
    if (subject === undefined) throw notFound('Consignment')
    const { status, charges } = await readStored(db, subject.organisationId, subject.id)
    // Closed or reopened between the two: the one does not go with the other.
    if (status !== subject.status && look < maxLooks) continue
    const adhoc = charges.filter(({ isAdhoc }) => isAdhoc)
    const stored = charges.filter(({ isAdhoc }) => !isAdhoc)
    if (status === ConsignmentStatus.Void)
      return { subject: null, frozen: null, rated: null, charges: [], adhoc }
    if (status !== ConsignmentStatus.Closed) {
      const rated = await rate(db, subject)
      return { subject, frozen: null, rated, charges: rated.charges, adhoc }
    }
    const [frozen = null] = await readFrozen(db, where)
    const rated = frozen === null ? null : await rate(db, frozen)
    return { subject: frozen, frozen, rated, charges: stored, adhoc }
  }
}

/** What a subject comes to, by the versions that it names. */
export async function rate(db: Db, subject: ChargeSubject): Promise<RatedConsignment> {
  const versions = await loadVersions(db, subject.organisationId, versionIdsOf(subject))
  const setUp = await readSetUp(db, subject.organisationId)
  return rateConsignment(subject, versions, setUp)
}

/** The charge of an id, of those that make themselves. */
export const computedChargeOf = (
  { rated }: ChargedConsignment,
  chargeId: string,
): ComputedCharge | undefined => rated?.charges.find(({ id }) => id === chargeId.toLowerCase())
