// What users have allowed apps to do on their behalf: the identity connections of the authorisation code
// grant. Records, lists and withdraws these consents. Spec 5.3; decision 3.

import { v7 as uuidv7 } from 'uuid'
import type { Scope } from '../access/scopes.ts'
import { type Db, sql, type Tx } from '../platform/database/db.ts'
import { hint } from '../platform/work/hints.ts'
import { appsChanged, type RegisteredApp } from './registered-apps.ts'
import type { UserKey } from './user.ts'

/** An app that a person has allowed to act for them. */
export interface Consent {
  readonly customAppId: string
  readonly appName: string
  readonly scopes: readonly Scope[]
}

/** Records that the person allows the app these scopes, in addition to what was allowed before. */
export async function recordConsent(
  tx: Tx,
  app: Pick<RegisteredApp, 'organisationId' | 'customAppId'>,
  userId: string,
  scopes: readonly string[],
): Promise<void> {
  await tx.run(sql`
    insert into identity_connection as c (organisation_id, id, custom_app_id, user_id, allowed_scopes)
    values (${app.organisationId}, ${uuidv7()}, ${app.customAppId}, ${userId}, ${scopes})
    on conflict (organisation_id, custom_app_id, user_id) do update
      set allowed_scopes = array(select distinct scope
        from unnest(c.allowed_scopes || excluded.allowed_scopes) scope order by scope)`)
}

/** The apps that the person allows, by name; also disabled ones, because they may be enabled again. */
export const listConsents = (db: Db, { organisationId, userId }: UserKey): Promise<Consent[]> =>
  db.rows<Consent>(sql`
    select a.id as custom_app_id, a.name as app_name, c.allowed_scopes as scopes
    from identity_connection c
    join custom_app a on a.organisation_id = c.organisation_id and a.id = c.custom_app_id
    where c.organisation_id = ${organisationId} and c.user_id = ${userId} and c.allowed_scopes <> '{}'
    order by lower(a.name), a.id`)

/**
 * Withdraws a person's consent to an app. Its codes, grants and refresh tokens end with the transaction, and
 * its access tokens as soon as every process has learnt of it. Returns the app's name, or undefined if there
 * was no consent.
 */
export async function withdrawConsent(
  tx: Tx,
  { organisationId, userId }: UserKey,
  customAppId: string,
): Promise<string | undefined> {
  const withdrawn = await tx.maybe<{ clientId: string; name: string }>(sql`
    update identity_connection c
    set allowed_scopes = '{}', consent_number = c.consent_number + 1, withdrawn_utc = now()
    from custom_app a
    where c.organisation_id = ${organisationId} and c.user_id = ${userId} and c.custom_app_id = ${customAppId}
      and c.allowed_scopes <> '{}' and a.organisation_id = c.organisation_id and a.id = c.custom_app_id
    returning a.client_id, a.name`)
  if (withdrawn === undefined) return undefined
  await tx.run(sql`delete from oauth_record where user_id = ${userId} and client_id = ${withdrawn.clientId}`)
  tx.afterCommit(() => hint(appsChanged))
  return withdrawn.name
}
