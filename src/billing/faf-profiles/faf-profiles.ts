// FAF profiles: the fractions by which freight is adjusted, by carrier and date. Spec 2.10, 4.11; decisions
// 7, 8.

import { v7 as uuidv7 } from 'uuid'
import type { Actor } from '../../access/actor.ts'
import { endpoint } from '../../access/endpoint.ts'
import { empty, type Sql, sql, type Tx } from '../../platform/database/db.ts'
import { refuseViolations } from '../../platform/database/errors.ts'
import { givenFields, insertInto, updateFields } from '../../platform/database/write.ts'
import { changed, created, json } from '../../platform/http/endpoint.ts'
import { pageOf, pageQueryFromZero, readPage, searchIn } from '../../platform/http/paging.ts'
import { duplicate, notFound } from '../../platform/http/refusal.ts'
import {
  allClearable,
  allOmittable,
  allOptional,
  Decimal,
  IntegerEnum,
  Name,
  named,
  type Static,
  Type,
  UtcTime,
  Uuid,
} from '../../platform/http/schema.ts'
import { refuseCodeOfInactive } from '../../platform/unique-code.ts'
import { SetUpStatus } from '../../vocabulary/reference-data.ts'

const FafProfile = named(
  'FafProfile',
  Type.Object({ id: Uuid, name: Type.String(), status: IntegerEnum(SetUpStatus) }),
)

const profileFields = { name: Name, status: IntegerEnum(SetUpStatus) }
const profileFieldNames = Object.keys(profileFields) as (keyof typeof profileFields)[]
const NewProfile = named(
  'NewFafProfile',
  Type.Object({ ...allOptional(profileFields), name: profileFields.name }),
)
const ProfileChange = named('FafProfileChange', Type.Object(allOmittable(profileFields)))

// More than 10 (a thousand percent) is likely a percentage that should have been a fraction.
export const rateFields = {
  fafPercent: Decimal(6, {
    minimum: -1,
    maximum: 10,
    fault: 'must be a fraction from -1 to 10, such as 0.125 for 12.5 %',
  }),
  effectiveFromUtc: UtcTime,
}
export const rateFieldNames = ['fafPercent', 'effectiveFromUtc', 'carrierId'] as const
export const RateChange = named(
  'FafProfileRateChange',
  Type.Object({ ...allOmittable(rateFields), ...allClearable({ carrierId: Uuid }) }),
)

/** Selects one profile of the actor's organisation as `f`, for a `from` clause. */
export const profile = (actor: Actor, id: string): Sql =>
  sql`faf_profile f where f.organisation_id = ${actor.organisationId} and f.id = ${id}`

const takenMessage = (name: string | undefined) => `An FAF profile with the name ${name} already exists`
const nameTaken = ({ name }: { name?: string }) => ({
  faf_profile_name_key: () => duplicate('name', `${takenMessage(name)}.`),
})
const refuseNameOfInactive = (tx: Tx, actor: Actor, name: string | undefined, ownId?: string) =>
  refuseCodeOfInactive(tx, {
    table: 'faf_profile',
    column: 'name',
    value: name,
    scope: sql`organisation_id = ${actor.organisationId}`,
    ...(ownId === undefined ? {} : { ownId }),
    inactiveStatus: SetUpStatus.Inactive,
    activeStatus: SetUpStatus.Active,
    takenMessage: takenMessage(name),
    path: '/v1/faf-profiles',
  })

/** Refuses (404) a profile that the organisation does not have. */
export async function requireProfile(tx: Tx, actor: Actor, id: string): Promise<void> {
  if ((await tx.maybe(sql`select from ${profile(actor, id)}`)) === undefined) throw notFound('FAF profile')
}

export const fafProfiles = [
  endpoint({
    get: '/v1/faf-profiles',
    name: 'listFafProfiles',
    partners: 'none',
    scope: 'financial.read',
    summary: 'List FAF profiles',
    description: 'Pages count from 0.',
    query: pageQueryFromZero({
      SearchText: searchIn('name'),
      Status: Type.Optional(IntegerEnum(SetUpStatus)),
    }),
    response: json(pageOf('fafProfiles', FafProfile)),
    async handle({ db, actor, query }) {
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
    get: '/v1/faf-profiles/:fafProfileId',
    name: 'getFafProfile',
    partners: 'none',
    scope: 'financial.read',
    extension: true,
    summary: 'Read an FAF profile',
    response: json(FafProfile),
    async handle({ db, actor, params }) {
      const found = await db.maybe<Static<typeof FafProfile>>(
        sql`select f.id, f.name, f.status from ${profile(actor, params.fafProfileId)}`,
      )
      if (found === undefined) throw notFound('FAF profile')
      return found
    },
  }),
  endpoint({
    post: '/v1/faf-profiles',
    name: 'createFafProfile',
    partners: 'none',
    scope: 'financial',
    extension: true,
    summary: 'Create an FAF profile',
    body: NewProfile,
    response: created('fafProfileId', Type.Object({ fafProfileId: Uuid })),
    refuses: [409],
    async handle({ tx, actor, body }) {
      await refuseNameOfInactive(tx, actor, body.name)
      const id = uuidv7()
      const row = { organisationId: actor.organisationId, id, ...givenFields(body, profileFieldNames) }
      await refuseViolations(tx.run(insertInto('faf_profile', row)), nameTaken(body))
      return { fafProfileId: id }
    },
  }),
  endpoint({
    put: '/v1/faf-profiles/:fafProfileId',
    name: 'updateFafProfile',
    partners: 'none',
    scope: 'financial',
    extension: true,
    summary: 'Change an FAF profile',
    body: ProfileChange,
    response: changed,
    refuses: [409],
    async handle({ tx, actor, params, body }) {
      const where = sql`organisation_id = ${actor.organisationId} and id = ${params.fafProfileId}`
      await refuseNameOfInactive(tx, actor, body.name, params.fafProfileId)
      const isChanged =
        (await refuseViolations(
          tx.run(updateFields('faf_profile', profileFieldNames, body, where)),
          nameTaken(body),
        )) > 0
      if (!isChanged) await requireProfile(tx, actor, params.fafProfileId)
      return isChanged
    },
  }),
]
