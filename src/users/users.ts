// Users: the people of an organisation, and those of its partners. Decision 8.

import { endpoint } from '../access/endpoint.ts'
import { endAllAccess } from '../oauth/end-sessions.ts'
import { appsChanged } from '../oauth/registered-apps.ts'
import { operatorEmail, refuseOperatorEmail } from '../organisations/organisation.ts'
import { empty, sql } from '../platform/database/db.ts'
import { refuseViolations } from '../platform/database/errors.ts'
import { updateFields } from '../platform/database/write.ts'
import { changed, created, json } from '../platform/http/endpoint.ts'
import { pageOf, pageQuery, readPage, searchIn } from '../platform/http/paging.ts'
import { notFound, verificationFailed } from '../platform/http/refusal.ts'
import {
  allClearable,
  allOmittable,
  allOptional,
  Email,
  Name,
  named,
  nullable,
  type Static,
  Type,
  UtcTime,
  Uuid,
} from '../platform/http/schema.ts'
import { hint } from '../platform/work/hints.ts'
import { createUser, RoleName, userRefusals } from './create-user.ts'

/** A user. */
const User = named(
  'User',
  Type.Object({
    id: Uuid,
    email: Type.String(),
    fullName: Type.String(),
    role: RoleName,
    partnerId: nullable(Uuid),
    partnerName: nullable(Type.String()),
    isDisabled: Type.Boolean(),
    hasPassword: Type.Boolean(),
    isOperator: {
      ...Type.Boolean(),
      description:
        'Whether it stands for the operator of the service, who is no person and cannot be changed.',
    },
    createdUtc: UtcTime,
  }),
)

const requiredFields = { email: Email, fullName: Name, role: RoleName }
const optionalFields = { partnerId: Uuid }
const fieldNames = ['email', 'fullName', 'role', 'partnerId'] as const

const columns = sql`u.id, u.email, u.full_name, u.role, u.partner_id, p.name as partner_name, u.created_utc,
  u.disabled_utc is not null as is_disabled, u.password_hash is not null as has_password,
  u.email = ${operatorEmail} as is_operator`
const tables = sql`app_user u
  left join partner p on p.organisation_id = u.organisation_id and p.id = u.partner_id`

export const users = [
  endpoint({
    get: '/v1/users',
    name: 'listUsers',
    partners: 'none',
    scope: 'organisation.read',
    extension: true,
    summary: 'List users',
    query: pageQuery({
      SearchText: searchIn('email address and full name'),
      Role: Type.Optional(RoleName),
      PartnerId: Type.Optional({ ...Uuid, description: 'The client or carrier that they belong to.' }),
      IsDisabled: Type.Optional(Type.Boolean()),
    }),
    response: json(pageOf('users', User)),
    async handle({ db, actor, query }) {
      return readPage(db, 'users', query, {
        columns,
        from: sql`${tables} where u.organisation_id = ${actor.organisationId}
          ${
            query.SearchText
              ? sql`and lower(u.email || E'\n' || u.full_name) like containing(${query.SearchText})`
              : empty
          }
          ${query.Role === undefined ? empty : sql`and u.role = ${query.Role}`}
          ${query.PartnerId === undefined ? empty : sql`and u.partner_id = ${query.PartnerId}`}
          ${
            query.IsDisabled === undefined
              ? empty
              : sql`and (u.disabled_utc is not null) = ${query.IsDisabled}`
          }`,
        order: sql`u.full_name, u.id`,
      })
    },
  }),
  endpoint({
    get: '/v1/users/:userId',
    name: 'getUser',
    partners: 'none',
    scope: 'organisation.read',
    extension: true,
    summary: 'Read a user',
    response: json(User),
    async handle({ db, actor, params }) {
      const user = await db.maybe<Static<typeof User>>(sql`
        select ${columns} from ${tables}
        where u.organisation_id = ${actor.organisationId} and u.id = ${params.userId}`)
      if (user === undefined) throw notFound('User')
      return user
    },
  }),
  endpoint({
    post: '/v1/users',
    name: 'createUser',
    partners: 'none',
    scope: 'organisation',
    extension: true,
    summary: 'Create a user',
    body: named(
      'NewUser',
      Type.Object({ ...allOptional({ ...requiredFields, ...optionalFields }), email: Email, fullName: Name }),
    ),
    response: created('userId', Type.Object({ userId: Uuid })),
    refuses: [409],
    async handle({ tx, actor, body }) {
      const { email, fullName, role, partnerId } = body
      return {
        userId: await createUser(tx, {
          organisationId: actor.organisationId,
          email,
          fullName,
          role,
          partnerId,
        }),
      }
    },
  }),
  endpoint({
    put: '/v1/users/:userId',
    name: 'updateUser',
    partners: 'none',
    scope: 'organisation',
    extension: true,
    summary: 'Change a user',
    description:
      'A new role or partner ends the access tokens that were issued for the user before, within ten ' +
      'seconds, also those of apps with client credentials that the user created; the next tokens have ' +
      'it. A partnerId of null returns the user ' +
      'to the organisation. A disabled user cannot sign in, their refresh tokens end at once, and their ' +
      'access tokens are refused within ten seconds. Apps with client credentials that the user created ' +
      'keep their access.',
    body: named(
      'UserChange',
      Type.Object({
        ...allOmittable({ ...requiredFields, isDisabled: Type.Boolean() }),
        ...allClearable(optionalFields),
      }),
    ),
    response: changed,
    refuses: [409],
    async handle({ tx, actor, params, body }) {
      const where = sql`organisation_id = ${actor.organisationId} and id = ${params.userId}`
      const user = await tx.maybe<{ email: string; role: string; partnerId: string | null }>(
        sql`select email, role, partner_id from app_user where ${where} for no key update`,
      )
      if (user === undefined) throw notFound('User')
      if (user.email === operatorEmail)
        throw verificationFailed('The operator of the service is not a person and cannot be changed.')
      refuseOperatorEmail(body.email)
      const changedFields = await refuseViolations(
        tx.run(updateFields('app_user', fieldNames, body, where)),
        userRefusals(body.email),
      )
      const { role = user.role, partnerId = user.partnerId } = body
      if (role !== user.role || partnerId !== user.partnerId) {
        await tx.run(sql`
          update app_user set access_number = access_number + 1, access_changed_utc = now() where ${where}`)
        tx.afterCommit(() => hint(appsChanged))
      }
      const switchedUsers = await tx.run(sql`
        update app_user set disabled_utc = case when ${body.isDisabled} then now() end
        where ${where} and (disabled_utc is not null) <> ${body.isDisabled}`)
      if (switchedUsers > 0) {
        await endAllAccess(tx, { organisationId: actor.organisationId, userId: params.userId })
        tx.afterCommit(() => hint(appsChanged))
      }
      return changedFields + switchedUsers > 0
    },
  }),
]
