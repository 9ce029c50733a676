// Reads a back-test to run: its card, its selection of consignments, and the other settings that affect
// charges.

import { type Db, sql } from '../../platform/database/db.ts'
import type { RateKind } from '../../vocabulary/billing.ts'
import { Relationship } from '../../vocabulary/partners.ts'
import { compileCard } from '../evaluator/compiled-card.ts'
import { type ExactInteger, wholeOf } from '../evaluator/exact.ts'
import type { Area } from '../evaluator/locality.ts'
import type { RateCardContent } from '../evaluator/rate-card-content.ts'
import type { LoadedVersion } from '../rate-cards/version-cache.ts'
import type { TestedCard } from './compare.ts'
import type { ReadQuery } from './read-consignments.ts'

/** A back-test, ready to run. */
export interface LoadedBackTest {
  query: ReadQuery
  tested: TestedCard
  /** the localities that the tested card refers to */
  localities: { id: string; areas: Area[] }[]
}

interface StoredTest extends Omit<ReadQuery, 'organisationId'> {
  rateCardVersionId: string | null
  kinds: RateKind[]
  contentSha256: string
  content: string
  approvedSha256: string | null
  fafRates: { carrierId: string | null; instant: number; percent: string }[]
  localities: LoadedBackTest['localities']
  taxRates: { activityTypeId: string; taxRateId: string }[]
}

const readStored = (db: Db, organisationId: string, id: string): Promise<StoredTest | undefined> =>
  db.maybe<StoredTest>(sql`
    select t.date_from, t.date_to, t.relationship, t.partner_ids::text[] as partner_ids,
      t.rate_card_version_id, t.kinds, t.content::text as content, t.content_sha256,
      v.content_sha256 as approved_sha256,
      exists (
        select from schedule_transaction s
        where s.organisation_id = t.organisation_id and s.rate_card_back_test_id is not null
      ) as is_adjusted,
      (
        select coalesce(json_agg(json_build_object('carrierId', r.carrier_id, 'percent', r.faf_percent::text,
          'instant', floor(extract(epoch from r.effective_from_utc) * 1000))
          order by r.effective_from_utc desc), '[]')
        from faf_profile_rate r
        where r.organisation_id = t.organisation_id
          and r.faf_profile_id = (t.content ->> 'fafProfileId')::uuid
      ) as faf_rates,
      (
        select coalesce(json_agg(json_build_object('id', y.id, 'areas', y.areas) order by y.id), '[]')
        from locality y
        where y.organisation_id = t.organisation_id and y.id in (
          select found.id::uuid
          from json_array_elements(t.content -> 'rates') rate,
            json_array_elements(rate -> 'charges') charge,
            json_array_elements_text(coalesce(charge -> 'when' -> 'originLocalityIds', '[]')) found (id)
          union all
          select found.id::uuid
          from json_array_elements(t.content -> 'rates') rate,
            json_array_elements(rate -> 'charges') charge,
            json_array_elements_text(coalesce(charge -> 'when' -> 'destinationLocalityIds', '[]')) found (id))
      ) as localities,
      (
        select coalesce(json_agg(json_build_object('activityTypeId', id, 'taxRateId', tax_rate_id)), '[]')
        from activity_type where organisation_id = t.organisation_id and tax_rate_id is not null
      ) as tax_rates
    from rate_card_back_test t
    left join rate_card_version v on v.organisation_id = t.organisation_id
      and v.id = t.rate_card_version_id and v.content_sha256 = t.content_sha256
    where t.organisation_id = ${organisationId} and t.id = ${id}`)

/** Reads a back-test. Returns undefined if it no longer exists. */
export async function readBackTest(
  db: Db,
  organisationId: string,
  id: string,
): Promise<LoadedBackTest | undefined> {
  const stored = await readStored(db, organisationId, id)
  if (stored === undefined) return undefined
  const { kinds, fafRates, localities, taxRates, relationship, partnerIds, dateFrom, dateTo, isAdjusted } =
    stored
  const content = JSON.parse(stored.content) as RateCardContent
  // If a Draft was changed since, the tested content is not a version any more.
  const versionId = stored.approvedSha256 === null ? '' : (stored.rateCardVersionId as string)
  return {
    query: { organisationId, relationship, partnerIds, dateFrom, dateTo, isAdjusted },
    tested: {
      version: versionOf(versionId, relationship, stored.contentSha256, content),
      side: relationship === Relationship.Carrier ? 'carrier' : 'client',
      kinds: new Set(kinds),
      activityTaxRates: new Map(taxRates.map(({ activityTypeId, taxRateId }) => [activityTypeId, taxRateId])),
      faf: fafFinder(fafRates),
    },
    localities,
  }
}

const versionOf = (
  id: string,
  relationship: number,
  contentSha256: string,
  content: RateCardContent,
): LoadedVersion => ({
  ...{ id, rateCardId: '', rateCardName: '', relationship, number: 0, effectiveFrom: '', contentSha256 },
  content,
  card: compileCard(content),
})

/**
 * Returns a function that finds the freight adjustment of a profile for a carrier at an instant: that of the
 * latest effective row of the carrier or, failing that, of the default. `rows` come with the latest first.
 */
const fafFinder = (rows: StoredTest['fafRates']) => {
  const fafRates = rows.map(({ percent, ...row }) => ({ ...row, faf: wholeOf(6, percent) }))
  return (carrierId: string | null, instant: number): ExactInteger => {
    const effective = fafRates.filter(row => row.instant <= instant)
    const found =
      effective.find(row => row.carrierId !== null && row.carrierId === carrierId) ??
      effective.find(row => row.carrierId === null)
    return found?.faf ?? 0
  }
}
