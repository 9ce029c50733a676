// Tries a rate card version, or content that is not stored yet, on one consignment. Decision 7.

import type { Actor } from '../access/actor.ts'
import { endpoint } from '../access/endpoint.ts'
import { visibleConsignments } from '../consignments/consignment.ts'
import { type Db, sql } from '../platform/database/db.ts'
import { json, type PassOn } from '../platform/http/endpoint.ts'
import { faultAt } from '../platform/http/fault.ts'
import { verificationFailed } from '../platform/http/refusal.ts'
import { allOptional, named, type Static, Type, UtcTime, Uuid } from '../platform/http/schema.ts'
import { parseInstant } from '../platform/local-time.ts'
import { RateCardBecause } from '../vocabulary/billing.ts'
import { ConsignmentStatus } from '../vocabulary/consignments.ts'
import { Relationship } from '../vocabulary/partners.ts'
import { type BillableConsignment, localitiesOf } from './charges/billable-consignment.ts'
import { readSetUp } from './charges/billing-set-up.ts'
import { mayBeRated, refuseOrPassOn } from './charges/charged-consignment.ts'
import { Charges, chargeLists } from './charges/charges.ts'
import { Explanation, explainCharges } from './charges/explain-charges.ts'
import { rateConsignment, versionIdsOf } from './charges/rate-consignment.ts'
import { readBillableConsignments } from './charges/read-billable-consignments.ts'
import { readLatestClosings } from './charges/read-closings.ts'
import type { Area } from './evaluator/locality.ts'
import { largeContentBytes, RateCardContent } from './evaluator/rate-card-content.ts'
import { loadRequestedVersion, requestedVersionFaults } from './rate-cards/requested-version.ts'
import { type LoadedVersion, loadVersions } from './rate-cards/version-cache.ts'

const RateCardTest = named(
  'RateCardTest',
  Type.Object(
    {
      consignmentId: Uuid,
      ...allOptional({ rateCardVersionId: Uuid, content: RateCardContent, atUtc: UtcTime }),
    },
    { rule: requestedVersionFaults },
  ),
)

/** Reads the FAF rate and the localities that the tried content refers to. */
async function readFafAndLocalities(
  db: Db,
  { organisationId, carrierId, chargeUtc }: BillableConsignment,
  { content }: LoadedVersion,
  atUtc: string | null | undefined,
) {
  const ids = content.rates.flatMap(({ charges }) =>
    charges.flatMap(({ when }) => [
      ...(when?.originLocalityIds ?? []),
      ...(when?.destinationLocalityIds ?? []),
    ]),
  )
  return db.row<{
    faf: { percent: string; id: string } | null
    localities: { id: string; areas: Area[] }[]
  }>(sql`
    select (
        select json_build_object('percent', faf_percent::text, 'id', id) from faf_profile_rate
        where organisation_id = ${organisationId} and faf_profile_id = ${content.fafProfileId ?? null}::uuid
          and (carrier_id = ${carrierId}::uuid or carrier_id is null)
          and effective_from_utc <= ${atUtc ? parseInstant(atUtc) : chargeUtc}
        order by carrier_id is null, effective_from_utc desc limit 1
      ) as faf, (
        select coalesce(json_agg(json_build_object('id', id, 'areas', areas)), '[]') from locality
        where organisation_id = ${organisationId} and id = any(${ids})
      ) as localities`)
}

/** Returns the consignment as the tried version would charge it. 404 if the actor cannot see it. */
async function readTriedConsignment(
  db: Db,
  actor: Actor,
  body: Static<typeof RateCardTest>,
  version: LoadedVersion,
  passOn: PassOn | undefined,
): Promise<BillableConsignment> {
  const where = sql`${visibleConsignments(actor)} and c.id = ${body.consignmentId}`
  const [open] = await readBillableConsignments(db, { where: mayBeRated(where, passOn) })
  if (open === undefined) return refuseOrPassOn(db, where, passOn)
  const [frozen] = open.status === ConsignmentStatus.Closed ? await readLatestClosings(db, where) : []
  const consignment = frozen ?? open
  const isCarrier = version.relationship === Relationship.Carrier
  if (isCarrier && consignment.carrierId === null)
    throw verificationFailed(faultAt('consignmentId', 'refers to a consignment without a carrier', 'state'))
  const { faf, localities } = await readFafAndLocalities(db, consignment, version, body.atUtc)
  const card = {
    rateCardVersionId: version.id,
    because: RateCardBecause.Own,
    fafPercent: faf?.percent ?? null,
    fafProfileRateId: faf?.id ?? null,
  }
  const withTried = (place: BillableConsignment['origin'], knownIds: string[]) => [
    ...new Set([...knownIds, ...localitiesOf(place, localities)]),
  ]
  return {
    ...consignment,
    ...(isCarrier ? { carrierCard: card } : { clientCard: card }),
    originLocalityIds: withTried(consignment.origin, consignment.originLocalityIds),
    destinationLocalityIds: withTried(consignment.destination, consignment.destinationLocalityIds),
  }
}

export const rateCardTest = [
  endpoint({
    post: '/v1/rate-cards/test',
    name: 'testRateCard',
    partners: 'none',
    scope: 'financial.read',
    extension: true,
    summary: 'Try a version or unsaved content on a consignment',
    description:
      'Returns what the consignment would be charged and why; nothing is stored. A Closed consignment is ' +
      'tried on the data that was frozen when it was Closed. atUtc is the instant whose FAF rate applies; ' +
      'it defaults to the instant of the work.',
    body: RateCardTest,
    largeBodyBytes: largeContentBytes,
    response: json(Type.Object({ charges: Charges, explanation: Explanation })),
    refuses: [404],
    async handle({ tx, actor, body, passOn }) {
      const version = await loadRequestedVersion(tx, actor.organisationId, body)
      const consignment = await readTriedConsignment(tx, actor, body, version, passOn)
      const versions = await loadVersions(tx, actor.organisationId, versionIdsOf(consignment))
      const rated = rateConsignment(
        consignment,
        new Map([...versions, [version.id, version]]),
        await readSetUp(tx, actor.organisationId),
      )
      const charged = { consignment, frozen: null, rated, charges: rated.charges, adhoc: [] }
      return { charges: chargeLists(actor, charged), explanation: explainCharges(consignment, rated) }
    },
  }),
]
