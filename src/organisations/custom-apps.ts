// Custom apps: what integrations sign in with. Spec 5.1; open-points 8.

import { appsChanged } from '../oauth/registered-apps.ts'
import { empty, sql } from '../platform/database/db.ts'
import { updateFields } from '../platform/database/write.ts'
import { changed, created, type Endpoint, endpoint, json } from '../platform/http/endpoint.ts'
import { pageOf, pageQuery, readPage, searchIn } from '../platform/http/paging.ts'
import { notFound, validationFailed } from '../platform/http/refusal.ts'
import {
  allClearable,
  allOmittable,
  IntegerEnum,
  named,
  nullable,
  type Static,
  Type,
  UtcTime,
  Uuid,
} from '../platform/http/schema.ts'
import type { SecretBox } from '../platform/secret-box.ts'
import { hint } from '../platform/work/hints.ts'
import { createCustomApp } from './create-app.ts'
import {
  appFields,
  changeableFieldNames,
  redirectFault,
  requiredFields,
  Scopes,
  sortScopes,
  unrequiredFields,
} from './custom-app.ts'
import { GrantType } from './enumerations.ts'
import { requireScopes } from './handed-on-scopes.ts'

const ClientId = Type.String({ description: 'Names the app where it asks for tokens.' })

/** A custom app. Its secret was shown when it was created and cannot be read. */
const CustomApp = named(
  'CustomApp',
  Type.Object({
    id: Uuid,
    name: Type.String(),
    description: nullable(Type.String()),
    grantType: IntegerEnum(GrantType),
    clientId: ClientId,
    scopes: Scopes,
    redirectUris: Type.Array(Type.String()),
    isDisabled: Type.Boolean(),
    createdByUserId: Uuid,
    createdUtc: UtcTime,
  }),
)

const Credentials = named(
  'CustomAppCredentials',
  Type.Object({ customAppId: Uuid, clientId: ClientId, clientSecret: Type.String() }),
)

const columns = sql`a.id, a.name, a.description, a.grant_type, a.client_id, a.scopes, a.redirect_uris,
  a.disabled_utc is not null as is_disabled, a.created_by as created_by_user_id, a.created_utc`

const beyondToken = 'An app cannot be given scopes that the token does not hold'

/** The endpoints of custom apps; the box seals their secrets. */
export const customApps = ({ secretBox }: { secretBox: SecretBox }): Endpoint[] => [
  endpoint({
    get: '/v1/custom-apps',
    name: 'listCustomApps',
    partners: 'none',
    scope: 'organisation.read',
    extension: true,
    summary: 'List custom apps',
    query: pageQuery({ SearchText: searchIn('name and client id') }),
    response: json(pageOf('customApps', CustomApp)),
    async handle({ db, actor, query }) {
      return readPage(db, 'customApps', query, {
        columns,
        from: sql`custom_app a where a.organisation_id = ${actor.organisationId}
          ${
            query.SearchText
              ? sql`and lower(a.name || E'\n' || a.client_id) like containing(${query.SearchText})`
              : empty
          }`,
        order: sql`a.name, a.id`,
      })
    },
  }),
  endpoint({
    get: '/v1/custom-apps/:customAppId',
    name: 'getCustomApp',
    partners: 'none',
    scope: 'organisation.read',
    extension: true,
    summary: 'Read a custom app',
    response: json(CustomApp),
    async handle({ db, actor, params }) {
      const app = await db.maybe<Static<typeof CustomApp>>(sql`
        select ${columns} from custom_app a
        where a.organisation_id = ${actor.organisationId} and a.id = ${params.customAppId}`)
      if (app === undefined) throw notFound('Custom app')
      return app
    },
  }),
  endpoint({
    post: '/v1/custom-apps',
    name: 'createCustomApp',
    partners: 'none',
    scope: 'organisation',
    extension: true,
    summary: 'Create a custom app',
    description:
      'The client secret is in this answer and cannot be read afterwards. The app acts for the user of the ' +
      'token.',
    body: named('NewCustomApp', Type.Object(appFields)),
    response: created('customAppId', Credentials),
    async handle({ tx, actor, body }) {
      requireScopes(actor, body.scopes, beyondToken)
      return createCustomApp(tx, secretBox, {
        ...body,
        organisationId: actor.organisationId,
        userId: actor.userId,
      })
    },
  }),
  endpoint({
    put: '/v1/custom-apps/:customAppId',
    name: 'updateCustomApp',
    partners: 'none',
    scope: 'organisation',
    extension: true,
    summary: 'Change, disable or enable a custom app',
    description: 'A disabled app gets no token, and those it has are refused within ten seconds.',
    body: named(
      'CustomAppChange',
      Type.Object({
        ...allOmittable({ ...requiredFields, isDisabled: Type.Boolean() }),
        ...allClearable(unrequiredFields),
      }),
    ),
    response: changed,
    async handle({ tx, actor, params, body }) {
      const where = sql`organisation_id = ${actor.organisationId} and id = ${params.customAppId}`
      const app = await tx.maybe<{ grantType: number; scopes: string[] }>(
        sql`select grant_type, scopes from custom_app where ${where} for no key update`,
      )
      if (app === undefined) throw notFound('Custom app')
      const added = (body.scopes ?? []).filter(scope => !app.scopes.includes(scope))
      requireScopes(actor, added, beyondToken)
      const fault = body.redirectUris ? redirectFault(app.grantType, body.redirectUris) : undefined
      if (fault !== undefined) throw validationFailed(fault)

      const change = { ...body, scopes: body.scopes ? sortScopes(body.scopes) : undefined }
      const changedFields = await tx.run(updateFields('custom_app', changeableFieldNames, change, where))
      const switched = await tx.run(sql`
        update custom_app set disabled_utc = case when ${body.isDisabled} then now() end
        where ${where} and (disabled_utc is not null) <> ${body.isDisabled}`)
      const isChanged = changedFields + switched > 0
      if (isChanged) tx.afterCommit(() => hint(appsChanged))
      return isChanged
    },
  }),
]
