// FAF profiles: by what fraction carriers' freight is adjusted, and since when. Spec 2.10, 4.11; open-points 7, 8.

import { v7 as uuidv7 } from 'uuid'
import { Relationship } from '../../partners/enumerations.ts'
import { refusePartner } from '../../partners/partner.ts'
import { Partner } from '../../partners/partners.ts'
import { empty, type Sql, sql, type Tx } from '../../platform/database/db.ts'
import { refusing } from '../../platform/database/errors.ts'
import { given, insertInto, updateGiven } from '../../platform/database/write.ts'
import type { Actor } from '../../platform/http/actor.ts'
import { changed, created, endpoint, json } from '../../platform/http/endpoint.ts'
import { pageOf, pageQueryFromZero, readPage, searchIn } from '../../platform/http/paging.ts'
import { conflict, notFound, verificationFailed } from '../../platform/http/refusal.ts'
import { Decimal, IntegerEnum, Name, named, nullable, optionals, type Static, Type, UtcTime, Uuid } from '../../platform/http/schema.ts'
import { parseInstant } from '../../platform/local-time.ts'
import { SetUpStatus } from '../../reference-data/enumerations.ts'

const collection = '/v1/faf-profiles'
const member = `${collection}/:fafProfileId` as const
const rateMember = `${member}/rates/:fafProfileRateId` as const

const FafProfile = named('FafProfile', Type.Object({ id: Uuid, name: Type.String(), status: IntegerEnum(SetUpStatus) }))

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

const profileFields = { name: Name, status: IntegerEnum(SetUpStatus) }
const profileFieldNames = Object.keys(profileFields) as (keyof typeof profileFields)[]
const NewProfile = named('NewFafProfile', Type.Object({ ...optionals(profileFields), name: profileFields.name }))
const ProfileChange = named('FafProfileChange', Type.Object(optionals(profileFields)))

// More than a thousand percent is a percentage that was meant as a fraction.
const rateFields = { fafPercent: Decimal(6, { minimum: -1, maximum: 10 }), effectiveFromUtc: UtcTime, carrierId: Uuid }
const rateFieldNames = Object.keys(rateFields) as (keyof typeof rateFields)[]
const NewRate = named('NewFafProfileRate', Type.Object({ ...rateFields, ...optionals({ carrierId: Uuid }) }))
const RateChange = named('FafProfileRateChange', Type.Object(optionals(rateFields)))

const refusePartners = (actor: Actor) => refusePartner(actor, 'see FAF profiles')

/** One profile `f` of the actor's organisation. */
const profile = (actor: Actor, id: string): Sql => sql`faf_profile f where f.organisation_id = ${actor.organisationId} and f.id = ${id}`

const nameTaken = ({ name }: Static<typeof ProfileChange>) => ({
  faf_profile_name_key: () => conflict(`A FAF profile with the name ${name} exists already.`),
})

const rateTaken = {
  faf_profile_rate_key: () => conflict('The profile has a rate of the same carrier (or default) and effectiveFromUtc already.'),
}

/** The rates `r` of a profile, each with the instant from which the next of the same carrier (or default) counts, and its carrier. */
const rates = (actor: Actor, profileId: string): Sql => sql`(
    select *, lead(effective_from_utc) over (partition by carrier_id order by effective_from_utc) as superseded_utc
    from faf_profile_rate where organisation_id = ${actor.organisationId} and faf_profile_id = ${profileId}
  ) r left join partner p on p.organisation_id = r.organisation_id and p.id = r.carrier_id`

const rateColumns = sql`r.id, r.carrier_id is null as is_default, r.faf_percent, r.effective_from_utc,
  coalesce(r.superseded_utc <= now(), false) as is_expired,
  case when p.id is not null then json_build_object('id', p.id, 'externalId', p.external_id, 'name', p.name, 'code', p.code, 'email', p.email,
    'relationship', p.relationship, 'status', p.status) end as carrier`

/** A rate's fields as they are stored, where given. 400 when the carrier is none. */
async function storedRate(tx: Tx, actor: Actor, body: Static<typeof RateChange>) {
  const { effectiveFromUtc, ...fields } = given(body, rateFieldNames)
  if (fields.carrierId !== undefined) {
    const carrier = await tx.maybe(sql`
      select from partner where organisation_id = ${actor.organisationId} and id = ${fields.carrierId} and relationship = ${Relationship.Carrier}`)
    if (carrier === undefined) throw verificationFailed('carrierId does not name a carrier.')
  }
  return { ...fields, effectiveFromUtc: effectiveFromUtc && parseInstant(effectiveFromUtc) }
}

/** Refuses (404) a profile that the organisation does not have. */
async function requireProfile(tx: Tx, actor: Actor, id: string): Promise<void> {
  if ((await tx.maybe(sql`select from ${profile(actor, id)}`)) === undefined) throw notFound('FAF profile')
}

export const fafProfiles = [
  endpoint({
    get: collection,
    scope: 'financial.read',
    summary: 'List FAF profiles',
    description: 'Pages count from 0.',
    query: pageQueryFromZero({ SearchText: searchIn('name'), Status: Type.Optional(IntegerEnum(SetUpStatus)) }),
    answer: json(pageOf('fafProfiles', FafProfile)),
    async handle({ db, actor, query }) {
      refusePartners(actor)
      return readPage(db, 'fafProfiles', query, {
        firstIndex: 0,
        columns: sql`f.id, f.name, f.status`,
        from: sql`faf_profile f where f.organisation_id = ${actor.organisationId}
          ${query.SearchText ? sql`and lower(f.name) like containing(${query.SearchText})` : empty}
          ${query.Status === undefined ? empty : sql`and f.status = ${query.Status}`}`,
        order: sql`f.name, f.id`,
      })
    },
  }),
  endpoint({
    get: member,
    scope: 'financial.read',
    extension: true,
    summary: 'Read an FAF profile',
    answer: json(FafProfile),
    async handle({ db, actor, params }) {
      refusePartners(actor)
      const found = await db.maybe<Static<typeof FafProfile>>(
        sql`select f.id, f.name, f.status from ${profile(actor, params.fafProfileId)}`,
      )
      if (found === undefined) throw notFound('FAF profile')
      return found
    },
  }),
  endpoint({
    post: collection,
    scope: 'financial',
    extension: true,
    summary: 'Create an FAF profile',
    body: NewProfile,
    answer: created('fafProfileId', Type.Object({ fafProfileId: Uuid })),
    refuses: [409],
    async handle({ tx, actor, body }) {
      refusePartners(actor)
      const id = uuidv7()
      const row = { organisationId: actor.organisationId, id, ...given(body, profileFieldNames) }
      await refusing(tx.run(insertInto('faf_profile', row)), nameTaken(body))
      return { fafProfileId: id }
    },
  }),
  endpoint({
    put: member,
    scope: 'financial',
    extension: true,
    summary: 'Change an FAF profile',
    body: ProfileChange,
    answer: changed,
    refuses: [409],
    async handle({ tx, actor, params, body }) {
      refusePartners(actor)
      const where = sql`organisation_id = ${actor.organisationId} and id = ${params.fafProfileId}`
      const isChanged = (await refusing(tx.run(updateGiven('faf_profile', profileFieldNames, body, where)), nameTaken(body))) > 0
      if (!isChanged) await requireProfile(tx, actor, params.fafProfileId)
      return isChanged
    },
  }),
  endpoint({
    get: `${member}/rates`,
    scope: 'financial.read',
    summary: 'List the rates of an FAF profile, the default first, then by carrier, the latest first',
    description:
      'Pages count from 0. fafPercent is a fraction: 0.125 is 12.5 percent. A row without a carrier is the default for all carriers. ' +
      'isExpired: a later row of the same carrier counts by now.',
    query: pageQueryFromZero({
      CarrierId: Type.Optional(Uuid),
      EffectiveDate: Type.Optional({ ...UtcTime, description: 'The rows that count at this instant.' }),
    }),
    answer: json(pageOf('fafProfileRates', FafProfileRate)),
    async handle({ db, actor, params, query }) {
      refusePartners(actor)
      const at = query.EffectiveDate === undefined ? undefined : parseInstant(query.EffectiveDate)
      return readPage(db, 'fafProfileRates', query, {
        firstIndex: 0,
        of: { from: profile(actor, params.fafProfileId), noun: 'FAF profile' },
        columns: rateColumns,
        from: sql`${rates(actor, params.fafProfileId)} where true
          ${query.CarrierId === undefined ? empty : sql`and r.carrier_id = ${query.CarrierId}`}
          ${at === undefined ? empty : sql`and r.effective_from_utc <= ${at} and (r.superseded_utc is null or r.superseded_utc > ${at})`}`,
        order: sql`p.name nulls first, r.carrier_id, r.effective_from_utc desc, r.id`,
      })
    },
  }),
  endpoint({
    get: rateMember,
    scope: 'financial.read',
    extension: true,
    summary: 'Read a rate of an FAF profile',
    answer: json(FafProfileRate),
    async handle({ db, actor, params }) {
      refusePartners(actor)
      const rate = await db.maybe<Static<typeof FafProfileRate>>(sql`
        select ${rateColumns} from ${rates(actor, params.fafProfileId)} where r.id = ${params.fafProfileRateId}`)
      if (rate === undefined) throw notFound('FAF profile rate')
      return rate
    },
  }),
  endpoint({
    post: `${member}/rates`,
    scope: 'financial',
    extension: true,
    summary: 'Add a rate to an FAF profile',
    description: 'Without carrierId it is the default for all carriers that have no rate of their own.',
    body: NewRate,
    answer: created('fafProfileRateId', Type.Object({ fafProfileRateId: Uuid })),
    refuses: [409],
    async handle({ tx, actor, params: { fafProfileId }, body }) {
      refusePartners(actor)
      await requireProfile(tx, actor, fafProfileId)
      const id = uuidv7()
      const row = { organisationId: actor.organisationId, id, fafProfileId, ...(await storedRate(tx, actor, body)) }
      await refusing(tx.run(insertInto('faf_profile_rate', row)), rateTaken)
      return { fafProfileRateId: id }
    },
  }),
  endpoint({
    put: rateMember,
    scope: 'financial',
    extension: true,
    summary: 'Change a rate of an FAF profile',
    body: RateChange,
    answer: changed,
    refuses: [409],
    async handle({ tx, actor, params, body }) {
      refusePartners(actor)
      const where = sql`organisation_id = ${actor.organisationId} and faf_profile_id = ${params.fafProfileId} and id = ${params.fafProfileRateId}`
      const known = await tx.maybe(sql`select from faf_profile_rate where ${where} for update`)
      if (known === undefined) throw notFound('FAF profile rate')
      const change = await storedRate(tx, actor, body)
      return (await refusing(tx.run(updateGiven('faf_profile_rate', rateFieldNames, change, where)), rateTaken)) > 0
    },
  }),
]
