// A consignment with its charges: ad hoc ones, and those that follow from rate cards, which are computed
// while it is open and frozen once it is Closed. Decision 7.

import type { Actor } from '../../access/actor.ts'
import { visibleConsignments } from '../../consignments/consignment.ts'
import { type Db, raw, type Sql, sql } from '../../platform/database/db.ts'
import type { PassOn } from '../../platform/http/endpoint.ts'
import { notFound } from '../../platform/http/refusal.ts'
import { ConsignmentStatus } from '../../vocabulary/consignments.ts'
import { loadVersions } from '../rate-cards/version-cache.ts'
import type { BillableConsignment } from './billable-consignment.ts'
import { type StoredSetUp, setUpColumns, setUpOf } from './billing-set-up.ts'
import {
  type BillingSetUp,
  type ComputedCharge,
  type RatedConsignment,
  rateConsignment,
  versionIdsOf,
} from './rate-consignment.ts'
import { readBillableConsignmentsWith } from './read-billable-consignments.ts'
import { type FrozenConsignment, readLatestClosings } from './read-closings.ts'

/** A charge, ad hoc or computed, as the API needs it. Decimals are text. */
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

export interface ChargedConsignment {
  /**
   * the inputs of its charges, current or frozen; null if it is Void, or was Closed before inputs were frozen
   */
  consignment: BillableConsignment | null
  /** the inputs frozen by its latest closing; null while it is open */
  frozen: FrozenConsignment | null
  rated: RatedConsignment | null
  /** charges that follow from rate cards */
  charges: ChargeView[]
  /** charges that were entered by hand */
  adhoc: ChargeView[]
}

interface StoredCharge extends ChargeView {
  isAdhoc: boolean
}

/** What is read along with a consignment's charge inputs, in the same statement. */
interface ExtraColumns extends StoredSetUp {
  stored: StoredCharge[]
}

/** Stored charges (ad hoc ones and, while it is Closed, those of the latest closing), and the set-up. */
const extraColumns = sql`, (
    select coalesce(json_agg(json_build_object(
      'id', h.id, 'partnerId', h.partner_id, 'chargeType', h.charge_type,
      'isIncluded', h.is_included and c.status <> ${ConsignmentStatus.Void}, 'particulars', h.particulars,
      'metricValue', h.metric_value::text, 'chargeMin', h.charge_min::text,
      'chargeBase', h.charge_base::text, 'chargeRate', h.charge_rate::text,
      'taxRatePercent', h.tax_rate_percent::text, 'amountExclTax', h.amount_excl_tax::text,
      'fafPercent', h.faf_percent::text, 'activityCode', h.activity_code, 'activityName', h.activity_name,
      'rateCardVersionId', h.rate_card_version_id, 'isAdhoc', h.closing_number is null)
      order by h.ordinal, h.id), '[]')
    from consignment_charge h
    where h.organisation_id = c.organisation_id and h.consignment_id = c.id
      and (h.closing_number is null or c.status = ${ConsignmentStatus.Closed} and h.closing_number = (
        select max(i.closing_number) from charge_input i
        where i.organisation_id = c.organisation_id and i.consignment_id = c.id))
  ) as stored, ${setUpColumns(sql`c.organisation_id`)}`

/** A consignment with more lines is read and rated by the thread for large requests. */
const maxLines = 500

/** Whether consignment `c` has few enough lines to be rated by the thread that serves all requests. */
const isSmall = sql`not exists (
  select from consignment_product l
  where l.organisation_id = c.organisation_id and l.consignment_id = c.id offset ${raw(String(maxLines))})`

/** Finds out why no consignment was read: passes a large one on. 404 if there is none. */
export async function refuseOrPassOn(db: Db, where: Sql, passOn: PassOn | undefined): Promise<never> {
  const isThere = passOn && (await db.maybe(sql`select from consignment c where ${where}`)) !== undefined
  if (isThere) passOn()
  throw notFound('Consignment')
}

/** The condition that `c` may be rated here. */
export const mayBeRated = (where: Sql, passOn: PassOn | undefined): Sql =>
  passOn === undefined ? where : sql`${where} and ${isSmall}`

/** How many times a consignment is read if it changes between the two statements. */
const maxAttempts = 5

/**
 * Reads a consignment with its charges. While it is open, those from rate cards are computed from its current
 * state. A large one is passed on if `passOn` is given. 404 if the actor cannot see it.
 */
export async function readChargedConsignment(
  db: Db,
  actor: Actor,
  consignmentId: string,
  passOn?: PassOn | undefined,
): Promise<ChargedConsignment> {
  const where = sql`${visibleConsignments(actor)} and c.id = ${consignmentId}`
  for (let attempt = 1; ; attempt++) {
    const [consignment] = await readBillableConsignmentsWith<ExtraColumns>(
      db,
      { where: mayBeRated(where, passOn) },
      extraColumns,
    )
    if (consignment === undefined) return refuseOrPassOn(db, where, passOn)
    const setUp = setUpOf(consignment)
    const adhoc = consignment.stored.filter(({ isAdhoc }) => isAdhoc)
    if (consignment.status === ConsignmentStatus.Void)
      return { consignment: null, frozen: null, rated: null, charges: [], adhoc }
    if (consignment.status !== ConsignmentStatus.Closed) {
      const rated = await rateSubject(db, consignment, setUp)
      return { consignment, frozen: null, rated, charges: rated.charges, adhoc }
    }
    const [frozen = null] = await readLatestClosings(db, where)
    // It was reopened and Closed again between the two statements, so their results do not belong together.
    if (frozen !== null && frozen.closings + 1 !== consignment.closings && attempt < maxAttempts) continue
    const rated = frozen !== null ? await rateSubject(db, frozen, setUp) : null
    const charges = consignment.stored.filter(({ isAdhoc }) => !isAdhoc)
    return { consignment: frozen, frozen, rated, charges, adhoc }
  }
}

/** Computes the charges of a consignment by the card versions that it names. */
async function rateSubject(
  db: Db,
  consignment: BillableConsignment,
  setUp: BillingSetUp,
): Promise<RatedConsignment> {
  const versions = await loadVersions(db, consignment.organisationId, versionIdsOf(consignment))
  return rateConsignment(consignment, versions, setUp)
}

/** Finds a computed charge by its id. */
export const computedChargeOf = (
  { rated }: ChargedConsignment,
  chargeId: string,
): ComputedCharge | undefined => rated?.charges.find(({ id }) => id === chargeId)
