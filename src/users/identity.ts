// The endpoint that describes the caller: the user, organisation and partner of the token. Spec 2.1 (identity
// object), 4.1.

import { endpoint } from '../access/endpoint.ts'
import { sql } from '../platform/database/db.ts'
import { json } from '../platform/http/endpoint.ts'
import { notFound } from '../platform/http/refusal.ts'
import { named, nullable, type Static, Type, Uuid } from '../platform/http/schema.ts'

/** The caller. The partner fields are null for a token of the organisation itself. */
const Identity = named(
  'Identity',
  Type.Object({
    identityConnectionId: Uuid,
    userId: Uuid,
    userFullName: Type.String(),
    organisationId: Uuid,
    organisationName: Type.String(),
    partnerId: nullable(Uuid),
    partnerCode: nullable(Type.String()),
    partnerName: nullable(Type.String()),
  }),
)

export const identity = [
  endpoint({
    get: '/v1/identity',
    name: 'getIdentity',
    partners: 'all',
    scope: 'any',
    summary: 'Read the user, organisation and partner of the token',
    response: json(Identity),
    async handle({ db, actor }) {
      const names = await db.maybe<Omit<Static<typeof Identity>, 'identityConnectionId'>>(sql`
        select u.id as user_id, u.full_name as user_full_name, o.id as organisation_id, o.name
          as organisation_name,
          p.id as partner_id, p.code as partner_code, p.name as partner_name
        from organisation o
        join app_user u on u.organisation_id = o.id and u.id = ${actor.userId}
        left join partner p on p.organisation_id = o.id and p.id = ${actor.partnerId}
        where o.id = ${actor.organisationId}`)
      if (names === undefined) throw notFound('Identity')
      return { identityConnectionId: actor.connectionId, ...names }
    },
  }),
]
