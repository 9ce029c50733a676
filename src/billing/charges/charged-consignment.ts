// The charges of a consignment as they are now: those that somebody entered, and those that make themselves,
// computed while it is open and as they were frozen once it is Closed. Open-points 7.

import { visibleConsignments } from '../../consignments/consignment.ts'
import { ConsignmentStatus } from '../../consignments/enumerations.ts'
import { type Db, sql } from '../../platform/database/db.ts'
import type { Actor } from '../../platform/http/actor.ts'
import { notFound } from '../../platform/http/refusal.ts'
import { noEvaluator } from '../rate-cards/evaluate.ts'
import { loadVersions } from '../rate-cards/version-cache.ts'
import { type StoredSetUp, setUpColumns, setUpOf } from './billing-set-up.ts'
import { readSubjectsWith } from './charge-inputs.ts'
import type { ChargeSubject } from './charge-subject.ts'
import { type FrozenSubject, readLatestClosings } from './frozen-inputs.ts'
import {
  type BillingSetUp,
  type ComputedCharge,
  type RatedConsignment,
  rateConsignment,
  versionIdsOf,
} from './rate-consignment.ts'

/** A charge of either kind. Decimals are text. */
export interface ChargeView {
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
  frozen: FrozenSubject | null
  rated: RatedConsignment | null
  /** those that make themselves, and those that somebody entered after them */
  charges: ChargeView[]
  adhoc: ChargeView[]
}

interface StoredCharge extends ChargeView {
  isAdhoc: boolean
}

/** What is read of a consignment besides what it is charged by, and in the same statement. */
interface ReadBesides extends StoredSetUp {
  stored: StoredCharge[]
}

/** What is stored of a consignment's charges, those of its latest closing while it is Closed; the set-up. */
const besides = sql`, (
    select coalesce(json_agg(json_build_object(
      'id', h.id, 'partnerId', h.partner_id, 'chargeType', h.charge_type,
      'isIncluded', h.is_included and c.status <> ${ConsignmentStatus.Void}, 'particulars', h.particulars,
      'metricValue', h.metric_value::text, 'chargeMin', h.charge_min::text,
      'chargeBase', h.charge_base::text, 'chargeRate', h.charge_rate::text,
      'taxRatePercent', h.tax_rate_percent::text, 'amountExclTax', h.amount_excl_tax::text,
      'fafPercent', h.faf_percent::text, 'activityCode', a.code, 'activityName', a.name,
      'rateCardVersionId', h.rate_card_version_id, 'isAdhoc', h.closing_number is null)
      order by h.ordinal, h.id), '[]')
    from consignment_charge h
    left join activity_type a on a.organisation_id = h.organisation_id and a.id = h.activity_type_id
    where h.organisation_id = c.organisation_id and h.consignment_id = c.id
      and (h.closing_number is null or c.status = ${ConsignmentStatus.Closed} and h.closing_number = (
        select max(i.closing_number) from charge_input i
        where i.organisation_id = c.organisation_id and i.consignment_id = c.id))
  ) as stored, ${setUpColumns(sql`c.organisation_id`)}`

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
    const [subject] = await readSubjectsWith<ReadBesides>(db, { where }, besides)
    if (subject === undefined) throw notFound('Consignment')
    const setUp = setUpOf(subject)
    const adhoc = subject.stored.filter(({ isAdhoc }) => isAdhoc)
    if (subject.status === ConsignmentStatus.Void)
      return { subject: null, frozen: null, rated: null, charges: [], adhoc }
    if (subject.status !== ConsignmentStatus.Closed) {
      const rated = await rate(db, subject, setUp)
      return { subject, frozen: null, rated, charges: rated.charges, adhoc }
    }
    const [frozen = null] = await readLatestClosings(db, where)
    // Reopened and Closed again between the two: the one does not go with the other.
    if (frozen !== null && frozen.closings + 1 !== subject.closings && look < maxLooks) continue
    const isRated = frozen !== null && frozen.evaluatorVersion !== noEvaluator
    const rated = isRated ? await rate(db, frozen, setUp) : null
    const charges = subject.stored.filter(({ isAdhoc }) => !isAdhoc)
    return { subject: frozen, frozen, rated, charges, adhoc }
  }
}

/** What a subject comes to, by the versions that it names. */
async function rate(db: Db, subject: ChargeSubject, setUp: BillingSetUp): Promise<RatedConsignment> {
  const versions = await loadVersions(db, subject.organisationId, versionIdsOf(subject))
  return rateConsignment(subject, versions, setUp)
}

/** The charge of an id, of those that make themselves. */
export const computedChargeOf = (
  { rated }: ChargedConsignment,
  chargeId: string,
): ComputedCharge | undefined => rated?.charges.find(({ id }) => id === chargeId.toLowerCase())
