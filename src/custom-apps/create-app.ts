// Creates, disables and enables custom apps, for the API and the command line. Spec 5.1; decision 8.

import { v4 as uuidv4, v7 as uuidv7 } from 'uuid'
import { hashSecret, newClientSecret } from '../oauth/client-secrets.ts'
import { appsChanged } from '../oauth/registered-apps.ts'
import { operatorOf, organisationExists } from '../organisations/organisation.ts'
import { type Sql, sql, type Tx } from '../platform/database/db.ts'
import { insertInto } from '../platform/database/write.ts'
import { notFound, validationFailed } from '../platform/http/refusal.ts'
import { Type, Uuid } from '../platform/http/schema.ts'
import { createValidation } from '../platform/http/validation.ts'
import type { SecretBox } from '../platform/secret-box.ts'
import { hint } from '../platform/work/hints.ts'
import type { GrantType } from '../vocabulary/organisations.ts'
import { appFields, redirectFault, sortScopes } from './custom-app.ts'

/** The fields of an app that is to be created. */
export interface NewCustomApp {
  organisationId: string
  name: string
  grantType: (typeof GrantType)[keyof typeof GrantType]
  scopes: readonly string[]
  /** required for the authorisation code grant, not allowed for client credentials */
  redirectUris?: readonly string[] | null | undefined
  description?: string | null | undefined
  /** the user who creates it, and for whom its client credentials act; the operator if absent */
  userId?: string
}

/** The credentials of an app. The secret cannot be read again. */
export interface CustomAppCredentials {
  customAppId: string
  clientId: string
  clientSecret: string
}

const check = createValidation().body(Type.Object({ organisationId: Uuid, ...appFields }))

/**
 * Creates an app, and an identity connection for its creator. Throws 400 with every fault, or 404 for an
 * unknown organisation.
 */
export async function createCustomApp(
  tx: Tx,
  secretBox: SecretBox,
  app: NewCustomApp,
): Promise<CustomAppCredentials> {
  const faults = check(app)
  if (faults.length > 0) throw validationFailed(...faults)
  const { organisationId, name, grantType, description } = app
  const redirectUris = app.redirectUris ?? []
  const fault = redirectFault(grantType, redirectUris)
  if (fault !== undefined) throw validationFailed(fault)
  if (!(await organisationExists(tx, organisationId))) throw notFound('Organisation')

  const createdBy = app.userId ?? (await operatorOf(tx, organisationId))
  const id = uuidv7()
  // A random id, so that it does not reveal when the app was created.
  const clientId = uuidv4()
  const clientSecret = newClientSecret()
  const row = {
    organisationId,
    id,
    name,
    description: description || undefined,
    grantType,
    clientId,
    createdBy,
  }
  const secretHash = secretBox.seal(hashSecret(clientSecret))
  await tx.run(insertInto('custom_app', { ...row, secretHash, scopes: sortScopes(app.scopes), redirectUris }))
  await tx.run(
    insertInto('identity_connection', { organisationId, id: uuidv7(), customAppId: id, userId: createdBy }),
  )
  return { customAppId: id, clientId, clientSecret }
}

/**
 * Disables an app, unless it is disabled already, and returns its id. Its tokens are refused within ten
 * seconds. Throws 404 for an unknown client id.
 */
export const disableCustomApp = (tx: Tx, clientId: string): Promise<string> =>
  setDisabledUtc(tx, clientId, sql`coalesce(disabled_utc, now())`)

/** Enables an app again, if it is disabled, and returns its id. Throws 404 for an unknown client id. */
export const enableCustomApp = (tx: Tx, clientId: string): Promise<string> =>
  setDisabledUtc(tx, clientId, sql`null`)

async function setDisabledUtc(tx: Tx, clientId: string, disabledUtc: Sql): Promise<string> {
  const app = await tx.maybe<{ id: string }>(sql`
    update custom_app set disabled_utc = ${disabledUtc} where client_id = ${clientId} returning id`)
  if (app === undefined) throw notFound('Custom app')
  tx.afterCommit(() => hint(appsChanged))
  return app.id
}
