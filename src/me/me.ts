// The endpoint that tells a browser app everything it needs at its start: who the person is, what their token
// may do, how their organisation writes dates and amounts, and which version of the app the service has.

import { endpoint } from '../access/endpoint.ts'
import { hasRequiredScope } from '../access/scopes.ts'
import { sql } from '../platform/database/db.ts'
import { json } from '../platform/http/endpoint.ts'
import { notFound } from '../platform/http/refusal.ts'
import { named, nullable, type Static, Type, Uuid } from '../platform/http/schema.ts'
import { WarehouseStatus } from '../vocabulary/warehouses.ts'

const Me = named(
  'Me',
  Type.Object({
    userId: Uuid,
    fullName: Type.String(),
    email: Type.String(),
    role: Type.String({ examples: ['member'] }),
    scopes: Type.Array(Type.String(), { description: 'What the token may do.' }),
    partner: nullable(
      Type.Object({
        id: Uuid,
        code: Type.String(),
        name: Type.String(),
        relationship: Type.Integer({ description: '1 Client, 2 Carrier.' }),
      }),
    ),
    organisation: Type.Object({
      id: Uuid,
      name: Type.String(),
      timezoneId: Type.String({ description: 'IANA time zone of records without a warehouse.' }),
      currencyCode: nullable(Type.String()),
      locale: Type.String({
        description: 'How dates and numbers are written, as a BCP 47 tag.',
        examples: ['en-NZ'],
      }),
      firstDayOfWeek: Type.Integer({ description: '1 Monday to 7 Sunday.' }),
    }),
    warehouses: Type.Array(
      Type.Object({ id: Uuid, code: Type.String(), name: Type.String(), timezoneId: Type.String() }),
      { description: 'The active warehouses, if the token may read them.' },
    ),
    app: nullable(
      Type.String({ description: 'The built-in app that the token was issued to: portal or floor.' }),
    ),
    build: nullable(
      Type.String({ description: 'Identifies the version of the portal that the service has.' }),
    ),
    isDemo: Type.Boolean({ description: 'Whether this is the demo.' }),
  }),
)

export const me = ({
  portalBuild = null,
  isDemo = false,
}: {
  portalBuild?: string | null | undefined
  isDemo?: boolean
}) => [
  endpoint({
    get: '/v1/me',
    name: 'getMe',
    partners: 'all',
    scope: 'any',
    extension: true,
    summary: 'Read who the token acts for, and what an app needs at its start',
    response: json(Me),
    async handle({ db, actor }) {
      const maySeeWarehouses = hasRequiredScope(actor, 'warehouse.read')
      const person = await db.maybe<Omit<Static<typeof Me>, 'scopes' | 'app' | 'build' | 'isDemo'>>(sql`
        select u.id as user_id, u.full_name, u.email, u.role,
          case when p.id is not null then json_build_object('id', p.id, 'code', p.code, 'name', p.name,
            'relationship', p.relationship) end as partner,
          json_build_object('id', o.id, 'name', o.name, 'timezoneId', o.timezone_id,
            'currencyCode', o.currency_code, 'locale', o.locale, 'firstDayOfWeek', o.first_day_of_week)
            as organisation,
          coalesce((
            select json_agg(json_build_object('id', w.id, 'code', w.code, 'name', w.name,
              'timezoneId', w.timezone_id) order by lower(w.name), w.id)
            from warehouse w
            where w.organisation_id = o.id and w.status = ${WarehouseStatus.Active} and ${maySeeWarehouses}
          ), '[]') as warehouses
        from organisation o
        join app_user u on u.organisation_id = o.id and u.id = ${actor.userId}
        left join partner p on p.organisation_id = o.id and p.id = ${actor.partnerId}
        where o.id = ${actor.organisationId}`)
      if (person === undefined) throw notFound('User')
      return {
        ...person,
        scopes: [...actor.scopes].toSorted(),
        app: actor.app ?? null,
        build: portalBuild,
        isDemo,
      }
    },
  }),
]
