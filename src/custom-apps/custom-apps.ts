// The endpoints of custom apps, with which integrations sign in. Spec 5.1; decision 8.

import { type Endpoint, endpoint } from '../access/endpoint.ts'
import { appsChanged } from '../oauth/registered-apps.ts'
import { empty, sql } from '../platform/database/db.ts'
import { updateFields } from '../platform/database/write.ts'
import { changed, created, json } from '../platform/http/endpoint.ts'
import { pageOf, pageQuery, readPage, searchIn } from '../platform/http/paging.ts'
import { notFound, validationFailed, verificationFailed } from '../platform/http/refusal.ts'
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
import { GrantType } from '../vocabulary/organisations.ts'
import { createCustomApp } from './create-app.ts'
import {
  appFields,
  changeableFieldNames,
  optionalFields,
  redirectFault,
  requiredFields,
  Scopes,
  sortScopes,
} from './custom-app.ts'
import { requireHeldScopes } from './held-scopes.ts'

const ClientId = Type.String({ description: 'Identifies the app when it requests tokens.' })

/** A custom app. Its secret is shown only when it is created and cannot be read later. */
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
    builtIn: nullable(
      Type.String({
        description:
          'The browser app that every organisation has: portal or floor. It can only be disabled and ' +
          'enabled.',
      }),
    ),
    createdByUserId: Uuid,
    createdUtc: UtcTime,
  }),
)

const Credentials = named(
  'CustomAppCredentials',
  Type.Object({ customAppId: Uuid, clientId: ClientId, clientSecret: Type.String() }),
)

const columns = sql`a.id, a.name, a.description, a.grant_type, a.client_id, a.scopes, a.redirect_uris,
  a.disabled_utc is not null as is_disabled, a.built_in, a.created_by as created_by_user_id, a.created_utc`

// Why a built-in app is not changed in any other way.
const onlySwitched = 'An app that is built in can only be disabled and enabled.'

const beyondToken = 'An app cannot be given scopes that the token does not hold'

/** The endpoints of custom apps. `secretBox` encrypts the hashes of their secrets. */
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
      'The response contains the client secret, which cannot be read later. The app acts for the user of ' +
      'the token.',
    body: named('NewCustomApp', Type.Object(appFields)),
    response: created('customAppId', Credentials),
    async handle({ tx, actor, body }) {
      requireHeldScopes(actor, body.scopes, beyondToken)
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
    description:
      'A disabled app gets no tokens, and those that it has are refused within ten seconds. Scopes that ' +
      'are taken from an app live on in its tokens for up to an hour, until they expire. The caller needs ' +
      'a token with every scope of the app, except to disable it or to take scopes away.',
    body: named(
      'CustomAppChange',
      Type.Object({
        ...allOmittable({ ...requiredFields, isDisabled: Type.Boolean() }),
        ...allClearable(optionalFields),
      }),
    ),
    response: changed,
    async handle({ tx, actor, params, body }) {
      const where = sql`organisation_id = ${actor.organisationId} and id = ${params.customAppId}`
      const app = await tx.maybe<{ grantType: number; scopes: string[]; builtIn: string | null }>(
        sql`select grant_type, scopes, built_in from custom_app where ${where} for no key update`,
      )
      if (app === undefined) throw notFound('Custom app')
      const added = (body.scopes ?? []).filter(scope => !app.scopes.includes(scope))
      requireHeldScopes(actor, added, beyondToken)
      const { scopes: remaining = app.scopes, isDisabled, ...others } = body
      if (app.builtIn !== null && (body.scopes !== undefined || Object.keys(others).length > 0))
        throw verificationFailed(onlySwitched)
      const onlyTakesAway = isDisabled !== false && Object.keys(others).length === 0
      if (!onlyTakesAway)
        requireHeldScopes(actor, remaining, 'An app is not changed by a token that lacks its scopes')
      const fault = body.redirectUris ? redirectFault(app.grantType, body.redirectUris) : undefined
      if (fault !== undefined) throw validationFailed(fault)

      const change = { ...body, scopes: body.scopes ? sortScopes(body.scopes) : undefined }
      const changedFields = await tx.run(updateFields('custom_app', changeableFieldNames, change, where))
      const switchedApps = await tx.run(sql`
        update custom_app set disabled_utc = case when ${body.isDisabled} then now() end
        where ${where} and (disabled_utc is not null) <> ${body.isDisabled}`)
      const isChanged = changedFields + switchedApps > 0
      if (isChanged) tx.afterCommit(() => hint(appsChanged))
      return isChanged
    },
  }),
]
