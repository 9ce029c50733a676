// The rates of FAF profiles: the fraction by which freight is raised, by carrier and effective date. Spec
// 2.10, 4.11; decisions 7, 8.

import { v7 as uuidv7 } from 'uuid'
import type { Actor } from '../../access/actor.ts'
import { endpoint } from '../../access/endpoint.ts'
import { Partner } from '../../partners/partners.ts'
import { empty, type Sql, sql, type Tx } from '../../platform/database/db.ts'
import { refuseViolations } from '../../platform/database/errors.ts'
import { changedFields, insertInto, updateFields } from '../../platform/database/write.ts'
import { changed, created, json } from '../../platform/http/endpoint.ts'
import { faultAt } from '../../platform/http/fault.ts'
import { pageOf, pageQueryFromZero, readPage } from '../../platform/http/paging.ts'
import { duplicate, notFound, verificationFailed } from '../../platform/http/refusal.ts'
import { allOptional, named, nullable, type Static, Type, UtcTime, Uuid } from '../../platform/http/schema.ts'
import { parseInstant } from '../../platform/local-time.ts'
import { Relationship } from '../../vocabulary/partners.ts'
import { profile, RateChange, rateFieldNames, rateFields, requireProfile } from './faf-profiles.ts'

const FafProfileRate = named(
  'FafProfileRate',
  Type.Object({
    id: Uuid,
    carrier: nullable(Partner),
    isDefault: Type.Boolean(),
    fafPercent: Type.Number(),
    effectiveFromUtc: UtcTime,
    isExpired: Type.Boolean(),
  }),
)

const NewRate = named(
  'NewFafProfileRate',
  Type.Object({ ...rateFields, ...allOptional({ carrierId: Uuid }) }),
)

const rateTaken = {
  faf_profile_rate_key: () =>
    duplicate(null, 'The profile already has a rate of the same carrier (or default) and effectiveFromUtc.'),
}

/**
 * The rates `r` of a profile, each with its carrier `p` and the instant from which the next rate of the same
 * carrier (or the next default) supersedes it.
 */
const rates = (actor: Actor, profileId: string): Sql => sql`(
    select *, lead(effective_from_utc) over (partition by carrier_id order by effective_from_utc)
      as superseded_utc
    from faf_profile_rate where organisation_id = ${actor.organisationId} and faf_profile_id = ${profileId}
  ) r left join partner p on p.organisation_id = r.organisation_id and p.id = r.carrier_id`

const rateColumns = sql`r.id, r.carrier_id is null as is_default, r.faf_percent, r.effective_from_utc,
  coalesce(r.superseded_utc <= now(), false) as is_expired,
  case when p.id is not null then json_build_object(
    'id', p.id, 'externalId', p.external_id, 'name', p.name, 'code', p.code, 'email', p.email,
    'relationship', p.relationship, 'status', p.status) end as carrier`

/**
 * Returns the fields of a rate as they are stored; those absent from the body are undefined. 400 if carrierId
 * does not refer to a carrier.
 */
async function toStoredRate(tx: Tx, actor: Actor, body: Static<typeof RateChange>) {
  const { effectiveFromUtc, ...fields } = changedFields(body, rateFieldNames)
  if (fields.carrierId) {
    const carrier = await tx.maybe(sql`
      select from partner where organisation_id = ${actor.organisationId} and id = ${fields.carrierId}
        and relationship = ${Relationship.Carrier}`)
    if (carrier === undefined)
      throw verificationFailed(faultAt('carrierId', 'does not refer to a carrier', 'unknown_reference'))
  }
  return { ...fields, effectiveFromUtc: effectiveFromUtc && parseInstant(effectiveFromUtc) }
}

export const fafProfileRates = [
  endpoint({
    get: '/v1/faf-profiles/:fafProfileId/rates',
    name: 'listFafProfileRates',
    partners: 'none',
    scope: 'financial.read',
    summary: 'List the rates of an FAF profile, the default first, then by carrier, the latest first',
    description:
      'Pages count from 0. fafPercent is a fraction: 0.125 is 12.5 percent. A row without a carrier is the ' +
      'default for all carriers. ' +
      'isExpired: a later row of the same carrier is in effect.',
    query: pageQueryFromZero({
      CarrierId: Type.Optional(Uuid),
      EffectiveDate: Type.Optional({ ...UtcTime, description: 'The rows in effect at this instant.' }),
    }),
    response: json(pageOf('fafProfileRates', FafProfileRate)),
    async handle({ db, actor, params, query }) {
      const at = query.EffectiveDate === undefined ? undefined : parseInstant(query.EffectiveDate)
      return readPage(db, 'fafProfileRates', query, {
        firstIndex: 0,
        parent: { from: profile(actor, params.fafProfileId), noun: 'FAF profile' },
        columns: rateColumns,
        from: sql`${rates(actor, params.fafProfileId)} where true
          ${query.CarrierId === undefined ? empty : sql`and r.carrier_id = ${query.CarrierId}`}
          ${
            at === undefined
              ? empty
              : sql`and r.effective_from_utc <= ${at}
                and (r.superseded_utc is null or r.superseded_utc > ${at})`
          }`,
        order: sql`p.name nulls first, r.carrier_id, r.effective_from_utc desc, r.id`,
      })
    },
  }),
  endpoint({
    get: '/v1/faf-profiles/:fafProfileId/rates/:fafProfileRateId',
    name: 'getFafProfileRate',
    partners: 'none',
    scope: 'financial.read',
    extension: true,
    summary: 'Read a rate of an FAF profile',
    response: json(FafProfileRate),
    async handle({ db, actor, params }) {
      const rate = await db.maybe<Static<typeof FafProfileRate>>(sql`
        select ${rateColumns} from ${rates(actor, params.fafProfileId)}
        where r.id = ${params.fafProfileRateId}`)
      if (rate === undefined) throw notFound('FAF profile rate')
      return rate
    },
  }),
  endpoint({
    post: '/v1/faf-profiles/:fafProfileId/rates',
    name: 'createFafProfileRate',
    partners: 'none',
    scope: 'financial',
    extension: true,
    summary: 'Add a rate to an FAF profile',
    description: 'Without carrierId it is the default for all carriers that have no rate of their own.',
    body: NewRate,
    response: created('fafProfileRateId', Type.Object({ fafProfileRateId: Uuid })),
    refuses: [409],
    async handle({ tx, actor, params: { fafProfileId }, body }) {
      await requireProfile(tx, actor, fafProfileId)
      const id = uuidv7()
      const row = {
        organisationId: actor.organisationId,
        id,
        fafProfileId,
        ...(await toStoredRate(tx, actor, body)),
      }
      await refuseViolations(tx.run(insertInto('faf_profile_rate', row)), rateTaken)
      return { fafProfileRateId: id }
    },
  }),
  endpoint({
    put: '/v1/faf-profiles/:fafProfileId/rates/:fafProfileRateId',
    name: 'updateFafProfileRate',
    partners: 'none',
    scope: 'financial',
    extension: true,
    summary: 'Change a rate of an FAF profile',
    body: RateChange,
    response: changed,
    refuses: [409],
    async handle({ tx, actor, params, body }) {
      const where = sql`organisation_id = ${actor.organisationId} and faf_profile_id = ${params.fafProfileId}
        and id = ${params.fafProfileRateId}`
      const rate = await tx.maybe(sql`select from faf_profile_rate where ${where} for update`)
      if (rate === undefined) throw notFound('FAF profile rate')
      const change = await toStoredRate(tx, actor, body)
      return (
        (await refuseViolations(
          tx.run(updateFields('faf_profile_rate', rateFieldNames, change, where)),
          rateTaken,
        )) > 0
      )
    },
  }),
]
