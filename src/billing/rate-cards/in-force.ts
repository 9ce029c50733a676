// Finds the version of a rate card in force for a partner on a date: a version of the partner's own Active
// card or, failing that, of the fall-back card. Decision 7.

import { endpoint } from '../../access/endpoint.ts'
import { raw, type Sql, sql } from '../../platform/database/db.ts'
import { json } from '../../platform/http/endpoint.ts'
import { notFound } from '../../platform/http/refusal.ts'
import { IntegerEnum, named, PlainDate, type Static, Type, Uuid } from '../../platform/http/schema.ts'
import { RateCardBecause, RateCardStatus, RateCardVersionStatus } from '../../vocabulary/billing.ts'

// Literals, because a prepared statement with parameters cannot use the partial indexes on one status.
const active = raw(String(RateCardStatus.Active))
const approved = raw(String(RateCardVersionStatus.Approved))

/** SQL: today in the time zone of organisation `o`. */
export const today = sql`(now() at time zone o.timezone_id)::date`

/**
 * SQL: the version in force for a partner on a date, as a table with one row or none and the columns
 * `rate_card_id`, `id`, `faf_profile_id`, `locality_ids` and `because`. It is the Approved version with the
 * latest effectiveFrom not after the date; of equal dates, the one with the higher number.
 */
export const versionInForce = (of: {
  organisation: Sql
  relationship: Sql
  partner: Sql
  date: Sql
}): Sql => sql`(
  select k.id as rate_card_id, v.id, v.faf_profile_id, v.locality_ids,
    case when k.partner_id is null then ${RateCardBecause.FallBack}::integer
      else ${RateCardBecause.Own}::integer end as because
  from rate_card k
  cross join lateral (
    select v.id, v.faf_profile_id, v.locality_ids from rate_card_version v
    where v.organisation_id = k.organisation_id and v.rate_card_id = k.id and v.status = ${approved}
      and v.effective_from <= ${of.date}
    order by v.effective_from desc, v.number desc limit 1
  ) v
  where k.organisation_id = ${of.organisation} and k.relationship = ${of.relationship}
    and k.status = ${active}
    and (k.partner_id = ${of.partner} or k.partner_id is null)
  order by k.partner_id is null limit 1)`

const InForce = named(
  'RateCardInForce',
  Type.Object({ rateCardId: Uuid, rateCardVersionId: Uuid, because: IntegerEnum(RateCardBecause) }),
)

export const rateCardInForce = [
  endpoint({
    get: '/v1/rate-cards/in-force',
    name: 'getRateCardInForce',
    partners: 'none',
    scope: 'financial.read',
    extension: true,
    summary: 'Read the version of a rate card in force for a partner on a date',
    description:
      'Date defaults to today. 404 if the partner has no card in force and there is no fall-back card.',
    query: Type.Object({
      PartnerId: Uuid,
      Date: Type.Optional({ ...PlainDate, description: 'The local date of the work.' }),
    }),
    response: json(InForce),
    refuses: [404],
    async handle({ db, actor, query }) {
      const found = await db.maybe<Static<typeof InForce>>(sql`
        select f.rate_card_id, f.id as rate_card_version_id, f.because
        from organisation o
        join partner p on p.organisation_id = o.id and p.id = ${query.PartnerId}
        cross join lateral ${versionInForce({
          organisation: sql`p.organisation_id`,
          relationship: sql`p.relationship`,
          partner: sql`p.id`,
          date: query.Date === undefined ? today : sql`${query.Date}::date`,
        })} f
        where o.id = ${actor.organisationId}`)
      if (found === undefined) throw notFound('Rate card in force')
      return found
    },
  }),
]
