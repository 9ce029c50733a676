// The endpoint that compares two versions of rate cards. Decision 7.

import type { Actor } from '../../access/actor.ts'
import { endpoint } from '../../access/endpoint.ts'
import { type Db, sql } from '../../platform/database/db.ts'
import { json } from '../../platform/http/endpoint.ts'
import { notFound } from '../../platform/http/refusal.ts'
import { named, nullable, Type, Uuid } from '../../platform/http/schema.ts'
import { contentDifferences } from './content-differences.ts'
import { loadVersions } from './version-cache.ts'

const Difference = named(
  'RateCardDifference',
  Type.Object({
    rate: nullable(Type.String({ description: 'The name of the rate; null for the version as a whole.' })),
    charge: nullable(Uuid),
    field: Type.String(),
    from: { ...Type.Unknown(), description: 'The value in the other version; null if it has none.' },
    to: { ...Type.Unknown(), description: 'The value in this version; null if it has none.' },
  }),
)

export const rateCardDifferences = [
  endpoint({
    get: '/v1/rate-cards/:rateCardId/versions/:rateCardVersionId/differences',
    name: 'listRateCardDifferences',
    partners: 'none',
    scope: 'financial.read',
    extension: true,
    summary: 'Compare a version with another',
    description:
      'Rates and charges are matched by their ids. With names the other version, which may belong to ' +
      'another card; the default is the version before.',
    query: Type.Object({ With: Type.Optional({ ...Uuid, description: 'The version to compare with.' }) }),
    response: json(Type.Array(Difference)),
    async handle({ db, actor, params, query }) {
      const { rateCardVersionId: id } = params
      const other = query.With ?? (await versionBefore(db, actor, id))
      const found = await loadVersions(db, actor.organisationId, other === undefined ? [id] : [id, other])
      const to = found.get(id)
      const from = other === undefined ? emptyContent : found.get(other)?.content
      if (to === undefined || to.rateCardId !== params.rateCardId || from === undefined)
        throw notFound('Rate card version')
      return contentDifferences(from, to.content)
    },
  }),
]

/** The content with which the first version of a card is compared. */
const emptyContent = { rates: [] }

/** The version of the same card with the next lower number; undefined for the first. */
async function versionBefore(db: Db, actor: Actor, id: string): Promise<string | undefined> {
  const before = await db.maybe<{ id: string }>(sql`
    select b.id from rate_card_version v
    join rate_card_version b on b.organisation_id = v.organisation_id and b.rate_card_id = v.rate_card_id
      and b.number < v.number
    where v.organisation_id = ${actor.organisationId} and v.id = ${id}
    order by b.number desc limit 1`)
  return before?.id
}
